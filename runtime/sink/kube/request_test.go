package kube

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/rest"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
)

func TestCreateEventsV1(t *testing.T) {
	s := newServer(t, stored("42"))
	w := newCreate()
	w.Count, w.Last = 3, moment.Add(1)
	w.Related, w.HasRelated = corev1.ObjectReference{Kind: "Node", Name: "n"}, true
	w.Annotations = []eventrt.Annotation{{Key: "a", Value: "b"}}
	a := EventsV1(s.config()).Write(t.Context(), w)
	if a.Outcome != sink.Done || a.ResourceVersion != 42 || a.Mark == 0 {
		t.Fatalf("answer %+v", a)
	}
	r := s.only(t)
	checkLine(t, r, "POST /apis/events.k8s.io/v1/namespaces/shop/events")
	want := &eventsv1.Event{
		TypeMeta:            metav1.TypeMeta{APIVersion: "events.k8s.io/v1", Kind: "Event"},
		ObjectMeta:          metav1.ObjectMeta{Namespace: "shop", Name: "web.1", Annotations: map[string]string{"a": "b"}},
		EventTime:           metav1.MicroTime{Time: moment.Truncate(1000)},
		Series:              &eventsv1.EventSeries{Count: 3, LastObservedTime: metav1.MicroTime{Time: moment.Truncate(1000)}},
		ReportingController: "example.com/controller",
		ReportingInstance:   "controller-0",
		Action:              "Restart",
		Reason:              "BackOff",
		Regarding:           w.Regarding,
		Related:             &w.Related,
		Note:                "a \"secret\" note",
		Type:                "Warning",
	}
	checkBody(t, r, want)
}

func TestCreateCoreV1(t *testing.T) {
	s := newServer(t, stored("42"))
	w := newCreate()
	if a := CoreV1(s.config()).Write(t.Context(), w); a.Outcome != sink.Done || a.ResourceVersion != 42 {
		t.Fatalf("answer %+v", a)
	}
	r := s.only(t)
	checkLine(t, r, "POST /api/v1/namespaces/shop/events")
	second := metav1.Time{Time: moment.Truncate(1e9)}
	checkBody(t, r, &corev1.Event{
		TypeMeta:            metav1.TypeMeta{APIVersion: "v1", Kind: "Event"},
		ObjectMeta:          metav1.ObjectMeta{Namespace: "shop", Name: "web.1"},
		InvolvedObject:      w.Regarding,
		Reason:              "BackOff",
		Message:             "a \"secret\" note",
		Source:              corev1.EventSource{Component: "example.com/controller", Host: "controller-0"},
		FirstTimestamp:      second,
		LastTimestamp:       second,
		Count:               1,
		Type:                "Warning",
		Action:              "Restart",
		ReportingController: "example.com/controller",
		ReportingInstance:   "controller-0",
	})
}

func TestUpdates(t *testing.T) {
	aggregate := newUpdate()
	aggregate.Aggregate, aggregate.Note = true, []byte("many")
	aggregate.Annotations = []eventrt.Annotation{{Key: "n", Value: "3"}}
	cases := []struct {
		name         string
		write        *sink.Write
		core, events string
	}{
		{
			"conditional", newUpdate(),
			`{"metadata":{"resourceVersion":"41"},"count":3,"lastTimestamp":"2026-03-04T05:07:07Z"}`,
			`{"metadata":{"resourceVersion":"41"},"series":{"count":3,"lastObservedTime":"2026-03-04T05:07:07.891234Z"}}`,
		},
		{
			"aggregate", aggregate,
			`{"metadata":{"annotations":{"n":"3"},"resourceVersion":"41"},"count":3,"lastTimestamp":"2026-03-04T05:07:07Z","message":"many"}`,
			`{"metadata":{"annotations":{"n":"3"},"resourceVersion":"41"},"series":{"count":3,"lastObservedTime":"2026-03-04T05:07:07.891234Z"}}`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			checkPatch(t, CoreV1, c.write, "PATCH /api/v1/namespaces/shop/events/web.1", c.core)
			checkPatch(t, EventsV1, c.write, "PATCH /apis/events.k8s.io/v1/namespaces/shop/events/web.1", c.events)
		})
	}
}

// TestRead asks for a stored event by a patch that changes nothing, and gets it in the form in
// which it was created, through a group that can change it.
func TestRead(t *testing.T) {
	second := metav1.Time{Time: moment.Truncate(1e9).Local()}
	meta := metav1.ObjectMeta{Name: "web.1", Namespace: "shop", ResourceVersion: "43", Annotations: map[string]string{"a": "b"}}
	legacy := &corev1.Event{ObjectMeta: meta, Reason: "BackOff", Message: "n", Count: 3, FirstTimestamp: second, LastTimestamp: second}
	timed := &corev1.Event{ObjectMeta: meta, Reason: "BackOff", Message: "n", EventTime: metav1.MicroTime{Time: moment.Truncate(1000).Local()}}
	w := newUpdate()
	w.Operation = sink.Read
	for name, e := range map[string]*corev1.Event{"core/v1": legacy, "events.k8s.io/v1": timed} {
		asEvents := form.ToEvents(e)
		for encoding, answer := range map[string]func(http.ResponseWriter, received){
			"core/v1 as JSON":              eventReply("v1", e),
			"core/v1 as protobuf":          protobufReply(t, "v1", "Event", e),
			"events.k8s.io/v1 as JSON":     eventReply("events.k8s.io/v1", &asEvents),
			"events.k8s.io/v1 as protobuf": protobufReply(t, "events.k8s.io/v1", "Event", &asEvents),
		} {
			t.Run(name+" through "+encoding, func(t *testing.T) {
				s := newServer(t, answer)
				newSink := EventsV1
				if strings.HasPrefix(encoding, "core") {
					newSink = CoreV1
				}
				a := newSink(s.config()).Write(t.Context(), w)
				if form.Of(e) == form.CoreV1 && !strings.HasPrefix(encoding, "core") {
					if a.Outcome != sink.Refused || a.Scope != sink.ScopeWrite || a.Stored != nil {
						t.Fatalf("answer %+v, though the group can't change the event", a)
					}
					return
				}
				if a.Outcome != sink.Done || a.ResourceVersion != 43 || a.Mark != apiserver.MarkOf(form.Of(e)) {
					t.Fatalf("answer %+v", a)
				}
				a.Stored.TypeMeta = metav1.TypeMeta{}
				if diff := cmp.Diff(e, a.Stored); diff != "" {
					t.Error(diff)
				}
				if r := s.only(t); r.method != http.MethodPatch || string(r.body) != "{}" || strings.Contains(r.header.Get("Accept"), "PartialObjectMetadata") {
					t.Errorf("%s %s, accepts %s", r.method, r.body, r.header.Get("Accept"))
				}
			})
		}
	}
}

func eventReply(apiVersion string, e any) func(http.ResponseWriter, received) {
	return func(w http.ResponseWriter, _ received) {
		b, _ := json.Marshal(e)
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"apiVersion":%q,"kind":"Event",%s`, apiVersion, b[1:])
	}
}

// TestReadFails: nothing can have been stored. Only a server that was not reached is away.
func TestReadFails(t *testing.T) {
	w := newUpdate()
	w.Operation = sink.Read
	for _, c := range []struct {
		answer func(http.ResponseWriter, received)
		want   sink.Answer
	}{
		{answered(metav1.Status{Code: http.StatusNotFound}), sink.Answer{Outcome: sink.Gone, Scope: sink.ScopeObject}},
		{answered(metav1.Status{Code: http.StatusInternalServerError}), sink.Answer{Outcome: sink.Retry}},
		{answered(metav1.Status{Code: http.StatusServiceUnavailable}), sink.Answer{Outcome: sink.Retry}},
		{stored("42"), sink.Answer{Outcome: sink.Retry}},
		{text(200, "<html>"), sink.Answer{Outcome: sink.Retry}},
	} {
		s := newServer(t, c.answer)
		a := EventsV1(s.config()).Write(t.Context(), w)
		if s.only(t); a.Outcome != c.want.Outcome || a.Scope != c.want.Scope || a.MaybeStored || a.Err == nil {
			t.Errorf("answer %+v, want %+v", a, c.want)
		}
	}
	s := newServer(t, stored("42"))
	s.Close()
	if a := EventsV1(s.config()).Write(t.Context(), w); a.Outcome != sink.Retry || a.Scope != sink.ScopeServer || a.MaybeStored {
		t.Errorf("answer %+v of a server that is away", a)
	}
}

// TestTheOtherForm: a process that writes one group only goes on with an event that another has
// created through the other group.
func TestTheOtherForm(t *testing.T) {
	w := newUpdate()
	w.Mark, w.Joins = apiserver.MarkOf(form.EventsV1), true
	w.Annotations, w.Dropped = []eventrt.Annotation{{Key: "w-2", Value: "1"}}, []string{"w-1"}
	checkPatch(t, CoreV1, w, "PATCH /api/v1/namespaces/shop/events/web.1",
		`{"metadata":{"annotations":{"w-1":null,"w-2":"1"},"resourceVersion":"41"},"series":{"count":3,"lastObservedTime":"2026-03-04T05:07:07.891234Z"}}`)
	w.Mark = 0
	checkPatch(t, CoreV1, w, "PATCH /api/v1/namespaces/shop/events/web.1",
		`{"metadata":{"annotations":{"w-1":null,"w-2":"1"},"resourceVersion":"41"},"count":3,`+
			`"firstTimestamp":"2026-03-04T05:06:07Z","lastTimestamp":"2026-03-04T05:07:07Z","message":"a \"secret\" note"}`)
}

func checkPatch(t *testing.T, newSink func(*rest.Config) *Sink, w *sink.Write, line, body string) {
	t.Helper()
	s := newServer(t, stored("43"))
	if a := newSink(s.config()).Write(t.Context(), w); a.Outcome != sink.Done || a.ResourceVersion != 43 {
		t.Fatalf("answer %+v", a)
	}
	r := s.only(t)
	checkLine(t, r, line)
	if diff := cmp.Diff(body, string(r.body)); diff != "" {
		t.Errorf("patch:\n%s", diff)
	}
	if got := r.header.Get("Content-Type"); got != "application/merge-patch+json" {
		t.Errorf("content type %q", got)
	}
}

func TestRequestHeaders(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, r received) {
		w.Header().Add("Warning", `299 - "not for the log"`)
		stored("1")(w, r)
	})
	cfg := s.config()
	cfg.UserAgent = "shop-controller/v1"
	cfg.ContentType = "application/json"
	EventsV1(cfg).Write(t.Context(), newCreate())
	r := s.only(t)
	for header, want := range map[string]string{
		"User-Agent":   "shop-controller/v1/event-gen-recorder",
		"Content-Type": "application/json",
		"Accept":       acceptJSON,
	} {
		if got := r.header.Get(header); got != want {
			t.Errorf("%s: %q, want %q", header, got, want)
		}
	}
	if cfg.UserAgent != "shop-controller/v1" || cfg.QPS != 0 || cfg.ContentType != "application/json" {
		t.Errorf("the caller's config was changed: %+v", cfg)
	}
}

func checkLine(t *testing.T, r received, want string) {
	t.Helper()
	if got := r.method + " " + r.path; got != want || r.query != "" {
		t.Errorf("request %s?%s, want %s", got, r.query, want)
	}
}

// checkBody decodes the body as a server does.
func checkBody(t *testing.T, r received, want k8sruntime.Object) {
	t.Helper()
	scheme := k8sruntime.NewScheme()
	for _, add := range []func(*k8sruntime.Scheme) error{corev1.AddToScheme, eventsv1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	serializer := protobuf.NewSerializer(scheme, scheme)
	got, gvk, err := serializer.Decode(r.body, nil, nil)
	if err != nil {
		t.Fatalf("decode the body: %v", err)
	}
	if *gvk != want.GetObjectKind().GroupVersionKind() {
		t.Errorf("kind %v", gvk)
	}
	got.GetObjectKind().SetGroupVersionKind(*gvk)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("body (- expected, + sent):\n%s", diff)
	}
}

// TestDryRun: every request of DryRun asks the server to store nothing, the one in JSON after a
// refused media type too, and none of Write does.
func TestDryRun(t *testing.T) {
	for _, dry := range []bool{true, false} {
		s := newServer(t, func(w http.ResponseWriter, r received) {
			if r.header.Get("Content-Type") == k8sruntime.ContentTypeProtobuf {
				writeStatus(w, metav1.Status{Code: http.StatusUnsupportedMediaType, Reason: metav1.StatusReasonUnsupportedMediaType})
				return
			}
			version := "7"
			if dry && r.method == http.MethodPost {
				version = "" // as a server answers
			}
			stored(version)(w, r)
		})
		target := Auto(s.config())
		send := target.Write
		if dry {
			send = target.DryRun
		}
		for _, w := range []*sink.Write{newCreate(), newUpdate()} {
			if a := send(t.Context(), w); a.Outcome != sink.Done {
				t.Errorf("answer %+v", a)
			}
		}
		got := s.got()
		for _, r := range got {
			if strings.Contains(r.query, "dryRun=All") != dry {
				t.Errorf("dry run %v: %s %s?%s", dry, r.method, r.path, r.query)
			}
		}
		if len(got) != 3 {
			t.Errorf("%d requests", len(got))
		}
	}
}
