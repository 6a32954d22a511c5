package memory

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/internal/store"
)

// Sink is a sink.Sink that keeps events in memory and answers as kube-apiserver v1.37 would.
// It is safe for concurrent use. Without a TTL it grows with the number of events created.
type Sink struct {
	form   form.Form
	before func(context.Context, *sink.Write) (sink.Answer, bool)
	store  *store.Store
}

var _ sink.DryRunner = (*Sink)(nil)

// New returns an empty sink with at most one Options. Without them it takes events in the form of
// events.k8s.io/v1, and keeps them for ever.
func New(options ...Options) *Sink {
	var opts Options
	if len(options) > 0 {
		opts = options[0]
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	return &Sink{
		form:   form.Named(opts.CoreV1),
		before: opts.Before,
		store:  store.New(store.Options{TTL: opts.TTL, Now: opts.Now}),
	}
}

// SetNamespace sets the phase of a namespace: corev1.NamespaceActive, corev1.NamespaceTerminating,
// or empty if it does not exist. A namespace is active by default. Its stored events stay.
func (m *Sink) SetNamespace(name string, phase corev1.NamespacePhase) {
	m.store.SetNamespace(name, phase)
}

// Write stores an event, or raises its count. Its errors are a server's (apimachinery
// pkg/api/errors), with a text that contains nothing of the event.
func (m *Sink) Write(ctx context.Context, w *sink.Write) sink.Answer {
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
func (m *Sink) DryRun(ctx context.Context, w *sink.Write) sink.Answer {
	scratch := Sink{form: m.form, before: m.before, store: m.store.Clone()}
	return scratch.Write(ctx, w)
}

func (m *Sink) do(w *sink.Write) (sink.Answer, error) {
	name := types.NamespacedName{Namespace: w.Namespace, Name: w.Name}
	var version uint64
	var err error
	shape := m.form
	switch w.Operation {
	case sink.Read:
		e, err := m.store.Get(name, m.form)
		if err != nil {
			return sink.Answer{}, err
		}
		if !m.form.Changes(form.Of(e)) {
			return apiserver.OtherForm(), nil
		}
		return apiserver.Read(e), nil
	case sink.Update:
		if w.Mark == apiserver.MarkOf(apiserver.Other(shape)) {
			shape = apiserver.Other(shape)
		}
		if !m.form.Changes(shape) {
			return apiserver.OtherForm(), nil
		}
		version, err = m.store.Update(name, w.ResourceVersion, m.form, func(e *corev1.Event) { shape.Apply(e, w) })
	default:
		e := form.Core(w)
		if m.form == form.EventsV1 {
			*e = form.ToCore(form.Events(w))
		}
		version, err = m.store.Create(e, m.form)
	}
	return sink.Answer{Outcome: sink.Done, ResourceVersion: version, Mark: apiserver.MarkOf(shape)}, err
}

// List returns copies of the stored events, in the order in which they were created. The fields of
// the core group's form are in the deprecated fields, as on a server.
func (m *Sink) List() []eventsv1.Event {
	stored := m.store.List()
	events := make([]eventsv1.Event, len(stored))
	for i, e := range stored {
		events[i] = form.ToEvents(e.DeepCopy())
	}
	return events
}

// Options configures a Sink. New uses the zero value.
type Options struct {
	// CoreV1 gives the sink the form and the rules of the core group, with a count and the times of
	// the first and the last occurrence, in place of those of events.k8s.io/v1.
	CoreV1 bool
	// TTL is how long an event is kept after its last change, as kube-apiserver's --event-ttl; 0 or
	// less: for ever.
	TTL time.Duration
	// Now measures the TTL and dates events; nil: time.Now.
	Now func() time.Time
	// Before, unless nil, is called before each write, by several goroutines at once. It may wait,
	// or answer in the sink's place by returning true; Classify makes such an answer of an error
	// that a server gives. The Write is lent to it for the call.
	Before func(ctx context.Context, w *sink.Write) (sink.Answer, bool)
}
