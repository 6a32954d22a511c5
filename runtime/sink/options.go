package sink

import (
	"context"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink/internal/store"
)

// Form is the API group in whose form a Memory takes events.
type Form = form.Form

// The forms.
const (
	// EventsV1 is events.k8s.io/v1: an event time, and a series from the second occurrence on. The note never changes.
	EventsV1 = form.EventsV1
	// CoreV1 is the form of the core group: a count, and the times of the first and the last occurrence.
	CoreV1 = form.CoreV1
)

// NamespaceState says whether a namespace takes new events.
type NamespaceState = store.Namespace

// The states of a namespace.
const (
	NamespaceActive      = store.Active
	NamespaceTerminating = store.Terminating
	NamespaceMissing     = store.Missing
)

// MemoryOptions are options of a Memory. The zero value is what NewMemory uses.
type MemoryOptions struct {
	// Form is the group whose form and rules are used; EventsV1 if not set.
	Form Form
	// TTL is how long an event is kept after its last change, as kube-apiserver's --event-ttl; 0 or less: for ever.
	TTL time.Duration
	// Clock measures the TTL and dates events; nil: the system's.
	Clock runtime.Clock
	// Before, unless nil, is called before each write, by several goroutines at once. It may wait, or answer in the sink's
	// place by returning true; Classify makes such an answer of an error that a server gives. The Write is lent to it for the
	// call.
	Before func(ctx context.Context, w *runtime.Write) (runtime.Answer, bool)
}
