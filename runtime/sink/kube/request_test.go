package kube

import (
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

	"github.com/event-gen/event-gen/runtime"
)

func TestCreateEventsV1(t *testing.T) {
	s := newServer(t, stored("42"))
	w := newCreate()
	w.Count, w.Last = 3, moment.Add(1)
	w.Related, w.HasRelated = corev1.ObjectReference{Kind: "Node", Name: "n"}, true
	w.Annotations = []runtime.Annotation{{Key: "a", Value: "b"}}
	a := EventsV1(s.config()).Write(t.Context(), w)
	if a.Outcome != runtime.Done || a.ResourceVersion != 42 || a.Mark == 0 {
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
	if a := CoreV1(s.config()).Write(t.Context(), w); a.Outcome != runtime.Done || a.ResourceVersion != 42 {
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
	aggregate.Annotations = []runtime.Annotation{{Key: "n", Value: "3"}}
	cases := []struct {
		name         string
		write        *runtime.Write
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

// TestUpdateWithoutVersion has the version asked for first, so that an earlier update that arrives late fails.
func TestUpdateWithoutVersion(t *testing.T) {
	w := newUpdate()
	w.ResourceVersion = 0
	for name, newSink := range map[string]func(*rest.Config) *Sink{"CoreV1": CoreV1, "EventsV1": EventsV1} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, stored("43"))
			if a := newSink(s.config()).Write(t.Context(), w); a.Outcome != runtime.Done || a.ResourceVersion != 43 || w.ResourceVersion != 0 {
				t.Fatalf("answer %+v, write %+v", a, w)
			}
			got := s.got()
			if len(got) != 2 || string(got[0].body) != "{}" || !strings.Contains(string(got[1].body), `{"metadata":{"resourceVersion":"43"},`) {
				t.Errorf("requests: %s", got)
			}
			for _, r := range got {
				checkLine(t, r, "PATCH "+got[0].path)
			}
		})
	}
}

// TestUpdateWithoutVersionFails has the question for the version fail, with which nothing can have been stored.
func TestUpdateWithoutVersionFails(t *testing.T) {
	w := newUpdate()
	w.ResourceVersion = 0
	for code, want := range map[int]runtime.Answer{
		http.StatusNotFound:            {Outcome: runtime.Gone},
		http.StatusInternalServerError: {Outcome: runtime.Retry},
	} {
		s := newServer(t, answered(metav1.Status{Code: int32(code)}))
		a := EventsV1(s.config()).Write(t.Context(), w)
		if s.only(t); a.Outcome != want.Outcome || a.MaybeStored {
			t.Errorf("%d: answer %+v", code, a)
		}
	}
}

func checkPatch(t *testing.T, newSink func(*rest.Config) *Sink, w *runtime.Write, line, body string) {
	t.Helper()
	s := newServer(t, stored("43"))
	if a := newSink(s.config()).Write(t.Context(), w); a.Outcome != runtime.Done || a.ResourceVersion != 43 {
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

// TestDryRun: every request of DryRun asks the server to store nothing, the one in JSON after a refused media type too, and none of Write does.
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
		sink := Auto(s.config())
		send := sink.Write
		if dry {
			send = sink.DryRun
		}
		update := newUpdate()
		update.ResourceVersion = 0 // it is asked for first
		for _, w := range []*runtime.Write{newCreate(), update} {
			if a := send(t.Context(), w); a.Outcome != runtime.Done {
				t.Errorf("answer %+v", a)
			}
		}
		got := s.got()
		for _, r := range got {
			if strings.Contains(r.query, "dryRun=All") != dry {
				t.Errorf("dry run %v: %s %s?%s", dry, r.method, r.path, r.query)
			}
		}
		if len(got) != 4 {
			t.Errorf("%d requests", len(got))
		}
		if a := sink.Write(t.Context(), update); a.Outcome != runtime.Done || len(s.got()) != 6 {
			t.Errorf("after it, an update whose version is not known does not ask for it: %+v, %d requests", a, len(s.got()))
		}
	}
}
