package correlator

import (
	"math"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
)

// occurred counts one more occurrence of an identity and has it written when its schedule says.
func (c *Correlator) occurred(i *store.Identity, e *runtime.Event, now runtime.Instant) {
	at, wall := wallNanos(e.Time(), now)
	i.Add(1)
	i.Last = max(min(i.Last, wall), at) // the wall clock may have been ahead
	if i.Definition.Correlation.LatestNote {
		c.keepLatest(i, e)
	}
	if !i.Idle() {
		c.joins(i)
		return
	}
	c.changed = true
	a := c.active(i, e, now)
	a.Pending, a.Since, a.First = 1, now.Mono, at
	c.schedule(a)
	c.held.List(i)
}

// joins counts one more occurrence of an identity that has some pending, as every identity with work has. Most repeats end here, so nothing
// that they do not need is looked up before.
func (c *Correlator) joins(i *store.Identity) {
	w := c.held.Work(i)
	w.Pending++
	if !w.InFlight {
		c.held.Renew(i)
	}
}

// keepLatest keeps the arguments of an occurrence whose note is to be the latest one. An aggregate keeps what has folded.
func (c *Correlator) keepLatest(i *store.Identity, e *runtime.Event) {
	if i.More().Folded == nil {
		c.held.SetLatest(i, e.Args())
	}
}

// active gives an idle identity what it needs to become pending. One that was quiet for its window is written at once.
func (c *Correlator) active(i *store.Identity, e *runtime.Event, now runtime.Instant) store.Active {
	if now.Mono-i.Wrote > max(c.window(i.Definition), c.fixedInterval(i.Definition)) {
		i.Step = 0
	}
	a := c.held.StartWork(i)
	a.ObjectRV = parseVersion(e.Regarding().ResourceVersion)
	return a
}

// wallNanos is the time of an event, and now, in Unix nanoseconds. Times that these can't express, and those to come, are taken for now.
func wallNanos(t time.Time, now runtime.Instant) (at, wall int64) {
	wall = now.Wall.UnixNano()
	if t == now.Wall {
		return wall, wall
	}
	if s := t.Unix(); s <= 0 || s > now.Wall.Unix() {
		return wall, wall
	}
	return min(t.UnixNano(), wall), wall
}

// schedule has an identity written at its next tick: an interval after its last write began.
func (c *Correlator) schedule(a store.Active) {
	a.Due = max(c.now, a.Wrote+c.intervalOf(a.Identity))
	if !a.Created() && !a.WaitsForCreate() {
		c.enqueue(a)
	}
	c.arm(a)
}

// intervalOf is the least time between the last write of an identity and the next: its definition's, else that of the schedule.
func (c *Correlator) intervalOf(i *store.Identity) time.Duration {
	if fixed := c.fixedInterval(i.Definition); fixed > 0 && i.Step > 0 {
		return fixed
	}
	return c.interval(i.Step)
}

// fixedInterval is the interval that a definition sets, cut so that the stored event does not expire between two writes; 0: none.
func (c *Correlator) fixedInterval(def *runtime.Definition) time.Duration {
	return min(def.Correlation.Interval, c.opts.EventTTL/2)
}

// interval is the least time between a write of an identity and the next: none before the first, then 1 s, 2 s, 4 s … up to
// the cap, for the defaults.
func (c *Correlator) interval(step uint8) time.Duration {
	if step == 0 {
		return 0
	}
	return backoff(c.opts.FirstInterval, c.opts.MaxInterval, step-1)
}

// retryDelay is waited before a write is tried anew that has failed so many times before.
func (c *Correlator) retryDelay(attempts uint8) time.Duration {
	return backoff(c.opts.RetryDelay, c.opts.MaxRetryDelay, attempts)
}

// backoff doubles first so many times, up to most.
func backoff(first, most time.Duration, times uint8) time.Duration {
	if times > 62 || first > most>>times {
		return most
	}
	return first << times
}

// saturating is one more, if there is one.
func saturating(n uint8) uint8 { return n + min(1, math.MaxUint8-n) }

// tryAgain has the write at hand, which has failed, made anew after a delay, from what is recorded by then.
func (c *Correlator) tryAgain(a store.Active, delay time.Duration) {
	a.Attempts = saturating(a.Attempts)
	a.Due = c.now + delay
	c.arm(a)
}

// enqueue lets an identity wait for its first create, behind those of its object that were recorded before it.
func (c *Correlator) enqueue(a store.Active) {
	c.held.QueueCreate(a)
	if !a.Warning() {
		return
	}
	a.Warnings++
	if !a.FirstAside { // all before it are in a hurry now
		c.armFirst(a.Turns)
	}
}

// unqueue takes an identity out of the queue it waits in, if any, and lets the next of its object step up.
func (c *Correlator) unqueue(a store.Active) {
	queued, first := a.WaitsForCreate(), c.held.IsFirst(a)
	c.held.Unqueue(a)
	if queued && a.Warning() {
		a.Warnings--
	}
	if first {
		a.FirstAside = false
		if next := c.held.FirstCreate(a.Turns); next != nil {
			c.stepUp(next)
		}
	}
}

func (c *Correlator) armFirst(turns *store.Turns) {
	if first := c.held.FirstCreate(turns); first != nil {
		c.arm(c.held.Active(first))
	}
}

// stepUp lets an identity have its turn that has waited for others of its object, behind what other objects have due.
func (c *Correlator) stepUp(i *store.Identity) {
	a := c.held.Active(i)
	if !a.Paid { // who has waited for a token keeps its turn
		a.Due = max(a.Due, c.now)
	}
	c.arm(a)
}

// arm puts an identity that wants a write where Next will find it when it is due. One that waits behind another create of
// its object is put there when its turn comes.
func (c *Correlator) arm(a store.Active) {
	if a.InFlight || a.IsAside() || c.isWaiting(a) || (a.WaitsForCreate() && (a.FirstAside || !c.held.IsFirst(a))) {
		return
	}
	at := a.Due
	if c.draining && a.Attempts == 0 { // a retry waits its time even while draining
		at = min(at, c.now)
	}
	c.held.Await(a, slotOf(c.doorOf(a), c.kindOf(a)), at, c.now)
}

// first is what Next takes: the oldest that is due, and while draining Warning first; nil if nothing is due.
func (c *Correlator) first() *store.Identity {
	if !c.draining && !c.held.HasFresh() {
		return c.held.Overdue(c.now)
	}
	c.held.Ripen(c.now, math.MaxInt)
	if i := c.held.OnlyFresh(); i != nil {
		return i
	}
	var first store.Active
	for a := range c.held.Fresh {
		if first.Identity == nil || c.goesFirst(a, first) {
			first = a
		}
	}
	return first.Identity
}

func (c *Correlator) goesFirst(a, b store.Active) bool {
	if ka, kb := c.kindOf(a), c.kindOf(b); c.draining && ka != kb {
		return ka < kb // mutate: they differ
	}
	return a.Due < b.Due || a.Due == b.Due && a.AwaitedBefore(b.Work)
}

// putAside sets an identity aside that fell due while another write of its object is in flight. The first of those that wait
// to be created keeps its place.
func (c *Correlator) putAside(a store.Active) {
	if a.WaitsForCreate() {
		a.FirstAside = true
		return
	}
	c.held.PutAside(a)
}

// pickUp puts back what was set aside, once the object is free: the first of the creates and the first of the rest.
func (c *Correlator) pickUp(turns *store.Turns) {
	if turns.FirstAside {
		turns.FirstAside = false
		c.stepUp(c.held.FirstCreate(turns))
	}
	if i := c.held.PickUp(turns); i != nil {
		c.stepUp(i)
	}
}

// calm takes back what an identity needs no more that is neither pending nor waits, and lists it by its worth.
func (c *Correlator) calm(a store.Active) {
	if a.Pending == 0 && !a.WaitsForCreate() && !a.IsAside() {
		c.held.EndWork(a)
	}
	c.held.List(a.Identity)
}
