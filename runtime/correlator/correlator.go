package correlator

import (
	"math"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
)

// Correlator is the recording state of the objects of one shard: which occurrences are one event, what of it is written,
// what is due, and what was lost why. It does no I/O, starts nothing and reads no clock. It is not safe for concurrent
// use: its owner holds a lock around each call, and no longer.
type Correlator struct {
	opts Options
	held *store.Store

	instances instances
	// lastController and lastInstance are the entry of instances that was looked up last.
	lastController, lastInstance string

	argsHash uint64 // of the arguments that are part of the identity of the event at hand
	scratch  []byte // room for texts
	pieces   pieces
	kept     keptTexts
	args     [runtime.MaxParams]runtime.Arg
	counts   runtime.Stats
	serial   uint64
	expireAt time.Duration // monotonic: when an idle identity may have expired
	now      time.Duration // monotonic: of the call at hand
	due      []Lane        // room for what Due returns
	waiting  waiting       // for tokens of limits
	granted  []*waiter     // those of waiting that Buckets has given a token; its lock guards them
	trimAt   time.Duration // monotonic: when memory is given back; 0: none is to be
	draining bool
	ended    bool
	decided  bool // the event at hand folds, or does not, by decision
	decision bool
	changed  bool // by the last Observe: what falls due, and when

	hashMask uint64 // all ones; tests clear bits to make hashes collide
}

// New returns an empty correlator. Options must have passed Validate.
func New(opts Options) *Correlator {
	return &Correlator{opts: opts.withDefaults(), held: store.New(), hashMask: math.MaxUint64}
}

// Observe records an occurrence. objectHash is ObjectHash(e). It returns why the event was rejected, or NoProblem; either
// way it is counted. Wake tells what is due afterwards. With Options.Fold, it calls that first: an owner with a lock calls AskFold,
// Options.Fold and ObserveDecided instead.
func (c *Correlator) Observe(e *runtime.Event, objectHash uint64, now runtime.Instant) runtime.Problem {
	if c.opts.Fold != nil && !c.decided {
		if known, ask := c.AskFold(e, objectHash, now); ask {
			return c.ObserveDecided(e, objectHash, c.opts.Fold(*e, known, now), now)
		}
	}
	c.now, c.changed = now.Mono, false
	c.counts.Recorded++
	problem := e.Problem()
	if problem == runtime.NoProblem && c.ended {
		problem = runtime.Ended
	}
	if problem != runtime.NoProblem {
		c.counts.Lost.Rejected++
		return problem
	}
	objectHash &= c.hashMask
	o, i, hash := c.lookUp(objectHash, e)
	if i == nil || c.opts.Fold != nil {
		if problem = c.unfit(e, o); problem != runtime.NoProblem {
			c.counts.Lost.Rejected++
			return problem
		}
	}
	c.counts.Pending++
	if i != nil && c.forget(i) { // the object may have gone with it
		o, i = c.find(uint32(objectHash), hash, e)
	}
	switch {
	case i == nil:
		i = c.resolve(o, uint32(objectHash), hash, e, now)
	case c.decision:
		o, g := c.groupFor(o, uint32(objectHash), hash, e, now)
		i = c.fold(o, g, hash, e, now)
	}
	c.occurred(i, e, now)
	if c.now >= c.expireAt {
		c.expire(2)
	}
	c.enforceBounds()
	return runtime.NoProblem
}

// Changed reports whether the last Observe may have changed what Due, Wake and TidyAt return. Most repeats join occurrences that wait for
// their write already, and change nothing.
func (c *Correlator) Changed() bool { return c.changed }

// AskFold reports whether Options.Fold has to be asked about an event, and its argument known.
func (c *Correlator) AskFold(e *runtime.Event, objectHash uint64, now runtime.Instant) (known, ask bool) {
	c.now = now.Mono
	if c.opts.Fold == nil || c.ended || e.Problem() != runtime.NoProblem {
		return false, false
	}
	o, i, _ := c.lookUp(objectHash&c.hashMask, e)
	return i != nil && !c.expired(i), c.unfit(e, o) == runtime.NoProblem
}

// ObserveDecided is Observe for an event of which Options.Fold has said whether it folds.
func (c *Correlator) ObserveDecided(e *runtime.Event, objectHash uint64, folds bool, now runtime.Instant) runtime.Problem {
	c.decided, c.decision = true, folds
	problem := c.Observe(e, objectHash, now)
	c.decided, c.decision = false, false
	return problem
}

// unfit says why more of an event can't be held than its object o, which is not known before it is looked up.
func (c *Correlator) unfit(e *runtime.Event, o *store.Object) runtime.Problem {
	switch {
	case o == nil && !isNamespace(e.Regarding().Namespace):
		return runtime.BadNamespace
	case int64(textBytes(e)) > c.mostOfOne():
		return runtime.TooLarge
	}
	return runtime.NoProblem
}

// Disabled counts an occurrence that its owner was told not to record.
func (c *Correlator) Disabled() {
	c.counts.Recorded++
	c.counts.Lost.Disabled++
}

// Wake says when Next will have something to do; ok is false while nothing is wanted.
func (c *Correlator) Wake() (at time.Duration, ok bool) {
	if c.held.HasFresh() {
		return c.now, true
	}
	at, ok = c.held.NextDue()
	switch {
	case len(c.waiting.byWork) == 0:
		return at, ok
	case !ok:
		return c.waiting.look, true
	}
	return min(at, c.waiting.look), true
}

// Next fills w with the write that is due, if one is, and reports whether it did. Each write handed out must be answered
// by Done. What w held is overwritten; the room of its slices is used again. An owner that takes turns between lanes calls Due and
// NextIn instead.
func (c *Correlator) Next(now runtime.Instant, w *runtime.Write) bool {
	c.now = now.Mono
	c.settle()
	for i := c.first(); i != nil; i = c.first() {
		if c.write(i, w, now) {
			return true
		}
	}
	return false
}

// write takes an identity out of what is due, and renders its write unless another of its object is in flight.
func (c *Correlator) write(i *store.Identity, w *runtime.Write, now runtime.Instant) bool {
	a := c.held.Active(i)
	c.held.ClearDue(a)
	if a.Busy {
		c.putAside(a)
		return false
	}
	if !c.admitted(a) {
		return false
	}
	c.depart(a)
	a.Last = min(a.Last, now.Wall.UnixNano()) // the wall clock may have been ahead
	c.render(a, w)
	return true
}

// depart marks a write as being in flight.
func (c *Correlator) depart(a store.Active) {
	c.held.Unlist(a.Identity)
	a.Busy, a.InFlight, a.Carried = true, true, a.Pending
	a.Wrote = c.now
	if c.draining {
		a.Tries = saturating(a.Tries)
	}
	c.counts.InFlight++
}

// Done takes up the answer to a write that Next handed out. An answer that comes after Abandon changes nothing.
func (c *Correlator) Done(w *runtime.Write, answer runtime.Answer, now runtime.Instant) {
	c.Conclude(w, &answer, Answered, now)
}

// Conclude is Done for an owner that knows more than the answer says: fate is what becomes of the write. It reports whether the write
// has failed so often by this answer that others of its object no longer wait for it.
func (c *Correlator) Conclude(w *runtime.Write, answer *runtime.Answer, fate Fate, now runtime.Instant) (stuck bool) {
	c.now = now.Mono
	i := c.held.ByTicket(w.Ticket.Identity, w.Ticket.Generation)
	if i == nil || i.Idle() {
		return false
	}
	a := c.held.Active(i)
	if !a.InFlight {
		return false
	}
	a.Busy, a.InFlight = false, false
	c.counts.InFlight--
	before := a.Stuck
	c.react(a, answer, fate, now)
	stuck = a.Stuck && !before
	c.pickUp(a.Turns)
	c.calm(a)
	c.enforceBounds()
	return stuck
}

// Drain ends recording and lifts the schedule: everything pending is due, Warning first, then oldest. Retries still wait
// their time. What comes after it is rejected.
func (c *Correlator) Drain(now runtime.Instant) {
	c.now, c.draining, c.ended = now.Mono, true, true
	for _, worth := range []store.Worth{store.PendingNormal, store.PendingWarning} {
		for i := c.held.Oldest(worth); i != nil; i = c.held.Younger(i) {
			a := c.held.Active(i)
			c.stopWaiting(a)
			if a.Attempts == 0 {
				a.Due = min(a.Due, now.Mono)
			}
			c.arm(a)
		}
	}
}

// Abandon gives up what is pending, and counts it: what an unanswered write carried as unacknowledged, the rest as lost by
// shutdown. Recording has ended with it.
func (c *Correlator) Abandon() {
	c.ended = true
	for i := range c.held.Each {
		if i.Idle() {
			continue
		}
		a := c.held.Active(i)
		if a.InFlight {
			a.Maybe = max(a.Maybe, a.Carried)
			a.InFlight = false
			c.counts.InFlight--
		}
		c.stopWaiting(a)
		c.lose(a, a.Pending, &c.counts.Lost.Shutdown)
		c.held.ClearDue(a)
	}
}

// Stats is a snapshot of the accounting of this correlator.
func (c *Correlator) Stats() runtime.Stats {
	s := c.counts
	s.Identities = c.held.Identities()
	s.Objects = c.held.Objects()
	s.Bytes = c.held.Bytes()
	return s
}
