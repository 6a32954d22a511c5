package correlator

import (
	"math"

	"github.com/event-gen/event-gen/runtime"
)

// enqueue lets an identity wait for its first create, behind those of its object that were recorded before it.
func (c *Correlator) enqueue(r ref) {
	i := c.ids.at(r)
	act := c.activityOf(i)
	c.push(&act.creates, r)
	c.activeOf(r).set(queued)
	if i.def.Type == runtime.Warning {
		act.warnings++
		c.hurry(act)
	}
}

// hurry puts the head of a queue that a Warning has joined where it belongs, while draining.
func (c *Correlator) hurry(act *activity) {
	if c.draining && act.creates.head != 0 && !act.headParked {
		c.arm(act.creates.head)
	}
}

// unqueue takes an identity out of the queue it waits in, if any, and lets the next of its object step up.
func (c *Correlator) unqueue(r ref) {
	i := c.ids.at(r)
	a, act := c.actives.at(i.active), c.activityOf(i)
	switch {
	case a.is(queued):
		wasHead := act.creates.head == r
		c.take(&act.creates, r)
		a.clear(queued)
		if i.def.Type == runtime.Warning {
			act.warnings--
		}
		if wasHead {
			act.headParked = false
			c.armHead(act)
		}
	case a.is(parked):
		c.take(&act.parked, r)
		a.clear(parked)
	}
}

func (c *Correlator) armHead(act *activity) {
	if act.creates.head != 0 {
		c.arm(act.creates.head)
	}
}

// arm puts an identity that wants a write where Next will find it when it is due. One that waits behind another create of
// its object is put there when its turn comes.
func (c *Correlator) arm(r ref) {
	i := c.ids.at(r)
	a, act := c.actives.at(i.active), c.activityOf(i)
	if a.is(inFlight|parked) || (a.is(queued) && (act.creates.head != r || act.headParked)) {
		return
	}
	c.due.set(r, i.active, c.key(i, act))
}

// key orders what is due: by time, and while draining Warning first, then oldest.
func (c *Correlator) key(i *identity, act *activity) int64 {
	a := c.actives.at(i.active)
	if !c.draining || a.attempts > 0 {
		return int64(a.due) // a retry waits its time even while draining
	}
	key := math.MinInt64/2 + int64(a.since)
	if i.def.Type != runtime.Warning && (!a.is(queued) || act.warnings == 0) {
		key += math.MaxInt64 / 4
	}
	return key
}

// park sets aside an identity that fell due while another write of its object is in flight.
func (c *Correlator) park(r ref) {
	i := c.ids.at(r)
	a, act := c.actives.at(i.active), c.activityOf(i)
	if a.is(queued) {
		act.headParked = true
		return
	}
	c.push(&act.parked, r)
	a.set(parked)
}

// unpark puts back what was set aside, once the object is free: the head of the creates and the first of the rest.
func (c *Correlator) unpark(act *activity) {
	if act.headParked {
		act.headParked = false
		c.armHead(act)
	}
	if r := act.parked.head; r != 0 {
		c.take(&act.parked, r)
		c.activeOf(r).clear(parked)
		c.arm(r)
	}
}

// Drain ends recording and lifts the schedule: everything pending is due, Warning first, then oldest. Retries still wait
// their time. What comes after it is rejected.
func (c *Correlator) Drain(now runtime.Instant) {
	c.draining, c.ended = true, true
	for _, l := range []list{pendingNormal, pendingWarning} {
		for r := c.lists[l].head; r != 0; r = c.ids.at(r).nxt {
			if a := c.activeOf(r); a.attempts == 0 {
				a.due = min(a.due, now.Mono)
			}
			c.arm(r)
		}
	}
}
