package correlator

import (
	"math"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// Never is a moment that does not come.
const Never = time.Duration(math.MaxInt64)

// occurred counts one more occurrence of a record and has it written when its schedule says.
func (c *Correlator) occurred(r *record, e *eventrt.Event, now eventrt.Instant) {
	at, wall := wallNanos(e.Time(), now)
	r.add(1)
	r.last = max(min(r.last, wall), at) // the wall clock may have been ahead
	if r.def.Correlation.LatestNote && r.extra().folded == nil {
		c.keepLatest(r, e)
	}
	if w := r.work; w != nil {
		w.pending++
		if !w.inFlight {
			c.rerank(r)
		}
		return
	}
	if c.now-r.wrote > max(c.window(r.def), c.fixedInterval(r.def)) {
		r.step = 0 // quiet for its window
	}
	w := c.startWork(r)
	w.objectRV = parseVersion(e.Regarding().ResourceVersion)
	w.pending, w.since, w.first = 1, c.now, at
	c.schedule(w)
	c.rerank(r)
}

// keepLatest keeps the arguments of an occurrence whose note is to be the latest one.
func (c *Correlator) keepLatest(r *record, e *eventrt.Event) {
	shown := r.args
	if r.extra().latest != nil {
		shown = r.more.latest
	}
	if sameArgs(shown, e.Args(), 0) {
		return
	}
	c.bytes -= r.bytes()
	if r.more == nil {
		r.more = &more{}
	}
	r.more.latest = eventrt.CloneArgs(e.Args())
	c.bytes += r.bytes()
}

// wallNanos is the time of an event, and now, in Unix nanoseconds. Times that these can't express,
// and those to come, are taken for now.
func wallNanos(t time.Time, now eventrt.Instant) (at, wall int64) {
	wall = now.Wall.UnixNano()
	if t == now.Wall {
		return wall, wall
	}
	if s := t.Unix(); s <= 0 || s > now.Wall.Unix() {
		return wall, wall
	}
	return min(t.UnixNano(), wall), wall
}

// schedule has a record written at its next tick: an interval after its last write began.
func (c *Correlator) schedule(w *work) {
	w.due = max(c.now, w.wrote+c.intervalOf(w.record))
	if !w.created() && !w.waitsForCreate() {
		c.enqueue(w)
	}
	c.arm(w)
}

// intervalOf is the least time between the last write of a record and the next: its definition's,
// else that of the schedule.
func (c *Correlator) intervalOf(r *record) time.Duration {
	fixed := c.fixedInterval(r.def)
	switch {
	case r.step == 0:
		return 0
	case fixed > 0:
		return fixed
	}
	return backoff(c.opts.FirstInterval, c.opts.MaxInterval, r.step-1)
}

// fixedInterval is the interval that a definition sets, cut so that the stored event does not
// expire between two writes; 0: none.
func (c *Correlator) fixedInterval(def *eventrt.Definition) time.Duration {
	return min(def.Correlation.Interval, c.opts.EventTTL/2)
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

// enqueue lets a work wait for its first create, behind those of its object that were recorded
// before it.
func (c *Correlator) enqueue(w *work) {
	w.turn.creates.push(&w.order, w)
	if !w.warning() {
		return
	}
	w.turn.warnings++
	c.arm(w.turn.creates.first()) // all before it are in a hurry now
}

// unqueue takes a work out of the creates of its object, if it is among them, and lets the next
// step up.
func (c *Correlator) unqueue(w *work) {
	if !w.waitsForCreate() {
		return
	}
	t := w.turn
	first := t.creates.first() == w
	w.order.leave()
	if w.warning() {
		t.warnings--
	}
	if !first {
		return
	}
	if next := t.creates.first(); next != nil {
		c.resume(next)
	}
}

// resume lets a work have its turn that has waited for others of its object, behind what other
// objects have due.
func (c *Correlator) resume(w *work) {
	if !w.paid { // who has waited for a token keeps its turn
		w.due = max(w.due, c.now)
	}
	c.arm(w)
}

// arm puts a work that wants a write where Next will find it when it is due. One that waits behind
// another create of its object is put there when its turn comes.
func (c *Correlator) arm(w *work) {
	if w.inFlight || w.order.in == &w.turn.aside || w.waiter != nil || w.waitsForCreate() && w.turn.creates.first() != w {
		return
	}
	if c.draining && w.attempts == 0 {
		w.due = min(w.due, c.now)
	}
	if w.due <= c.now && w.line.in != nil && w.line.in == &w.lane.ready[classOf(w)] && w.lane.route == routeOf(w.record) {
		return // it is where it belongs
	}
	c.wakeBy(w.due)
	if first := c.later.first(); w.due <= c.now && (first == nil || first.due > c.now) {
		c.disarm(w)
		c.queueWork(w)
		return
	}
	w.line.leave()
	c.serial++
	w.armed = c.serial
	c.later.put(w)
}

// disarm makes a work neither due nor fall due.
func (c *Correlator) disarm(w *work) {
	w.line.leave()
	c.later.drop(w)
}

// queueDue moves works that have fallen due into their lanes, the earliest first.
func (c *Correlator) queueDue() {
	for range mostAtOnce {
		w := c.later.first()
		if w == nil || w.due > c.now {
			return
		}
		c.disarm(w)
		c.queueWork(w)
	}
}

// wakeBy has Next called at a moment, or earlier.
func (c *Correlator) wakeBy(at time.Duration) { c.wake = min(c.wake, at) }

// mostAtOnce bounds the number of records that one call goes through, because the call holds up
// recording goroutines.
const mostAtOnce = 256

// setAside sets a work aside that fell due while another write of its object is in flight. One that
// waits for its first create keeps its place in that order.
func (c *Correlator) setAside(w *work) {
	if !w.waitsForCreate() {
		w.turn.aside.push(&w.order, w)
	}
}

// resumeObject puts back what was set aside, once the object is free: the first of the creates and
// the first of the rest.
func (c *Correlator) resumeObject(t *turn) {
	if w := t.creates.first(); w != nil {
		c.resume(w)
	}
	if w := t.aside.first(); w != nil {
		w.order.leave()
		c.resume(w)
	}
}

// releaseIfIdle takes back what a record needs no more that is neither pending nor waits, and ranks
// it.
func (c *Correlator) releaseIfIdle(w *work) {
	r := w.record
	if w.pending == 0 {
		c.endWork(w)
	}
	c.rerank(r)
}

// fallsDueBefore puts works in the order in which they fall due, then as they were put there.
func (w *work) fallsDueBefore(o *work) bool {
	return w.due < o.due || w.due == o.due && w.armed < o.armed
}
