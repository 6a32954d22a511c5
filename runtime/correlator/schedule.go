package correlator

import (
	"math"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// Never is a moment that does not come.
const Never = time.Duration(math.MaxInt64)

// occurred counts one more occurrence of a record, and schedules its write.
func (c *Correlator) occurred(r *record, e *eventrt.Event, now eventrt.Instant) {
	at, wall := wallNanos(e.Time(), now)
	r.add(1)
	r.last = max(min(r.last, wall), at) // the wall clock may have been ahead
	if r.def.Correlation.LatestNote && r.extra().aggregated == nil {
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

// keepLatest keeps the arguments of an occurrence, if the event's note shows the latest one.
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

// wallNanos returns the time of an event, and now, in Unix nanoseconds. If the time is in the
// future, or too far for Unix nanoseconds, it counts as now.
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

// schedule makes a record due at its next tick: an interval after its last write began. A create
// that has to wait for its tick takes no place among its object's creates until then, since those
// behind it would wait, too.
func (c *Correlator) schedule(w *work) {
	w.due = max(c.now, w.wrote+c.intervalOf(w.record))
	if w.due == c.now {
		c.enqueue(w)
	}
	c.arm(w)
}

// intervalOf is the least time between the last write of a record and the next: the interval that
// its definition sets, else the schedule's. While updates are refused, each write makes an event,
// and none is sooner than the schedule's longest interval, 5 minutes at most.
func (c *Correlator) intervalOf(r *record) time.Duration {
	fixed := c.fixedInterval(r.def)
	switch {
	case r.replaced:
		return max(fixed, min(c.opts.MaxInterval, defaultMaxInterval))
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

// saturating returns n+1, or n if that overflows.
func saturating(n uint8) uint8 { return n + min(1, math.MaxUint8-n) }

// enqueue makes a work wait for its first create, behind the works of its object that were recorded
// before, or that have kept their place.
func (c *Correlator) enqueue(w *work) {
	if w.created() || w.waitsForCreate() {
		return
	}
	w.turn.creates.push(&w.order, w)
	if !w.warning() {
		return
	}
	w.turn.warnings++
	c.arm(w.turn.creates.first()) // all before it are in a hurry now
}

// unqueue removes a work from its object's creates, if it is among them. The next create then has
// its turn.
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

// resume gives a turn to a work that has waited for others of its object. It goes behind the due
// works of other objects.
func (c *Correlator) resume(w *work) {
	if !w.paid { // who has waited for a token keeps its turn
		w.due = max(w.due, c.now)
	}
	c.arm(w)
}

// arm queues a work, so that Next finds it when it is due. A work behind another create of its
// object is queued when its turn comes.
func (c *Correlator) arm(w *work) {
	if w.inFlight || w.order.in == &w.turn.aside || w.waiter != nil || w.waitsForCreate() && w.turn.creates.first() != w {
		return
	}
	if c.draining && w.attempts == 0 {
		w.due = min(w.due, c.now)
	}
	if w.due <= c.now && w.line.in != nil && w.line.in == &w.lane.ready[classOf(w)] && w.lane.route == routeOf(w.record) {
		return // it is in the right queue
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

// disarm removes a work from the queues: it is not due, and will not fall due.
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
		c.enqueue(w)
		c.disarm(w)
		if !w.waitsForCreate() || w.turn.creates.first() == w {
			c.queueWork(w)
		}
	}
}

// wakeBy makes the owner call Next at a moment, or earlier.
func (c *Correlator) wakeBy(at time.Duration) { c.wake = min(c.wake, at) }

// mostAtOnce bounds the number of records that one call goes through: the call holds up recording
// goroutines.
const mostAtOnce = 256

// setAside sets aside a work that is due while another write of its object is in flight. A work
// that waits for its first create keeps its place among the creates.
func (c *Correlator) setAside(w *work) {
	if !w.waitsForCreate() {
		w.turn.aside.push(&w.order, w)
	}
}

// resumeObject resumes works of an object that has no write in flight any more: the first of its
// creates, and the first of its works set aside.
func (c *Correlator) resumeObject(t *turn) {
	if w := t.creates.first(); w != nil {
		c.resume(w)
	}
	if w := t.aside.first(); w != nil {
		w.order.leave()
		c.resume(w)
	}
}

// releaseIfIdle returns the work of a record with nothing pending, and ranks the record anew.
func (c *Correlator) releaseIfIdle(w *work) {
	r := w.record
	if w.pending == 0 {
		c.endWork(w)
	}
	c.rerank(r)
}

// fallsDueBefore orders works by the time at which they fall due, then by the order in which they
// were queued.
func (w *work) fallsDueBefore(o *work) bool {
	return w.due < o.due || w.due == o.due && w.armed < o.armed
}
