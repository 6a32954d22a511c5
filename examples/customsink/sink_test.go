package customsink_test

import (
	"context"
	"testing"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/event-gen/event-gen/examples/customsink"
	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/sinktest"
)

// clusters are two clusters. The conformance kit's namespace is in one, all others are in the
// other.
type clusters struct{ a, b *sink.Memory }

const home = "in-cluster-a"

func (c clusters) of(namespace string) *sink.Memory {
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
		c := clusters{a: sink.NewMemory(), b: sink.NewMemory()}
		c.b.SetNamespace(sinktest.MissingNamespace, sink.NamespaceMissing)
		return sinktest.Harness{
			Sink:      customsink.Router{Of: func(namespace string) eventrt.Sink { return c.of(namespace) }},
			Form:      sink.EventsV1,
			Namespace: home,
			Get:       c.get,
			CreateNamespace: func(_ context.Context, name string) error {
				c.of(name).SetNamespace(name, sink.NamespaceActive)
				return nil
			},
			Terminate: func(_ context.Context, name string) error {
				c.of(name).SetNamespace(name, sink.NamespaceTerminating)
				return nil
			},
		}
	})
}

func TestAnUnknownClusterIsTriedAgain(t *testing.T) {
	r := customsink.Router{Of: func(string) eventrt.Sink { return nil }}
	if a := r.Write(t.Context(), &eventrt.Write{}); a.Outcome != eventrt.Retry || a.Err == nil {
		t.Errorf("answer %+v", a)
	}
}
