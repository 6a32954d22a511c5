package eventrt_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/problems"
)

func started() eventrt.Event {
	return eventrt.NewEvent(plainDefinition(), eventrt.ObjectOf(pod()), eventrt.ObjectRef{})
}

func TestARecorderWithoutPublisherIsSilent(t *testing.T) {
	var none *eventrt.Recorder
	for name, r := range map[string]*eventrt.Recorder{"nil": none, "zero": {}, "of nil": eventrt.NewRecorder(nil)} {
		t.Run(name, func(t *testing.T) {
			derived := r.WithContext(t.Context()).WithReportingController("example.com/c").WithAnnotations(map[string]string{"a": "b"}).At(time.Now())
			for _, r := range []*eventrt.Recorder{r, derived} {
				r.Emit(started())
				r.Emit(eventrt.Event{})
				r.EmitNew(plainDefinition(), eventrt.ObjectOf(pod()), eventrt.ObjectRef{})
				r.Forward(pod(), eventrt.Normal, "Reason", "Action", "message")
			}
		})
	}
	if none.WithContext(t.Context()) != nil || none.At(time.Now()) != nil {
		t.Error("a nil recorder gave another")
	}
}

// TestWaysToRecord: EmitOf, EmitNew, and Emit of NewEvent or Definition.Event record the same, for
// valid and invalid objects.
func TestWaysToRecord(t *testing.T) {
	var none *corev1.Pod
	def := messageDefinition(eventrt.Param{Name: "text", MaxBytes: 3})
	def.HasRelated, def.RelatedOptional, def.Related, def.ReportingController = true, true, podKind, "example.com/definition"
	broken := struct{ *corev1.Pod }{} // its methods panic
	for name, c := range map[string]struct{ regarding, related eventrt.ClientObject }{
		"one": {pod(), nil}, "two": {pod(), pod()}, "nil related": {pod(), none}, "nil": {nil, pod()}, "typed nil": {none, none},
		"broken": {broken, broken}, "nothing at all": {},
	} {
		ref := func(o eventrt.ClientObject) eventrt.ObjectRef {
			if o == nil {
				return eventrt.ObjectRef{}
			}
			return eventrt.ObjectOf(o)
		}
		sent := &publishedEvents{}
		r := eventrt.NewRecorder(sent).WithReportingController("a b").At(time.Unix(1000, 0))
		r.EmitOf(def, c.regarding, c.related, eventrt.String("abcdef"))
		r.EmitNew(def, ref(c.regarding), ref(c.related), eventrt.String("abcdef"))
		r.Emit(def.Event(c.regarding, c.related, eventrt.String("abcdef")))
		r.Emit(eventrt.NewEvent(def, ref(c.regarding), ref(c.related), eventrt.String("abcdef")))
		for i := range sent.events {
			internals.SetTime(&sent.events[i], time.Now()) // as publishers do
		}
		for i := range sent.events {
			e := &sent.events[i]
			if *e != sent.events[0] || e.Message() != "…" || e.ReportingController() != "example.com/definition" {
				t.Errorf("%s, way %d: %+v", name, i, e)
			}
			// the event's own problem goes before the recorder's
			want := eventrt.Problem(problems.BadReportingController)
			if !e.Regarding().Present() {
				want = problems.NilRegarding
			}
			if e.Problem() != want {
				t.Errorf("%s: %v, want %v", name, e.Problem(), want)
			}
		}
	}
}

type contextKey struct{}

func TestDerivedRecordersAddToTheirParents(t *testing.T) {
	sent := &publishedEvents{}
	parent := eventrt.NewRecorder(sent)
	ctx := context.WithValue(t.Context(), contextKey{}, "mine")
	at := time.Unix(1000, 0)
	child := parent.WithReportingController("example.com/child").WithAnnotations(map[string]string{"b": "child", "a": "child"}).WithContext(ctx).At(at)
	grandchild := child.WithAnnotations(map[string]string{"c": "grandchild", "a": "grandchild"}).WithReportingController("grandchild")
	type facts struct {
		ReportingController string
		Annotations         []eventrt.Annotation
		Context             any
		At                  time.Time
		Problem             eventrt.Problem
	}
	tests := []struct {
		name string
		r    *eventrt.Recorder
		want facts
	}{
		{"grandchild", grandchild, facts{"grandchild", []eventrt.Annotation{{Key: "a", Value: "grandchild"}, {Key: "b", Value: "child"}, {Key: "c", Value: "grandchild"}}, "mine", at, 0}},
		{"child", child, facts{"example.com/child", []eventrt.Annotation{{Key: "a", Value: "child"}, {Key: "b", Value: "child"}}, "mine", at, 0}},
		{"child that is now again", child.At(time.Time{}), facts{"example.com/child", []eventrt.Annotation{{Key: "a", Value: "child"}, {Key: "b", Value: "child"}}, "mine", time.Time{}, 0}},
		{"parent", parent, facts{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.r.Emit(started())
			e := sent.last()
			got := facts{e.ReportingController(), e.Annotations(), e.Context().Value(contextKey{}), e.Time(), e.Problem()}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestControllersMustBeQualifiedNames(t *testing.T) {
	sent := &publishedEvents{}
	r := eventrt.NewRecorder(sent)
	for controller, want := range map[string]eventrt.Problem{
		"cronjob-controller":              eventrt.NoProblem,
		"example.com/widget-controller":   eventrt.NoProblem,
		strings.Repeat("c", 63):           eventrt.NoProblem,
		strings.Repeat("c", 64):           problems.BadReportingController,
		"":                                problems.BadReportingController,
		"a controller":                    problems.BadReportingController,
		"example.com/a/b":                 problems.BadReportingController,
		"Example.com/widget-controller":   problems.BadReportingController,
		"example.com/widget-controller\n": problems.BadReportingController,
		"\xff":                            problems.BadReportingController,
	} {
		r.WithReportingController(controller).Emit(started())
		if got := sent.last().Problem(); got != want {
			t.Errorf("%q: %v, want %v", controller, got, want)
		}
	}
}

func TestAnnotationsMustBeWhatTheServerTakes(t *testing.T) {
	sent := &publishedEvents{}
	r := eventrt.NewRecorder(sent)
	many := map[string]string{}
	for i := range 128 {
		many[fmt.Sprintf("k%03d", i)] = strings.Repeat("x", 1020)
	}
	tooMany := maps.Clone(many)
	tooMany["one-more"] = ""
	tests := []struct {
		name        string
		annotations map[string]string
		want        eventrt.Problem
	}{
		{"none", nil, eventrt.NoProblem},
		{"empty value", map[string]string{"a": ""}, eventrt.NoProblem},
		{"qualified", map[string]string{"example.com/a_b.c-d": "x"}, eventrt.NoProblem},
		{"upper case, as the server takes it", map[string]string{"Example.com/A": "x"}, eventrt.NoProblem},
		{"empty key", map[string]string{"": "x"}, problems.BadAnnotation},
		{"blank in the key", map[string]string{"a b": "x"}, problems.BadAnnotation},
		{"invalid UTF-8 in the key", map[string]string{"a\xff": "x"}, problems.BadAnnotation},
		{"a key that is too long", map[string]string{strings.Repeat("a", 64): "x"}, problems.BadAnnotation},
		{"128 KiB", many, eventrt.NoProblem},
		{"more", tooMany, problems.BadAnnotation},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r.WithAnnotations(tt.annotations).Emit(started())
			if got := sent.last().Problem(); got != tt.want {
				t.Errorf("problem: %v, want %v", got, tt.want)
			}
		})
	}
}

func TestAnnotationValuesAreCleanAndCut(t *testing.T) {
	sent := &publishedEvents{}
	eventrt.NewRecorder(sent).WithAnnotations(map[string]string{"a": "x\n\xff", "b": strings.Repeat("y", 2000)}).Emit(started())
	got := sent.last().Annotations()
	if got[0].Value != "x \uFFFD" || len(got[1].Value) != 1024 || !strings.HasSuffix(got[1].Value, "…") {
		t.Errorf("%q", got)
	}
}

func TestRecordersAreSafeForConcurrentUse(t *testing.T) {
	const goroutines, each = 16, 50
	sent := &publishedEvents{}
	base := eventrt.NewRecorder(sent).WithReportingController("example.com/c").WithAnnotations(map[string]string{"a": "b"})
	obj, def := pod(), messageDefinition(eventrt.Param{}, eventrt.Param{})
	ready := eventrt.NewEvent(def, eventrt.ObjectOf(obj), eventrt.ObjectRef{}, eventrt.Int(1), eventrt.String("x"))
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			derived := base.WithAnnotations(map[string]string{"g": fmt.Sprint(g)}).WithContext(t.Context())
			for n := range each {
				base.Emit(ready)
				derived.At(time.Unix(int64(n), 0)).Emit(eventrt.NewEvent(def, eventrt.ObjectOf(obj), eventrt.ObjectRef{}, eventrt.Int(g), eventrt.Int(n)))
				base.Forward(obj, eventrt.Warning, "Reason", fmt.Sprint("Action", n), "message")
				_ = ready.Message()
			}
		})
	}
	wg.Wait()
	if len(sent.events) != 3*goroutines*each {
		t.Errorf("%d events published", len(sent.events))
	}
	for i := range sent.events {
		if p := sent.events[i].Problem(); p != eventrt.NoProblem && p != problems.UnknownKind {
			t.Fatalf("event %d: %v", i, p)
		}
	}
}
