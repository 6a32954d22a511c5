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
	c, err := opts.newCorrelator()
	if err != nil {
		return nil, err
	}
	b := &Broadcaster{
		opts:     opts,
		clock:    clock.Start(),
		kinds:    view.Kinds(opts.Scheme),
		labels:   labelList(opts.Labels),
		log:      newLog(opts.Logger),
		c:        c,
		inFlight: map[uint64]*call{},
		alarm:    correlator.Never,
		timer:    time.NewTimer(correlator.Never),
		drained:  make(chan struct{}),
		ended:    make(chan struct{}),
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
		b.mu.Lock()
		b.c.Disabled()
		b.mu.Unlock()
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

// observe records an event. It calls Options.Aggregate without the lock, because it may do
// anything.
func (b *Broadcaster) observe(e *eventrt.Event, now clock.Instant) (problem eventrt.Problem) {
	var wake time.Duration
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.opts.Aggregate == nil {
		problem, wake = b.c.Observe(e, now)
	} else {
		problem, wake = b.c.ObserveAggregating(e, now, func(known bool) bool { return b.aggregates(e, known) })
	}
	b.follow(wake, now.Mono)
	return problem
}

// aggregates calls Options.Aggregate with the lock released. If the function panics, the event is
// not aggregated.
func (b *Broadcaster) aggregates(e *eventrt.Event, known bool) (yes bool) {
	b.mu.Unlock()
	defer b.mu.Lock()
	defer b.recovered(&b.log.aggregatePanicked, "Options.Aggregate panicked; the event is not aggregated")
	return b.opts.Aggregate(*e, known)
}

// Stats returns a snapshot of the account.
func (b *Broadcaster) Stats() eventrt.Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.c.Stats()
}
