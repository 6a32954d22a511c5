package broadcaster

import (
	"context"
	"math/bits"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/internal/guard"
	eventview "github.com/event-gen/event-gen/runtime/internal/view"
)

// Broadcaster is a runtime.Publisher that correlates every event, writes it to a sink, and shows it to subscribers. It
// records from New on, until Shutdown. It is safe for concurrent use.
type Broadcaster struct {
	opts   Options
	clock  runtime.Clock
	say    announcer
	kinds  func(reflect.Type) (metav1.TypeMeta, bool)
	shards []shard

	desk *desk
	// poke wakes the scheduler if something is due before alarm, the time at which it wakes by itself.
	poke    chan struct{}
	alarm   atomic.Int64
	outages outages
	// refusals are kept for Snapshot.
	refusals refusals

	hooks       hookBox
	subscribers subscribers
	shedding    shedding
	limited     limited

	ctx     context.Context // ends the workers
	cancel  context.CancelFunc
	workers sync.WaitGroup

	ending    atomic.Bool
	stored    atomic.Int64  // the last time that the sink has stored something
	undrained atomic.Int64  // shards with something pending, while draining
	drained   chan struct{} // closed when there are none left
	ended     chan struct{} // closed when Shutdown has done its work
	result    error         // of Shutdown, once ended is closed
}

// shard is a correlator and its lock. The lock is never held over I/O.
type shard struct {
	mu        sync.Mutex
	c         *correlator.Correlator
	number    int
	wake      time.Duration // when the scheduler has to announce what is due
	undrained bool
	_         [32]byte // keeps neighbours' locks on cache lines of their own
}

// New starts a broadcaster: its workers, a scheduler, and a watch over the accounts. The error names every option that can't be used.
func New(opts Options) (*Broadcaster, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	b := &Broadcaster{
		opts:    opts,
		clock:   opts.Clock,
		say:     announcer{logger: guard.Logger(opts.Logger), clock: opts.Clock},
		kinds:   eventview.Kinds(opts.Scheme),
		shards:  make([]shard, opts.Shards),
		desk:    newDesk(&opts),
		poke:    make(chan struct{}, 1),
		drained: make(chan struct{}),
		ended:   make(chan struct{}),

		subscribers: subscribers{past: map[string]SubscriberStats{}},
	}
	if opts.Disabled || opts.NamespaceFilter != nil {
		b.SetEnabled(!opts.Disabled)
		b.SetNamespaceFilter(opts.NamespaceFilter)
	}
	opts.sharedLimits()
	b.shedding.told = make([]uint64, opts.Shards)
	for i := range b.shards {
		b.shards[i].c, b.shards[i].number, b.shards[i].wake = correlator.New(opts.shardOptions(i)), i, never
	}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	guard.Go(&b.workers, b.schedule)
	guard.Go(&b.workers, b.watch)
	for range opts.Workers {
		b.work()
	}
	return b, nil
}

// Publish records an event and shows it to the subscribers. It takes a lock for a moment, never waits for I/O, and never
// panics.
func (b *Broadcaster) Publish(e runtime.Event) {
	now := b.clock.Now()
	e.SetTime(now.Wall)
	h := b.hooks.load()
	if e.Problem() == runtime.UnknownKind {
		e.ResolveKinds(b.kinds)
	}
	hash := correlator.ObjectHash(&e)
	if h != nil && b.declines(h, &e, hash) {
		return
	}
	s := b.shardOf(hash)
	problem, sooner := b.observe(s, &e, hash, now)
	if sooner {
		b.notify()
	}
	if problem != runtime.NoProblem {
		b.say.rejected(problem, &e)
		return
	}
	if h != nil {
		b.tellRecorded(h, e.Definition())
	}
	b.subscribers.offer(&e) // an event is large: it is copied for those that have room only
}

// observe records an event in a shard. It calls Options.Correlator.Fold without the lock, because that function may do anything.
func (b *Broadcaster) observe(s *shard, e *runtime.Event, hash uint64, now runtime.Instant) (problem runtime.Problem, sooner bool) {
	s.mu.Lock()
	if known, ask := s.c.AskFold(e, hash, now); ask {
		s.mu.Unlock()
		folds := b.folds(e, known, now)
		s.mu.Lock()
		problem = s.c.ObserveDecided(e, hash, folds, now)
	} else {
		problem = s.c.Observe(e, hash, now)
	}
	if s.c.Changed() || s.wake <= now.Mono {
		sooner = b.update(s, now.Mono)
	}
	s.mu.Unlock()
	return problem, sooner
}

// folds calls Options.Correlator.Fold.
func (b *Broadcaster) folds(e *runtime.Event, known bool, now runtime.Instant) (folds bool) {
	defer func() {
		if p := recover(); p != nil {
			b.say.once(&b.say.foldPanicked, "Correlator.Fold panicked; the event does not fold", p)
			folds = false
		}
	}()
	return b.opts.Correlator.Fold(*e, known, now)
}

func (b *Broadcaster) shardOf(hash uint64) *shard {
	n, _ := bits.Mul64(hash, uint64(len(b.shards)))
	return &b.shards[n]
}

// Stats returns a snapshot of the account, taken under all locks at once.
func (b *Broadcaster) Stats() runtime.Stats {
	for i := range b.shards {
		b.shards[i].mu.Lock()
	}
	var sum runtime.Stats
	for i := range b.shards {
		s := b.shards[i].c.Stats()
		sum.Add(&s)
	}
	for i := range b.shards {
		b.shards[i].mu.Unlock()
	}
	return sum
}
