package correlator

import (
	"math"
	"time"

	"github.com/event-gen/event-gen/runtime"
)

// Correlator is the recording state of the objects of one shard: which occurrences are one event, what of it is written,
// what is due, and what was lost why. It does no I/O, starts nothing and reads no clock. It is not safe for concurrent
// use: its owner holds a lock around each call, and no longer.
type Correlator struct {
	opts Options

	ids     slab[identity]
	objects slab[object]
	groups  slab[group]
	byHash  map[uint64]ref // first identity of a hash
	byObj   map[uint64]ref // first object of a hash
	byGroup map[uint64]ref // first group of a hash
	due     dueHeap
	lists   [listCount]struct{ head, tail ref }

	refusals  refusals
	instances map[string]string // reporting instances by controller
	counts    runtime.Stats
	bytes     int64
	serial    uint64
	draining  bool
	ended     bool

	hashMask uint64 // all ones; tests clear bits to make hashes collide
}

// New returns an empty correlator. Options must have passed Validate.
func New(opts Options) *Correlator {
	c := &Correlator{
		opts:    opts.withDefaults(),
		byHash:  map[uint64]ref{},
		byObj:   map[uint64]ref{},
		byGroup: map[uint64]ref{},

		hashMask: math.MaxUint64,
	}
	c.due.ids = &c.ids
	return c
}

// Observe records an occurrence. objectHash is ObjectHash(e). It returns why the event was rejected, or NoProblem; either
// way it is counted. Wake tells what is due afterwards.
func (c *Correlator) Observe(e *runtime.Event, objectHash uint64, now runtime.Instant) runtime.Problem {
	c.counts.Recorded++
	if problem := c.admit(e); problem != runtime.NoProblem {
		c.counts.Lost.Rejected++
		return problem
	}
	c.counts.Pending++
	r := c.resolve(e, objectHash, now)
	c.occurred(r, e, now)
	c.expire(now)
	c.enforceBounds()
	return runtime.NoProblem
}

func (c *Correlator) admit(e *runtime.Event) runtime.Problem {
	if problem := e.Problem(); problem != runtime.NoProblem {
		return problem
	}
	if c.ended {
		return runtime.Ended
	}
	if !isNamespace(e.Regarding().Namespace) {
		return runtime.BadNamespace
	}
	return runtime.NoProblem
}

// resolve finds the identity of an occurrence, or makes it, or names the aggregate that it folds into.
func (c *Correlator) resolve(e *runtime.Event, objectHash uint64, now runtime.Instant) ref {
	objectHash &= c.hashMask
	hash := identityHash(objectHash, e) & c.hashMask
	r := c.find(hash, e)
	known := r != 0 && !c.forget(r, now)
	if known && c.opts.Fold == nil {
		return r
	}
	g := c.groupFor(e, objectHash, now)
	if c.folds(g, e, known, now) {
		return c.fold(g, hash, e, now)
	}
	if known {
		return r
	}
	return c.add(g, hash, newDetail(e), e, now)
}

// groupFor is the group of an event. An aggregate whose event has expired is forgotten first.
func (c *Correlator) groupFor(e *runtime.Event, objectHash uint64, now runtime.Instant) ref {
	g := c.groupOf(c.objectOf(e, objectHash), e.Spec())
	if a := c.groups.at(g).aggregate; a != 0 && c.forget(a, now) {
		return c.groupOf(c.objectOf(e, objectHash), e.Spec()) // the group, and the object, may have gone with it
	}
	return g
}

func (c *Correlator) find(hash uint64, e *runtime.Event) ref {
	for r := c.byHash[hash]; r != 0; r = c.ids.at(r).next {
		i := c.ids.at(r)
		if sameObject(c.objectFor(i), e.Regarding()) && i.matches(e) {
			return r
		}
	}
	return 0
}

// occurred counts one more occurrence of an identity and has it written when its schedule says.
func (c *Correlator) occurred(r ref, e *runtime.Event, now runtime.Instant) {
	i := c.ids.at(r)
	at := wallNanos(e.Time(), now)
	wasPending := i.pending() > 0
	if i.recorded == 0 {
		i.first = at
	}
	quiet := now.Mono - max(i.seen, i.wrote)
	i.recorded++
	i.last = max(i.last, at)
	i.seen = now.Mono
	if i.is(inFlight) {
		return
	}
	if !wasPending {
		c.want(r, quiet, now)
	}
	c.enlist(r)
}

// want schedules the write of an identity that has just become pending.
func (c *Correlator) want(r ref, quiet time.Duration, now runtime.Instant) {
	i := c.ids.at(r)
	if quiet > c.window(i.spec) {
		i.step, i.attempts, i.wrote = 0, 0, never
	}
	i.due = c.nextTick(i, now)
	if !i.is(created) && !i.is(queued) {
		c.enqueue(r)
	}
	c.arm(r)
}

// never is a moment so long ago that no interval reaches from it to now.
const never = time.Duration(math.MinInt64 / 4)

// nextTick is when an identity may be written again: an interval after its last write began.
func (c *Correlator) nextTick(i *identity, now runtime.Instant) time.Duration {
	return max(now.Mono, i.wrote+c.interval(i.step))
}

// interval is the least time between a write of an identity and the next: none before the first, then 1 s, 2 s, 4 s … up to
// the cap, for the defaults.
func (c *Correlator) interval(step uint8) time.Duration {
	switch {
	case step == 0:
		return 0
	case step > 62 || c.opts.FirstInterval > c.opts.MaxInterval>>(step-1):
		return c.opts.MaxInterval
	}
	return c.opts.FirstInterval << (step - 1)
}

func (c *Correlator) window(spec *runtime.Spec) time.Duration {
	if w := spec.Correlation.Window; w > 0 {
		return w
	}
	return c.opts.Window
}

// wallNanos is the time of an event in Unix nanoseconds; times that these can't express are taken for now.
func wallNanos(t time.Time, now runtime.Instant) int64 {
	if s := t.Unix(); s <= 0 || s > math.MaxInt64/int64(time.Second)-1 {
		t = now.Wall
	}
	return t.UnixNano()
}

func (c *Correlator) objectFor(i *identity) *object {
	return c.objects.at(c.groups.at(i.group).object)
}

// Wake says when Next will have something to do; ok is false while nothing is wanted.
func (c *Correlator) Wake() (at time.Duration, ok bool) {
	_, key, ok := c.due.min()
	return time.Duration(key), ok
}

// Stats is a snapshot of the accounting of this correlator.
func (c *Correlator) Stats() runtime.Stats {
	s := c.counts
	s.Identities = c.ids.live()
	s.Objects = c.objects.live()
	s.Bytes = c.bytes
	return s
}
