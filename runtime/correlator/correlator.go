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

	ids        slab[identity]
	actives    slab[active]
	objects    slab[object]
	activities slab[activity]
	groups     slab[group]
	scopes     slab[*scope]
	byScope    map[scopeKey]ref
	lastScope  ref // the one that was used last, which is often the next
	byHash     index
	byObject   index
	crowds     map[ref]map[groupKey]ref // of crowded objects
	due        dueHeap
	lists      [listCount]struct{ head, tail ref }

	refusals     refusals
	instances    map[string]string // reporting instances by controller
	lastInstance instance          // the one that was asked for last
	packed       []byte            // packed arguments that are part of the identity of the event at hand
	recent       [recentTexts]string
	scratch      []byte // room for texts
	args         [runtime.MaxParams]runtime.Arg
	counts       runtime.Stats
	bytes        int64
	serial       uint64
	expireAt     time.Duration // monotonic: when an idle identity may have expired
	draining     bool
	ended        bool

	hashMask uint64 // all ones; tests clear bits to make hashes collide
}

// New returns an empty correlator. Options must have passed Validate.
func New(opts Options) *Correlator {
	c := &Correlator{
		opts:     opts.withDefaults(),
		byScope:  map[scopeKey]ref{},
		hashMask: math.MaxUint64,
	}
	c.due.actives = &c.actives
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
	objectHash &= c.hashMask
	o, r, hash := c.lookUp(objectHash, e)
	if o == 0 && !c.isNamespace(e.Regarding().Namespace) {
		c.counts.Lost.Rejected++
		return runtime.BadNamespace
	}
	c.counts.Pending++
	if r != 0 && c.forget(r, now) { // the object may have gone with it
		o, r = c.findObject(uint32(objectHash), e.Regarding()), 0
	}
	switch {
	case r == 0:
		r = c.resolve(o, uint32(objectHash), hash, e, now)
	case c.opts.Fold != nil && c.opts.Fold(*e, true, now):
		r = c.fold(c.groupFor(o, uint32(objectHash), e, now), hash, e, now)
	}
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
	return runtime.NoProblem
}

// resolve makes the identity of an occurrence that is the first of its kind, or names the aggregate that it folds into. or is
// its object, unless there is none yet.
func (c *Correlator) resolve(or ref, objectHash, hash uint32, e *runtime.Event, now runtime.Instant) ref {
	g := c.groupFor(or, objectHash, e, now)
	if c.folds(c.groups.at(g), e, now) {
		return c.fold(g, hash, e, now)
	}
	return c.make(g, hash, c.newDetail(e), e, now)
}

// groupFor is the group of an event. An aggregate whose event has expired is forgotten first.
func (c *Correlator) groupFor(or ref, objectHash uint32, e *runtime.Event, now runtime.Instant) ref {
	if or == 0 {
		or = c.newObject(e.Regarding(), objectHash)
	}
	g := c.groupOf(or, e.Definition())
	if a := c.groups.at(g).aggregate; a != 0 && c.forget(a, now) { // the group, and the object, may have gone with it
		return c.groupFor(c.findObject(objectHash, e.Regarding()), objectHash, e, now)
	}
	return g
}

// lookUp takes an event in hand: packs its arguments, which are compared then, and finds what is held of it.
func (c *Correlator) lookUp(objectHash uint64, e *runtime.Event) (or, r ref, hash uint32) {
	c.packed = runtime.PackArgs(c.packed[:0], e.Args(), e.Definition().Correlation.Merged)
	hash = uint32(identityHash(objectHash, e, c.packed) & c.hashMask)
	or, r = c.find(uint32(objectHash), hash, e)
	return or, r, hash
}

// find finds the object of an event, and the identity; 0 where there is none. With many objects, all that is looked at is far
// apart in memory; so what is not needed before the object is found is asked for before that, all the same.
func (c *Correlator) find(objectHash, hash uint32, e *runtime.Event) (or, r ref) {
	at, r := c.byHash.first(hash)
	place, or := c.byObject.first(objectHash)
	owner, def := c.said(r)
	for or != 0 && !c.sameObject(c.objects.at(or), e.Regarding()) {
		place, or = c.byObject.next(objectHash, place)
	}
	for r != 0 && (owner != or || !sameDefinition(def, e.Definition()) || !c.matches(c.ids.at(r), e)) {
		at, r = c.byHash.next(hash, at)
		owner, def = c.said(r)
	}
	return or, r
}

// said is what an identity says of its object and definition.
func (c *Correlator) said(r ref) (owner ref, def *runtime.Definition) {
	if r == 0 {
		return 0, nil
	}
	i := c.ids.at(r)
	return i.object, i.def
}

// occurred counts one more occurrence of an identity and has it written when its schedule says.
func (c *Correlator) occurred(r ref, e *runtime.Event, now runtime.Instant) {
	i := c.ids.at(r)
	at := wallNanos(e.Time(), now)
	i.add(1)
	i.last = max(i.last, at)
	if i.active == 0 {
		c.wake(r, at, e, now)
		return
	}
	a := c.actives.at(i.active)
	a.pending++
	if a.is(inFlight) {
		return
	}
	if a.pending == 1 {
		a.since, a.first = now.Mono, at
		c.want(r, now)
	}
	c.enlist(r)
}

// wake takes an identity out of its rest: it has become pending.
func (c *Correlator) wake(r ref, at int64, e *runtime.Event, now runtime.Instant) {
	i := c.ids.at(r)
	if now.Mono-i.wrote > c.window(i.def) {
		i.step = 0
		i.clear(written)
	}
	a := c.activate(r)
	a.pending, a.first, a.since = 1, at, now.Mono
	a.objectRV = parseVersion(e.Regarding().ResourceVersion)
	c.want(r, now)
	c.enlist(r)
}

// want schedules the write of an identity that has just become pending.
func (c *Correlator) want(r ref, now runtime.Instant) {
	i := c.ids.at(r)
	a := c.actives.at(i.active)
	a.due = c.nextTick(i, now)
	if !i.is(created) && !a.is(queued) {
		c.enqueue(r)
	}
	c.arm(r)
}

// nextTick is when an identity may be written again: an interval after its last write began.
func (c *Correlator) nextTick(i *identity, now runtime.Instant) time.Duration {
	if !i.is(written) {
		return now.Mono
	}
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

func (c *Correlator) window(def *runtime.Definition) time.Duration {
	if w := def.Correlation.Window; w > 0 {
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
	return c.objects.at(i.object)
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
