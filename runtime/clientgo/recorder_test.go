package clientgo_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/clientgo"
)

// formats are texts and arguments, and what is recorded.
var formats = []struct {
	text string
	args []any
	want string
}{
	{"plain", nil, "plain"},
	{"%d of %s", []any{1, "x"}, "1 of x"},
	{"50% done", nil, "50% done"},
	{"ends in %", nil, "ends in %"},
	{"GET /a%2Fb failed: %!v(PANIC=x)", nil, "GET /a%2Fb failed: %!v(PANIC=x)"},
	{"100%% sure", nil, "100% sure"},
	{"100%% sure, 50% done", nil, "100%% sure, 50% done"},
	{"100%% of %d", []any{7}, "100% of 7"},
	{"%s", []any{"50% %d"}, "50% %d"},
	{"missing %d", []any{}, "missing %d"},
	{"", nil, ""},
}

func TestTextIsNeverMangled(t *testing.T) {
	for _, c := range formats {
		bubble(t, c.text, func(t *testing.T) {
			r, e := newCoreRig(t), newEventsRig(t)
			r.recorder.Eventf(&pod, corev1.EventTypeNormal, "Eventf", c.text, c.args...)
			r.recorder.AnnotatedEventf(&pod, nil, corev1.EventTypeNormal, "AnnotatedEventf", c.text, c.args...)
			r.recorder.Event(&pod, corev1.EventTypeNormal, "Event", c.text)
			e.recorder.Eventf(&pod, nil, corev1.EventTypeNormal, "Eventf", "a", c.text, c.args...)
			synctest.Wait()
			for _, stored := range r.sink.list() {
				want := c.want
				if stored.Reason == "Event" {
					want = c.text
				}
				if stored.Message != want {
					t.Errorf("%s: %q, want %q", stored.Reason, stored.Message, want)
				}
			}
			if stored := e.sink.list(); len(stored) != 1 || stored[0].Note != c.want {
				t.Errorf("note: %+v", stored)
			}
		})
	}
}

func TestTextIsBounded(t *testing.T) {
	long := strings.Repeat("é\n", 30_000)
	bubble(t, "core", func(t *testing.T) {
		r := newCoreRig(t)
		r.event("long", long)
		r.event("short", long[:3000]+"\xff\xfe")
		synctest.Wait()
		for _, e := range r.sink.list() {
			switch {
			case e.Reason == "short" && e.Message != long[:3000]+"\uFFFD":
				t.Errorf("cut to %d bytes, ending in %q", len(e.Message), e.Message[len(e.Message)-10:])
			case e.Reason == "long" && (len(e.Message) > 64<<10 || len(e.Message) < 64<<10-3 || !strings.HasPrefix(long, strings.TrimSuffix(e.Message, "…"))):
				t.Errorf("cut to %d bytes, ending in %q", len(e.Message), e.Message[len(e.Message)-10:])
			}
		}
	})
	bubble(t, "events", func(t *testing.T) {
		r := newEventsRig(t)
		words := strings.Repeat("word", 50)
		r.recorder.Eventf(&pod, nil, corev1.EventTypeNormal, words, words, "%s", long)
		r.recorder.Eventf(&pod, nil, corev1.EventTypeNormal, "NoAction", "", "x")
		r.NewRecorder(scheme.Scheme, words).Eventf(&pod, nil, corev1.EventTypeNormal, "LongController", "a", "x")
		synctest.Wait()
		stored := r.sink.list()
		if e := stored[0]; len(e.Note) > 1024 || len(e.Note) < 1020 || len(e.Reason) > 128 || len(e.Action) > 128 {
			t.Errorf("stored: %d, %d and %d bytes", len(e.Note), len(e.Reason), len(e.Action))
		}
		if e := stored[1]; e.Action != "NoAction" {
			t.Errorf("action: %q", e.Action)
		}
		if e := stored[2]; len(e.ReportingInstance) != 128 || e.ReportingController != words {
			t.Errorf("reporting instance: %q", e.ReportingInstance)
		}
	})
}

// listOf has the metadata of lists only.
type listOf struct {
	metav1.TypeMeta
	metav1.ListMeta
}

func (l *listOf) DeepCopyObject() k8sruntime.Object { c := *l; return &c }

func TestObjects(t *testing.T) {
	u := &unstructured.Unstructured{}
	u.SetAPIVersion("example.com/v1")
	u.SetKind("Widget")
	u.SetName("w")
	u.SetNamespace("shop")
	u.SetUID("u")
	tests := map[string]struct {
		object k8sruntime.Object
		want   *corev1.ObjectReference // nil: rejected
	}{
		"reference":                   {&pod, &pod},
		"object without a kind":       {podObject(), &pod},
		"unstructured":                {u, &corev1.ObjectReference{APIVersion: "example.com/v1", Kind: "Widget", Namespace: "shop", Name: "w", UID: "u"}},
		"empty reference":             {&corev1.ObjectReference{}, &corev1.ObjectReference{}},
		"list":                        {&listOf{metav1.TypeMeta{APIVersion: "v1", Kind: "List"}, metav1.ListMeta{ResourceVersion: "7"}}, &corev1.ObjectReference{APIVersion: "v1", Kind: "List", ResourceVersion: "7"}},
		"nil":                         {nil, nil},
		"nil pod":                     {(*corev1.Pod)(nil), nil},
		"nil reference":               {(*corev1.ObjectReference)(nil), nil},
		"nil unstructured":            {(*unstructured.Unstructured)(nil), nil},
		"type that is in no scheme":   {&unknown{}, nil},
		"namespace that can't be one": {&corev1.ObjectReference{Kind: "Pod", Namespace: "No Namespace", Name: "x"}, nil},
	}
	for name, c := range tests {
		bubble(t, name, func(t *testing.T) {
			r, e := newCoreRig(t), newEventsRig(t)
			r.recorder.Event(c.object, corev1.EventTypeNormal, "Started", "x")
			e.recorder.Eventf(c.object, nil, corev1.EventTypeNormal, "Started", "a", "x")
			e.recorder.Eventf(&pod, c.object, corev1.EventTypeNormal, "Related", "a", "x")
			synctest.Wait()
			core, events := r.sink.list(), e.sink.list()
			slices.SortFunc(events, func(a, b eventsv1.Event) int { return -strings.Compare(a.Reason, b.Reason) })
			if c.want == nil {
				if len(core) != 0 || conserved(t, r.Stats()).Lost.Rejected != 1 || conserved(t, e.Stats()).Lost.Rejected != 1 ||
					r.log.all() == "" || e.log.all() == "" {
					t.Errorf("stored: %+v, said: %s", core, r.log.all())
				}
				return
			}
			if len(core) != 1 || core[0].InvolvedObject != *c.want || len(events) != 2 || events[0].Regarding != *c.want {
				t.Fatalf("stored: %+v\n%+v", core, events)
			}
			if diff := cmp.Diff(c.want, events[1].Related); diff != "" {
				t.Errorf("related: %s", diff)
			}
		})
	}
}

type unknown struct{ corev1.Pod }

func (u *unknown) DeepCopyObject() k8sruntime.Object { c := *u; return &c }

// TestAnnotations holds that the caller's map is copied, values are left as they are, and what
// is aggregated keeps the first's.
func TestAnnotations(t *testing.T) {
	bubble(t, "both", func(t *testing.T) {
		r, e := newCoreRig(t), newEventsRig(t)
		long := strings.Repeat("x\n", 2000)
		annotations := map[string]string{"example.com/a": long, "b": "2"}
		r.recorder.AnnotatedEventf(&pod, annotations, corev1.EventTypeNormal, "Started", "x")
		e.recorder.(annotatedRecorder).AnnotatedEventf(&pod, nil, annotations, corev1.EventTypeNormal, "Started", "a", "x")
		annotations["b"] = "changed"
		synctest.Wait()
		want := map[string]string{"example.com/a": long, "b": "2"}
		if diff := cmp.Diff(want, r.sink.list()[0].Annotations); diff != "" {
			t.Errorf("core: %s", diff)
		}
		if diff := cmp.Diff(want, e.sink.list()[0].Annotations); diff != "" {
			t.Errorf("events: %s", diff)
		}
	})
	bubble(t, "aggregated", func(t *testing.T) {
		r := newCoreRig(t)
		for i := range 12 {
			r.recorder.AnnotatedEventf(&pod, map[string]string{"a": "b"}, corev1.EventTypeNormal, "Started", "message %d", i)
		}
		r.Shutdown()
		stored := r.sink.list()
		last := stored[len(stored)-1]
		if len(stored) != 10 || last.Message != eventrt.AggregatePrefix+"message 11" || last.Count != 3 || last.ReportingController != "eventTest" {
			t.Errorf("stored: %+v", last)
		}
		if diff := cmp.Diff(map[string]string{"a": "b"}, last.Annotations); diff != "" {
			t.Errorf("annotations: %s", diff)
		}
	})
}

// TestPatchHoldsThreeFields in the core group, beside the version that the event must have.
func TestPatchHoldsThreeFields(t *testing.T) {
	bubble(t, "core", func(t *testing.T) {
		r := newCoreRig(t)
		r.event("Started", `a "quoted" <b>`)
		later(1)
		r.event("Started", `a "quoted" <b>`)
		r.Shutdown()
		const want = `{"metadata":{"resourceVersion":"1"},"count":2,"lastTimestamp":"2000-01-01T00:00:00Z","message":"a \"quoted\" \u003cb\u003e"}`
		if calls := r.sink.log(); len(calls) != 2 || calls[1].patch != want {
			t.Errorf("calls: %+v", calls)
		}
	})
}

func TestKeysDoNotCollide(t *testing.T) {
	bubble(t, "core", func(t *testing.T) {
		r := newCoreRig(t)
		r.event("A", "bc")
		r.event("Ab", "c")
		r.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "a", Host: "bc"}).Event(&pod, corev1.EventTypeNormal, "A", "bc")
		r.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "ab", Host: "c"}).Event(&pod, corev1.EventTypeNormal, "A", "bc")
		r.Shutdown()
		if stored := r.sink.list(); len(stored) != 4 {
			t.Errorf("stored: %+v", stored)
		}
	})
}

// TestManyDistinctReasons goes beyond the definitions that are kept.
func TestManyDistinctReasons(t *testing.T) {
	bubble(t, "core", func(t *testing.T) {
		r := newCoreRig(t)
		for range 2 {
			for i := range 1500 {
				r.event("Reason"+strings.Repeat("x", i), "x")
			}
		}
		r.Shutdown()
		stored := r.sink.list()
		for _, e := range stored {
			if e.Count != 2 {
				t.Fatalf("count %d of %.20s", e.Count, e.Reason)
			}
		}
		if len(stored) != 1500 {
			t.Errorf("%d stored", len(stored))
		}
	})
}

func TestUnheardEventsAreCounted(t *testing.T) {
	var log lines
	b := clientgo.NewBroadcaster(clientgo.WithContext(log.context(t.Context())))
	recorder := b.NewRecorder(scheme.Scheme, testSource)
	for range 3 {
		recorder.Event(&pod, corev1.EventTypeNormal, "Started", "x")
	}
	if s := conserved(t, b.Stats()); s.Lost.Rejected != 3 || strings.Count(log.all(), "no sink was started") != 1 {
		t.Errorf("accounts: %+v, said: %s", s, log.all())
	}
	b.Shutdown()
}

// TestLongNotesAreAggregated: the prefix of an aggregated note makes a note of full length too long
// for events.k8s.io, which the server would refuse.
func TestLongNotesAreAggregated(t *testing.T) {
	bubble(t, "events", func(t *testing.T) {
		r := newEventsRig(t)
		for n := range 15 {
			r.event("Long", strings.Repeat(string(rune('a'+n)), 2000))
		}
		r.Shutdown()
		aggregated := 0
		for _, e := range r.sink.list() {
			if strings.HasPrefix(e.Note, eventrt.AggregatePrefix) {
				aggregated++
			}
			if len(e.Note) != eventrt.MaxNoteBytes {
				t.Errorf("a note has %d bytes", len(e.Note))
			}
		}
		if aggregated != 1 {
			t.Errorf("%d aggregated notes", aggregated)
		}
	})
}
