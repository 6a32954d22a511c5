package clientgo_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/clientgo"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

// TestUnknownTypes: Forward, recorders on a broadcaster and the drop-in reject an event of an
// unknown type, count it, and log the text found. So do they with a reference of a namespaced kind
// without a namespace.
func TestUnknownTypes(t *testing.T) {
	type record func(ref *corev1.ObjectReference, eventType string)
	pipeline := func(t *testing.T, log *lines, recorder func(b *broadcaster.Broadcaster) record) (record, func() (eventrt.Stats, int)) {
		stored := memory.New()
		b, err := broadcaster.New(broadcaster.Options{Sink: stored, Logger: log.logger()})
		if err != nil {
			t.Fatal(err)
		}
		return recorder(b), func() (eventrt.Stats, int) {
			_ = b.Shutdown(t.Context())
			return b.Stats(), len(stored.List())
		}
	}
	for name, begin := range map[string]func(t *testing.T, log *lines) (record, func() (eventrt.Stats, int)){
		"Forward": func(t *testing.T, log *lines) (record, func() (eventrt.Stats, int)) {
			return pipeline(t, log, func(b *broadcaster.Broadcaster) record {
				return func(ref *corev1.ObjectReference, eventType string) {
					eventrt.NewRecorder(b).Forward(ref, eventType, "Started", "Start", "x")
				}
			})
		},
		"EventsRecorderOn": func(t *testing.T, log *lines) (record, func() (eventrt.Stats, int)) {
			return pipeline(t, log, func(b *broadcaster.Broadcaster) record {
				recorder := clientgo.EventsRecorderOn(b, scheme.Scheme, "example.com/widgets", log.logger())
				return func(ref *corev1.ObjectReference, eventType string) {
					recorder.Eventf(ref, nil, eventType, "Started", "Start", "x")
				}
			})
		},
		"drop-in, events.k8s.io": func(t *testing.T, log *lines) (record, func() (eventrt.Stats, int)) {
			r := newEventsRig(t, clientgo.WithContext(log.context(t.Context())))
			return func(ref *corev1.ObjectReference, eventType string) {
				r.recorder.Eventf(ref, nil, eventType, "Started", "Start", "x")
			}, func() (eventrt.Stats, int) { r.Shutdown(); return r.Stats(), len(r.sink.list()) }
		},
		"drop-in, core group": func(t *testing.T, log *lines) (record, func() (eventrt.Stats, int)) {
			r := newCoreRig(t, clientgo.WithContext(log.context(t.Context())))
			return func(ref *corev1.ObjectReference, eventType string) {
				r.recorder.Event(ref, eventType, "Started", "x")
			}, func() (eventrt.Stats, int) { r.Shutdown(); return r.Stats(), len(r.sink.list()) }
		},
	} {
		bubble(t, name, func(t *testing.T) {
			var log lines
			record, end := begin(t, &log)
			record(&pod, "Normal")
			for _, eventType := range []string{"Error", "", "ADD"} {
				record(&pod, eventType)
			}
			nowhere := pod
			nowhere.Namespace = ""
			record(&nowhere, "Warning")
			node := corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Name: "n"}
			record(&node, "Warning")
			s, stored := end()
			t.Logf("recorded %d, rejected %d, %d events stored; log:\n%s", s.Recorded, s.Lost.Rejected, stored, log.all())
			rejected, texts := uint64(4), []string{`Error`, "no namespace"}
			// client-go's own TestEventfNoNamespace has a reference to a pod stored in default
			if name == "drop-in, core group" {
				rejected, texts = 3, []string{"Error"}
			}
			if conserved(t, s); s.Recorded != 6 || s.Lost.Rejected != rejected || stored != 6-int(rejected) {
				t.Errorf("accounts %+v, %d stored", s, stored)
			}
			for _, text := range texts {
				if !strings.Contains(log.all(), text) {
					t.Errorf("the log does not contain %q", text)
				}
			}
		})
	}
}
