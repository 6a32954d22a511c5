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
)

// Broadcaster is a runtime.Publisher that has every event correlated and written to a sink, and shown to subscribers. It
// records from New on and ends with Shutdown. It is safe for concurrent use.
type Broadcaster struct {
	opts   Options
	clock  runtime.Clock
	say    announcer
	kinds  func(reflect.Type) (metav1.TypeMeta, bool)
	shards []shard

	queue *queue
	// poke wakes the scheduler when something is due earlier than it knows.
	poke chan struct{}
	gate gate

	hooks       hookBox
	subscribers subscribers
	shedding    shedding

	ctx     context.Context // ends the workers
	cancel  context.CancelFunc
	workers sync.WaitGroup

	ending    atomic.Bool
	undrained atomic.Int64  // shards with something pending, while draining
	drained   chan struct{} // closed when there are none left
	ended     chan struct{} // closed when Shutdown has done its work
	result    error         // of Shutdown, once ended is closed
}

// shard is a correlator and its lock. The lock is never held over I/O.
type shard struct {
	mu        sync.Mutex
	c         *correlator.Correlator
	state     shardState
	wake      time.Duration // when the scheduler is to look again, if state is waiting
	undrained bool
	_         [40]byte // keeps neighbours' locks on cache lines of their own
}

type shardState uint8

const (
	idle    shardState = iota // nothing wants to be written
	waiting                   // something is due at wake
	queued                    // in the queue, or with a worker
	blocked                   // due, but the gate was closed
)

// New starts a broadcaster: its workers, a scheduler, and a watch over the accounts. The error names every option that can't be used.
func New(opts Options) (*Broadcaster, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	b := &Broadcaster{
		opts:    opts,
		clock:   opts.Clock,
		say:     announcer{logger: opts.Logger, clock: opts.Clock},
		kinds:   kindsOf(opts.Scheme),
		shards:  make([]shard, opts.Shards),
		queue:   newQueue(opts.Shards),
		poke:    make(chan struct{}, 1),
		drained: make(chan struct{}),
		ended:   make(chan struct{}),
	}
	if opts.Disabled || opts.NamespaceFilter != nil {
		b.SetEnabled(!opts.Disabled)
		b.SetNamespaceFilter(opts.NamespaceFilter)
	}
	b.shedding.told = make([]uint64, opts.Shards)
	b.gate.Delay, b.gate.MaxDelay = opts.Correlator.RetryDelay, opts.Correlator.MaxRetryDelay
	for i := range b.shards {
		b.shards[i].c = correlator.New(opts.shardOptions(i))
	}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	b.workers.Go(b.schedule)
	b.workers.Go(b.watch)
	for range opts.Workers {
		b.workers.Go(b.work)
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
	s.mu.Lock()
	problem := s.c.Observe(&e, hash, now)
	act := s.update(now.Mono)
	s.mu.Unlock()
	b.follow(s, act)
	if problem != runtime.NoProblem {
		b.say.rejected(problem, &e)
		return
	}
	if h != nil {
		b.tellRecorded(h, e.Definition())
	}
	if b.subscribers.any() { // an event is large: it is not handed on for nobody
		b.subscribers.offer(e)
	}
}

func (b *Broadcaster) shardOf(hash uint64) *shard {
	n, _ := bits.Mul64(hash, uint64(len(b.shards)))
	return &b.shards[n]
}

// action is what is to be done once a shard's lock is released.
type action uint8

const (
	nothing action = iota
	enqueue        // into the queue
	notify         // the scheduler: wake has moved to an earlier moment
)

// update brings a shard's state up to what its correlator wants. The lock is held.
func (s *shard) update(now time.Duration) action {
	if s.state == queued || s.state == blocked {
		return nothing
	}
	at, wanted := s.c.Wake()
	switch {
	case !wanted:
		s.state = idle
	case at <= now:
		s.state = queued
		return enqueue
	case s.state == idle || at < s.wake:
		s.state, s.wake = waiting, at
		return notify
	default:
		s.wake = at
	}
	return nothing
}

func (b *Broadcaster) follow(s *shard, act action) {
	switch act {
	case enqueue:
		b.queue.push(s)
	case notify:
		b.notify()
	}
}

func (b *Broadcaster) notify() {
	select {
	case b.poke <- struct{}{}:
	default: // it has been poked already
	}
}

// Stats is a snapshot of the accounting, taken under all locks at once.
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
