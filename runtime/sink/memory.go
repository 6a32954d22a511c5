package sink

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink/internal/store"
)

// Memory is a eventrt.Sink that keeps events in memory and answers as kube-apiserver v1.37 would.
// It is safe for concurrent use. Without a TTL it grows with the number of events created.
type Memory struct {
	form   Form
	before func(context.Context, *eventrt.Write) (eventrt.Answer, bool)
	store  *store.Store
}

var _ eventrt.DryRunner = (*Memory)(nil)

// NewMemory returns an empty sink that takes events in the form of events.k8s.io/v1 and keeps them
// for ever.
func NewMemory() *Memory { return NewMemoryWith(MemoryOptions{}) }

// NewMemoryWith returns an empty sink.
func NewMemoryWith(opts MemoryOptions) *Memory {
	clock := opts.Clock
	if clock == nil {
		clock = eventrt.SystemClock()
	}
	return &Memory{
		form:   opts.Form,
		before: opts.Before,
		store:  store.New(store.Options{TTL: opts.TTL, Now: clock.Now}),
	}
}

// SetNamespace sets the state of a namespace. A namespace is active by default. Its stored events
// stay.
func (m *Memory) SetNamespace(name string, state NamespaceState) { m.store.SetNamespace(name, state) }

// Write stores an event, or raises its count. Its errors are a server's (apimachinery
// pkg/api/errors), with a text that contains nothing of the event.
func (m *Memory) Write(ctx context.Context, w *eventrt.Write) eventrt.Answer {
	if m.before != nil {
		if a, ok := m.before(ctx, w); ok {
			return a
		}
	}
	if err := ctx.Err(); err != nil {
		return apiserver.NotSent(err)
	}
	if err := form.Check(w); err != nil {
		return apiserver.Unaskable(err)
	}
	a, err := m.do(w)
	if err != nil {
		a = apiserver.Answered(apiserver.RequestOf(w, m.form.GroupVersion().Group), err)
	}
	return a
}

// DryRun answers as Write would, and stores nothing. It copies the table of all events.
func (m *Memory) DryRun(ctx context.Context, w *eventrt.Write) eventrt.Answer {
	scratch := Memory{form: m.form, before: m.before, store: m.store.Clone()}
	return scratch.Write(ctx, w)
}

func (m *Memory) do(w *eventrt.Write) (eventrt.Answer, error) {
	name := types.NamespacedName{Namespace: w.Namespace, Name: w.Name}
	var version uint64
	var err error
	shape := m.form
	switch w.Operation {
	case eventrt.Read:
		e, err := m.store.Get(name, m.form)
		if err != nil {
			return eventrt.Answer{}, err
		}
		return apiserver.Read(e), nil
	case eventrt.Update:
		if w.Mark == apiserver.MarkOf(apiserver.Other(shape)) {
			shape = apiserver.Other(shape)
		}
		version, err = m.store.Update(name, w.ResourceVersion, m.form, func(e *corev1.Event) { shape.Apply(e, w) })
	default:
		e := form.Core(w)
		if m.form == EventsV1 {
			*e = form.ToCore(form.Events(w))
		}
		version, err = m.store.Create(e, m.form)
	}
	return eventrt.Answer{Outcome: eventrt.Done, ResourceVersion: version, Mark: apiserver.MarkOf(shape)}, err
}

// List returns copies of the stored events, in the order in which they were created. The fields of
// the core group's form are in the deprecated fields, as on a server.
func (m *Memory) List() []eventsv1.Event {
	stored := m.store.List()
	events := make([]eventsv1.Event, len(stored))
	for i, e := range stored {
		events[i] = form.ToEvents(e.DeepCopy())
	}
	return events
}

// Form is the API group whose form a Memory uses.
type Form = form.Form

// The forms.
const (
	// EventsV1 is events.k8s.io/v1: an event time, and a series from the second occurrence on. The
	// note never changes.
	EventsV1 = form.EventsV1
	// CoreV1 is the form of the core group: a count, and the times of the first and the last
	// occurrence.
	CoreV1 = form.CoreV1
)

// NamespaceState is the state of a namespace, which decides whether it takes new events.
type NamespaceState = store.Namespace

// The states of a namespace.
const (
	NamespaceActive      = store.Active
	NamespaceTerminating = store.Terminating
	NamespaceMissing     = store.Missing
)

// MemoryOptions configures a Memory. NewMemory uses the zero value.
type MemoryOptions struct {
	// Form is the group whose form and rules the Memory uses; by default EventsV1.
	Form Form
	// TTL is how long an event is kept after its last change, as kube-apiserver's --event-ttl; 0 or
	// less: for ever.
	TTL time.Duration
	// Clock measures the TTL and dates events; nil: the system's.
	Clock eventrt.Clock
	// Before, unless nil, is called before each write, by several goroutines at once. It may wait,
	// or answer in the sink's place by returning true; Classify makes such an answer of an error
	// that a server gives. The Write is lent to it for the call.
	Before func(ctx context.Context, w *eventrt.Write) (eventrt.Answer, bool)
}
