package kube

import (
	"net/http"
	"testing"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// protobufReply answers with an object as a real server encodes it.
func protobufReply(t *testing.T, apiVersion, kind string, object k8sruntime.ProtobufMarshaller) func(http.ResponseWriter, received) {
	t.Helper()
	raw := make([]byte, object.Size())
	if _, err := object.MarshalTo(raw); err != nil {
		t.Fatal(err)
	}
	envelope := k8sruntime.Unknown{TypeMeta: k8sruntime.TypeMeta{APIVersion: apiVersion, Kind: kind}, Raw: raw}
	body, err := envelope.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return func(w http.ResponseWriter, _ received) {
		w.Header().Set("Content-Type", k8sruntime.ContentTypeProtobuf)
		w.WriteHeader(http.StatusCreated)
		_, _ = w.Write(append([]byte(protobufPrefix), body...))
	}
}

func TestReplies(t *testing.T) {
	meta := metav1.ObjectMeta{Name: "web.1", ResourceVersion: "18446744073709551615"}
	opaque := metav1.ObjectMeta{Name: "web.1", ResourceVersion: "not-a-number"}
	unnamed := metav1.ObjectMeta{ResourceVersion: "7"}
	another := metav1.ObjectMeta{Name: "web.2", Namespace: "shop", ResourceVersion: "7"}
	elsewhere := metav1.ObjectMeta{Name: "web.1", Namespace: "bank", ResourceVersion: "7"}
	for _, c := range []struct {
		name   string
		answer func(http.ResponseWriter, received)
		want   sink.Answer
	}{
		{"metadata", protobufReply(t, "meta.k8s.io/v1", "PartialObjectMetadata", &metav1.PartialObjectMetadata{ObjectMeta: meta}),
			sink.Answer{Outcome: sink.Done, ResourceVersion: 18446744073709551615}},
		{"a whole event", protobufReply(t, "events.k8s.io/v1", "Event", &eventsv1.Event{ObjectMeta: meta, Note: "n"}),
			sink.Answer{Outcome: sink.Done, ResourceVersion: 18446744073709551615}},
		{"a version of another kind", protobufReply(t, "events.k8s.io/v1", "Event", &eventsv1.Event{ObjectMeta: opaque}),
			sink.Answer{Outcome: sink.Done}},
		{"another event", protobufReply(t, "meta.k8s.io/v1", "PartialObjectMetadata", &metav1.PartialObjectMetadata{ObjectMeta: another}), maybeSent},
		{"an event elsewhere", protobufReply(t, "meta.k8s.io/v1", "PartialObjectMetadata", &metav1.PartialObjectMetadata{ObjectMeta: elsewhere}), maybeSent},
		{"a Pod", protobufReply(t, "v1", "Pod", &metav1.PartialObjectMetadata{ObjectMeta: meta}), maybeSent},
		{"a Pod as JSON", text(201, `{"kind":"Pod","metadata":{"name":"web.1","namespace":"shop","resourceVersion":"7"}}`, "Content-Type", "application/json"), maybeSent},
		{"a status of success", text(200, `{"kind":"Status","apiVersion":"v1","status":"Success"}`, "Content-Type", "application/json"), maybeSent},
		{"no name", protobufReply(t, "events.k8s.io/v1", "Event", &eventsv1.Event{ObjectMeta: unnamed}), maybeSent},
		{"broken protobuf", text(201, protobufPrefix+"\xff\xff"), maybeSent},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newServer(t, c.answer)
			got := EventsV1(s.config()).Write(t.Context(), newCreate())
			if (got.Err != nil) != (got.Outcome != sink.Done) {
				t.Errorf("error %v", got.Err)
			}
			got.Err, got.Mark = nil, 0
			if got != c.want {
				t.Errorf("answer %+v, want %+v", got, c.want)
			}
		})
	}
}

// TestARenamedEventIsBelievedIfItHoldsTheCount: a webhook that changes events may rename them. The
// reply names the annotation of the writer; where there is none, the event is read.
func TestARenamedEventIsBelievedIfItHoldsTheCount(t *testing.T) {
	own := eventrt.Annotation{Key: sink.WriterAnnotation + "1", Value: "1"}
	event := func(count int32) *corev1.Event {
		return &corev1.Event{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Event"}, Reason: "BackOff", Count: count,
			ObjectMeta:     metav1.ObjectMeta{Name: "other", Namespace: "shop", ResourceVersion: "7"},
			InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: "web", UID: "u-1"}}
	}
	for _, c := range []struct {
		name        string
		annotated   bool
		annotations map[string]string
		read        *corev1.Event
		want        sink.Outcome
		calls       int
	}{
		{"with the count", true, map[string]string{own.Key: "1"}, nil, sink.Done, 1},
		{"with another count", true, map[string]string{own.Key: "2"}, event(1), sink.Retry, 2},
		{"of nobody's", true, nil, event(1), sink.Retry, 2},
		{"without an annotation", false, nil, event(1), sink.Done, 2},
		{"without an annotation, of another count", false, nil, event(3), sink.Retry, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newServer(t, func(w http.ResponseWriter, r received) {
				if r.method == http.MethodPatch {
					writeJSON(w, http.StatusOK, c.read)
					return
				}
				writeJSON(w, http.StatusCreated, metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadata"},
					ObjectMeta: metav1.ObjectMeta{Name: "other", Namespace: "shop", ResourceVersion: "7", Annotations: c.annotations}})
			})
			w := newCreate()
			if c.annotated {
				w.Annotations = []eventrt.Annotation{own}
			}
			to := Auto(s.config())
			a := to.Write(t.Context(), w)
			if a.Outcome != c.want || a.MaybeStored != (c.want == sink.Retry) || len(s.got()) != c.calls {
				t.Errorf("%+v after %d calls", a, len(s.got()))
			}
			if c.want == sink.Retry {
				return
			}
			update := newUpdate()
			update.Mark = a.Mark
			if a := to.Write(t.Context(), update); a.Outcome != sink.Refused || !a.Invalid || len(s.got()) != c.calls {
				t.Errorf("an update: %+v after %d calls", a, len(s.got()))
			}
		})
	}
}

// TestAReplyIsBounded: one without an end is given up, and its write may be stored.
func TestAReplyIsBounded(t *testing.T) {
	sent := make(chan int, 1)
	s := newServer(t, func(w http.ResponseWriter, _ received) {
		n := 0
		for chunk := make([]byte, 1<<16); n < 100*maxReplyBytes; n += len(chunk) {
			if _, err := w.Write(chunk); err != nil {
				break
			}
		}
		sent <- n
	})
	got := EventsV1(s.config()).Write(t.Context(), newCreate())
	if got.Outcome != sink.Retry || !got.MaybeStored {
		t.Errorf("answer %+v", got)
	}
	if n := <-sent; n >= 100*maxReplyBytes {
		t.Errorf("%d bytes were read", n)
	}
}

func TestBurst(t *testing.T) {
	for _, c := range []struct {
		options Options
		want    int
	}{{Options{}, defaultBurst}, {Options{QPS: 5}, 10}, {Options{QPS: 0.1}, 1}, {Options{Burst: 3}, 3}, {Options{QPS: -1}, defaultBurst}} {
		if got := c.options.burst(); got != c.want {
			t.Errorf("%+v: %d, want %d", c.options, got, c.want)
		}
	}
}
