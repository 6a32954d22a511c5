package sink_test

import (
	"context"
	"encoding/json"
	"testing"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/sinktest"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

func TestConformanceEventsV1(t *testing.T) { runConformance(t, sink.EventsV1) }

func TestConformanceCoreV1(t *testing.T) { runConformance(t, sink.CoreV1) }

func runConformance(t *testing.T, f sink.Form) {
	sinktest.Run(t, func(*testing.T) sinktest.Harness { return memoryHarness(f) })
}

func memoryHarness(f sink.Form) sinktest.Harness {
	m := sink.NewMemoryWith(sink.MemoryOptions{Form: f})
	m.SetNamespace(sinktest.MissingNamespace, sink.NamespaceMissing)
	return sinktest.Harness{
		Sink:      m,
		Form:      f,
		Namespace: "sinktest",
		Get: func(_ context.Context, namespace, name string) (*eventsv1.Event, error) {
			return find(m.List(), namespace, name), nil
		},
		CreateNamespace: func(_ context.Context, name string) error {
			m.SetNamespace(name, sink.NamespaceActive)
			return nil
		},
		Terminate: func(_ context.Context, name string) error {
			m.SetNamespace(name, sink.NamespaceTerminating)
			return nil
		},
		CreateCore: func(_ context.Context, e *corev1.Event) error {
			_, err := m.Store().Create(e.DeepCopy(), form.CoreV1)
			return err
		},
		CreateEvents: func(_ context.Context, e *eventsv1.Event) error {
			c := form.ToCore(e.DeepCopy())
			_, err := m.Store().Create(&c, form.EventsV1)
			return err
		},
		Patch: func(_ context.Context, f sink.Form, namespace, name string, patch []byte) error {
			_, err := m.Store().Update(types.NamespacedName{Namespace: namespace, Name: name}, 0, f,
				func(e *corev1.Event) { mergePatch(f, e, patch) })
			return err
		},
	}
}

func find(events []eventsv1.Event, namespace, name string) *eventsv1.Event {
	for i := range events {
		if events[i].Namespace == namespace && events[i].Name == name {
			return &events[i]
		}
	}
	return nil
}

// mergePatch applies a patch to an event as the form shows it.
func mergePatch(f sink.Form, e *corev1.Event, patch []byte) {
	if f == sink.CoreV1 {
		*e = merged(*e, patch)
		return
	}
	events := merged(form.ToEvents(e), patch)
	*e = form.ToCore(&events)
}

func merged[T any](object T, patch []byte) T {
	before, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	after, err := jsonpatch.MergePatch(before, patch)
	if err != nil {
		panic(err)
	}
	var result T
	if err := json.Unmarshal(after, &result); err != nil {
		panic(err)
	}
	return result
}
