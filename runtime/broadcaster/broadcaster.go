package broadcaster

import (
	"context"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/inside"
	"github.com/event-gen/event-gen/runtime/internal/problems"
	"github.com/event-gen/event-gen/runtime/internal/view"
)

// internals are the parts of package eventrt that users do not see.
var internals = eventrt.Inside(inside.Key{})

// Broadcaster is an eventrt.Publisher that correlates every event, writes it to a sink, and shows
// it to subscribers. It records from New on, until Shutdown. It is safe for concurrent use.
type Broadcaster struct {
	opts   Options
	clock  clock.System
	kinds  func(reflect.Type) (metav1.TypeMeta, bool)
	labels []eventrt.Annotation // of all events

	log         *log
	hooks       hookBox
	subscribers subscribers

	ctx        context.Context // the context of all calls of the sink
	cancel     context.CancelFunc
	timer      *time.Timer
	goroutines sync.WaitGroup // the writers and the watch
	skipped    atomic.Uint64  // calls of observers
	disabled   atomic.Uint64  // events that the broadcaster was told not to record

	// mu is held for microseconds only: never over I/O, nor over a function of the program.
	mu       sync.Mutex
	c        *correlator.Correlator
	inFlight map[uint64]*call // by ticket
	looking  int              // writers that are about to ask the correlator for a write
	alarm    time.Duration    // when the timer fires
	draining bool             // Shutdown has begun
	stopped  bool             // no writer starts any more
	drained  chan struct{}    // closed when nothing is pending while draining
	maxBytes int64            // the correlator's bound

	ended  chan struct{} // closed when Shutdown has done its work
	result error         // of Shutdown, once ended is closed
}

// New starts a broadcaster. The error names every option that can't be used.
func New(opts Options) (*Broadcaster, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	b := &Broadcaster{
		opts:     opts,
		clock:    clock.Start(),
		kinds:    view.Kinds(opts.Scheme),
		labels:   labelList(opts.Labels),
		log:      newLog(opts.Logger),
		inFlight: map[uint64]*call{},
		alarm:    clock.Never,
		timer:    time.NewTimer(clock.Never),
		drained:  make(chan struct{}),
		ended:    make(chan struct{}),
	}
	if b.c, err = opts.newCorrelator(b.unlocked); err != nil {
		return nil, err
	}
	b.subscribers.past = map[string]SubscriberStats{}
	b.SetEnabled(!opts.Disabled)
	b.hooks.change(func(h *hooks) { h.filter = opts.Filter })
	b.ctx, b.cancel = context.WithCancel(context.Background())
	b.goroutines.Go(b.watch)
	if b.maxBytes = opts.Correlator.MaxBytes; b.maxBytes == 0 {
		processMemory.join(b)
	}
	return b, nil
}

// Publish records an event and shows it to the subscribers. It takes a lock for a moment, never
// waits for I/O, and never panics.
func (b *Broadcaster) Publish(e eventrt.Event) {
	now := b.clock.Now()
	if b.opts.Redact != nil {
		internals.Redact(&e, b.redact)
	}
	internals.SetTime(&e, now.Wall)
	if e.Problem() == problems.UnknownKind {
		internals.ResolveKinds(&e, b.kinds)
	}
	h := b.hooks.load()
	if h != nil && !b.allows(h, &e) {
		b.disabled.Add(1)
		return
	}
	if problem := b.observe(&e, now); problem != eventrt.NoProblem {
		b.rejected(h, problem, &e)
		return
	}
	if h != nil {
		b.tellRecorded(h, e.Definition())
	}
	b.subscribers.offer(&e) // an event is large: only subscribers with room get a copy
}

func (b *Broadcaster) observe(e *eventrt.Event, now clock.Instant) eventrt.Problem {
	b.mu.Lock()
	defer b.mu.Unlock()
	problem, wake := b.c.Observe(e, now)
	b.follow(wake, now.Mono)
	return problem
}

// unlocked calls a function of the program that decides about an event, because it may do anything.
// If it panics, the event is not aggregated.
func (b *Broadcaster) unlocked(call func()) {
	b.mu.Unlock()
	defer b.mu.Lock()
	defer b.recovered(&b.log.aggregatePanicked, "A function that decides about aggregation panicked; the event is not aggregated")
	call()
}

// Stats returns a snapshot of the account.
func (b *Broadcaster) Stats() eventrt.Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stats()
}

// stats returns the account. The lock is held.
func (b *Broadcaster) stats() eventrt.Stats {
	s, disabled := b.c.Stats(), b.disabled.Load()
	s.Recorded += disabled
	s.Lost.Disabled += disabled
	return s
}
