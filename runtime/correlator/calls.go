package correlator

import (
	"slices"
	"time"
)

// call is a write in flight.
type call struct {
	ticket  uint64
	began   time.Duration
	route   route
	trial   bool // it counts among the trials
	stuck   bool // it is out for longer than is usual
	counted bool // its lane has counted it as a failure
	side    bool // it went beside the probe of the server
}

// hasSlot reports whether one more call may be in flight. A stuck call gives its slot to another.
func (c *Correlator) hasSlot() bool {
	if c.opts.MaxInFlight == 1 {
		return c.out == 0
	}
	return c.out-c.stuck < c.opts.MaxInFlight && c.out < 4*c.opts.MaxInFlight
}

// isCrowded reports whether so many calls are in flight that the rest of the room is for lanes that
// do not fail.
func (c *Correlator) isCrowded() bool {
	return c.opts.MaxInFlight > 1 && c.out >= 3*c.opts.MaxInFlight
}

// depart marks a write as being in flight.
func (c *Correlator) depart(w *work) {
	w.ranked.leave()
	w.turn.busy, w.inFlight, w.carried = true, true, 0
	if !w.unread() {
		w.carried = w.pending
	}
	w.wrote = c.now
	if c.draining {
		w.tries = saturating(w.tries)
	}
	c.ticket++
	w.call.ticket, w.call.began, w.call.route = c.ticket, c.now, routeOf(w.record)
	if w.call.trial {
		c.trialFailures.trying++
	}
	if w.call.side {
		c.sides++
	}
	c.calls[c.ticket] = w
	c.fresh = append(c.fresh, w)
	c.out++
	w.lane.out++
	c.counts.InFlight++
}

// land takes a call out of those in flight, and returns what it was.
func (c *Correlator) land(w *work) call {
	k, l := w.call, w.lane
	delete(c.calls, k.ticket)
	c.counts.InFlight--
	c.out--
	l.out--
	if k.stuck {
		c.stuck--
		l.stuck--
	} else {
		c.leaveFresh(w)
	}
	w.call = call{}
	w.turn.busy, w.inFlight = false, false
	return k
}

// leaveFresh takes a call out of those that are not stuck.
func (c *Correlator) leaveFresh(w *work) {
	at := slices.Index(c.fresh, w)
	c.fresh = slices.Delete(c.fresh, at, at+1)
	if w.call.trial {
		c.trialFailures.trying--
	}
	if w.call.side {
		c.sides--
	}
}

// suspect finds the calls that are out for longer than is usual. Each gives its slot to another,
// and counts as a failure of its lane.
func (c *Correlator) suspect() {
	for len(c.fresh) > 0 && c.now-c.fresh[0].call.began >= c.latency.usual() {
		w := c.fresh[0]
		l := w.lane
		c.leaveFresh(w)
		w.call.stuck = true
		c.stuck++
		l.stuck++
		if w.call.trial {
			c.trialFailures.fail(c.now)
		}
		switch {
		case c.server.probing && c.server.probe == w.call.ticket:
			c.server.probing = false
			c.rest(&c.server, 0)
			c.serverUnsure()
		case l.probing && l.probe == w.call.ticket:
			l.probing = false
			c.rest(&l.breaker, 0)
		case !w.call.trial && !c.server.open:
			w.call.counted = true
			c.laneFailed(w, errStuck)
		}
		c.enlist(l)
	}
}

// latency is the usual time of a call that succeeds, as TCP measures round trips (RFC 6298).
type latency struct{ mean, deviation time.Duration }

func (l *latency) add(d time.Duration) {
	off := d - l.mean
	l.mean += off / 8
	l.deviation += (off.Abs() - l.deviation) / 4
}

// usual is the time after which a call is stuck. It is bounded, so that slow namespaces do not make
// others wait for calls that hang.
func (l *latency) usual() time.Duration {
	return min(max(l.mean+4*l.deviation, time.Second), 2500*time.Millisecond)
}

// trialFailures bounds the trials: in a second, ten more of them may fail than succeed.
type trialFailures struct {
	failed []time.Duration // when, in order; at most ten that are younger than a second
	trying int             // in flight, and not stuck; each counts as a failure
}

const trialsPerSecond = 10

// opens returns when one more trial may begin, if no other does.
func (f *trialFailures) opens() time.Duration {
	over := len(f.failed) + f.trying - trialsPerSecond
	if over < 0 || len(f.failed) == 0 {
		return 0
	}
	return f.failed[min(over, len(f.failed)-1)] + time.Second
}

func (f *trialFailures) fail(now time.Duration) {
	if len(f.failed) == trialsPerSecond {
		f.failed = slices.Delete(f.failed, 0, 1)
	}
	f.failed = append(f.failed, now)
}

func (f *trialFailures) succeed() { f.failed = f.failed[:max(len(f.failed)-1, 0)] }
