package memory_test

import (
	"context"
	"encoding/json"
	"testing"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/types"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink/memory"
	"github.com/event-gen/event-gen/runtime/sink/sinktest"
)

func TestConformanceEventsV1(t *testing.T) { runConformance(t, false) }

func TestConformanceCoreV1(t *testing.T) { runConformance(t, true) }

func runConformance(t *testing.T, coreV1 bool) {
	sinktest.Run(t, func(*testing.T) sinktest.Harness { return memoryHarness(coreV1) })
}

func memoryHarness(coreV1 bool) sinktest.Harness {
	m := memory.New(memory.Options{CoreV1: coreV1})
	m.SetNamespace(sinktest.MissingNamespace, "")
	return sinktest.Harness{
		Sink:      m,
		CoreV1:    coreV1,
		Namespace: "sinktest",
		Get: func(_ context.Context, namespace, name string) (*eventsv1.Event, error) {
			return find(m.List(), namespace, name), nil
		},
		CreateNamespace: func(_ context.Context, name string) error {
			m.SetNamespace(name, corev1.NamespaceActive)
			return nil
		},
		Terminate: func(_ context.Context, name string) error {
			m.SetNamespace(name, corev1.NamespaceTerminating)
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
		Patch: func(_ context.Context, coreV1 bool, namespace, name string, patch []byte) error {
			_, err := m.Store().Update(types.NamespacedName{Namespace: namespace, Name: name}, 0, form.Named(coreV1),
				func(e *corev1.Event) { mergePatch(coreV1, e, patch) })
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
func mergePatch(coreV1 bool, e *corev1.Event, patch []byte) {
	if coreV1 {
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
