package correlator

import (
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/dispatch"
	"github.com/event-gen/event-gen/runtime/internal/clock"
)

// occurred counts one more occurrence of a record, and schedules its write.
func (c *Correlator) occurred(r *record, e *eventrt.Event, now clock.Instant) {
	at, wall := wallNanos(e.Time(), now)
	r.last = max(min(r.last, wall), at) // the wall clock may have been ahead
	if r.def.Correlation.LatestNote && r.extra().aggregated == nil {
		c.keepLatest(r, e)
	}
	if w := r.work; w != nil {
		if w.add(); !w.InFlight() {
			c.rerank(r)
		}
		return
	}
	if c.now-r.wrote > max(c.window(r.def), c.fixedInterval(r.def)) {
		r.step = 0 // quiet for its window
	}
	w := c.startWork(r)
	w.objectRV = parseVersion(e.Regarding().ResourceVersion)
	w.add()
	w.since, w.first = c.now, at
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
	r.more.latest = internals.CloneArgs(e.Args())
	c.bytes += r.bytes()
}

// wallNanos returns the time of an event, and now, in Unix nanoseconds. If the time is in the
// future, or too far for Unix nanoseconds, it counts as now.
func wallNanos(t time.Time, now clock.Instant) (at, wall int64) {
	wall = now.Wall.UnixNano()
	if t == now.Wall {
		return wall, wall
	}
	if s := t.Unix(); s <= 0 || s > now.Wall.Unix() {
		return wall, wall
	}
	return min(t.UnixNano(), wall), wall
}

// schedule makes a record due at its next tick: an interval after its last write began.
func (c *Correlator) schedule(w *work) { c.d.Due(&w.Item, w.wrote+c.intervalOf(w.record)) }

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
	return dispatch.Backoff(c.opts.tuning.FirstInterval, c.opts.MaxInterval, r.step-1)
}

// fixedInterval is the interval that a definition sets, cut so that the stored event does not
// expire between two writes; 0: none.
func (c *Correlator) fixedInterval(def *eventrt.Definition) time.Duration {
	return min(def.Correlation.Interval, c.opts.EventTTL/2)
}
