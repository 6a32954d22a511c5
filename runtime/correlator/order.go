package correlator

import (
	"math"

	"github.com/event-gen/event-gen/runtime"
)

// enqueue lets an identity wait for its first create, behind those of its object that were recorded before it.
func (c *Correlator) enqueue(r ref) {
	i := c.ids.at(r)
	o := c.objectFor(i)
	o.creates.push(&c.ids, r)
	i.set(queued)
	if i.spec.Type == runtime.Warning {
		o.warnings++
		c.hurry(o)
	}
}

// hurry puts the head of a queue that a Warning has joined where it belongs, while draining.
func (c *Correlator) hurry(o *object) {
	if c.draining && o.creates.head != 0 && !o.headParked {
		c.arm(o.creates.head)
	}
}

// unqueue takes an identity out of the queue it waits in, if any, and lets the next of its object step up.
func (c *Correlator) unqueue(r ref) {
	i := c.ids.at(r)
	o := c.objectFor(i)
	switch {
	case i.is(queued):
		wasHead := o.creates.head == r
		o.creates.remove(&c.ids, r)
		i.clear(queued)
		if i.spec.Type == runtime.Warning {
			o.warnings--
		}
		if wasHead {
			o.headParked = false
			c.armHead(o)
		}
	case i.is(parked):
		o.parked.remove(&c.ids, r)
		i.clear(parked)
	}
}

func (c *Correlator) armHead(o *object) {
	if o.creates.head != 0 {
		c.arm(o.creates.head)
	}
}

// arm puts an identity that wants a write where Next will find it when it is due. One that waits behind another create of
// its object is put there when its turn comes.
func (c *Correlator) arm(r ref) {
	i := c.ids.at(r)
	o := c.objectFor(i)
	if i.is(inFlight|parked) || (i.is(queued) && (o.creates.head != r || o.headParked)) {
		return
	}
	c.due.set(r, c.key(i, o))
}

// key orders what is due: by time, and while draining Warning first, then oldest.
func (c *Correlator) key(i *identity, o *object) int64 {
	if !c.draining {
		return int64(i.due)
	}
	if i.attempts > 0 {
		return int64(i.due) // a retry still waits its time
	}
	key := math.MinInt64/2 + int64(i.seen)
	if i.spec.Type != runtime.Warning && (!i.is(queued) || o.warnings == 0) {
		key += math.MaxInt64 / 4
	}
	return key
}

// park sets aside an identity that fell due while another write of its object is in flight.
func (c *Correlator) park(r ref) {
	i := c.ids.at(r)
	o := c.objectFor(i)
	if i.is(queued) {
		o.headParked = true
		return
	}
	o.parked.push(&c.ids, r)
	i.set(parked)
}

// unpark puts back what was set aside, once the object is free: the head of the creates and the first of the rest.
func (c *Correlator) unpark(o *object) {
	if o.headParked {
		o.headParked = false
		c.armHead(o)
	}
	if r := o.parked.head; r != 0 {
		o.parked.remove(&c.ids, r)
		c.ids.at(r).clear(parked)
		c.arm(r)
	}
}

// Drain ends recording and lifts the schedule: everything pending is due, Warning first, then oldest. Retries still wait
// their time. What comes after it is rejected.
func (c *Correlator) Drain(now runtime.Instant) {
	c.draining, c.ended = true, true
	for _, l := range []list{pendingNormal, pendingWarning} {
		for r := c.lists[l].head; r != 0; r = c.ids.at(r).nxt {
			i := c.ids.at(r)
			if i.attempts == 0 {
				i.due = min(i.due, now.Mono)
			}
			c.arm(r)
		}
	}
}
