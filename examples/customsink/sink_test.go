package customsink_test

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/event-gen/event-gen/examples/customsink"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/memory"
	"github.com/event-gen/event-gen/runtime/sink/sinktest"
)

// clusters are two clusters. The conformance kit's namespace is in one, all others are in the
// other.
type clusters struct{ a, b *memory.Sink }

const home = "in-cluster-a"

func (c clusters) of(namespace string) *memory.Sink {
	if namespace == home {
		return c.a
	}
	return c.b
}

func (c clusters) get(_ context.Context, namespace, name string) (*eventsv1.Event, error) {
	for _, e := range c.of(namespace).List() {
		if e.Namespace == namespace && e.Name == name {
			return &e, nil
		}
	}
	return nil, nil
}

// TestConformance runs the conformance kit on the router, with in-memory sinks that answer like an
// API server.
func TestConformance(t *testing.T) {
	sinktest.Run(t, func(*testing.T) sinktest.Harness {
		c := clusters{a: memory.New(), b: memory.New()}
		c.b.SetNamespace(sinktest.MissingNamespace, "")
		return sinktest.Harness{
			Sink:      customsink.Router{Of: func(namespace string) sink.Sink { return c.of(namespace) }},
			Namespace: home,
			Get:       c.get,
			CreateNamespace: func(_ context.Context, name string) error {
				c.of(name).SetNamespace(name, corev1.NamespaceActive)
				return nil
			},
			Terminate: func(_ context.Context, name string) error {
				c.of(name).SetNamespace(name, corev1.NamespaceTerminating)
				return nil
			},
		}
	})
}

func TestAnUnknownClusterIsTriedAgain(t *testing.T) {
	r := customsink.Router{Of: func(string) sink.Sink { return nil }}
	if a := r.Write(t.Context(), &sink.Write{}); a.Outcome != sink.Retry || a.Err == nil {
		t.Errorf("answer %+v", a)
	}
}
