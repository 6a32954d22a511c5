package sinktest

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// MissingNamespace is a namespace that the kit writes to and that must not exist. Stores that know no namespaces but those
// they were told of need nothing for that; in a sink.Memory it is set to sink.NamespaceMissing.
const MissingNamespace = "sinktest-missing"

// Harness is a sink under test, and what the kit needs to know of the store behind it. Functions are called from one
// goroutine at a time.
type Harness struct {
	Sink runtime.Sink
	// Form is the form in which the sink writes.
	Form sink.Form
	// Namespace exists and takes events, as do "default" and "kube-system". The kit gives its events names of their own,
	// and removes nothing.
	Namespace string
	// Get reads a stored event; nil if there is none of that name.
	Get func(ctx context.Context, namespace, name string) (*eventsv1.Event, error)

	// CreateNamespace and Terminate make a namespace, and put it into the state of one that is being deleted. Cases that
	// need them are left out if they are nil.
	CreateNamespace func(ctx context.Context, name string) error
	Terminate       func(ctx context.Context, name string) error

	// CreateCore and CreateEvents create an event as it is through either group, and return the API's error. They are for
	// stores whose validation is to be compared beyond what a Write can say; cases that need them are left out if they
	// are nil.
	CreateCore   func(ctx context.Context, e *corev1.Event) error
	CreateEvents func(ctx context.Context, e *eventsv1.Event) error
	// Patch applies a JSON merge patch to a stored event through the group of a form, and returns the API's error. As
	// above, it may be nil.
	Patch func(ctx context.Context, f sink.Form, namespace, name string, patch []byte) error
}

// Run holds a sink against the whole table, a subtest for each case. newHarness is called for each of them, and may
// return the same harness every time.
func Run(t *testing.T, newHarness func(t *testing.T) Harness) {
	t.Run("writes", func(t *testing.T) { runScenarios(t, newHarness, writeScenarios()) })
	t.Run("updates", func(t *testing.T) { runScenarios(t, newHarness, updateScenarios()) })
	t.Run("namespaces", func(t *testing.T) { runScenarios(t, newHarness, namespaceScenarios()) })
	t.Run("termination", func(t *testing.T) { testTermination(t, newHarness(t)) })
	t.Run("contract", func(t *testing.T) { testContract(t, newHarness) })
	t.Run("validation", func(t *testing.T) { testValidation(t, newHarness) })
	t.Run("patches", func(t *testing.T) { testPatches(t, newHarness) })
}
