package correlator

import (
	"time"
)

// gate is what is known of the calls of a lane, or of all calls (Correlator.server). The function
// admit reads it, answers write it (answer.go).
type gate struct {
	calls    int           // in flight
	slow     int           // of these, those that are out for slowAfter or longer
	failures int           // in a row; a lane counts a further one of the same object once only
	since    time.Duration // when these failures began
	next     time.Duration // no call before; a proven lane does not heed the server's
	limited  time.Duration // when a call last exceeded a rate; 0: never
	reported bool          // a notice has said that calls fail
}

const (
	// slowAfter is the time after which a call counts as a failure and gives its slot to another.
	slowAfter = time.Second
	// slowFactor times MaxInFlight calls may be in flight, slow ones included.
	slowFactor = 4
	// doubtAfter failures in a row put the server in doubt: a call goes each probePause, and those
	// of proven lanes.
	doubtAfter = 16
	probePause = time.Second
	// downAfter failures in a row make the writes of a lane wait for the lane, not for themselves,
	// and those of all calls are no noise.
	downAfter = 8
	// reportAfter is how long calls must have failed until a notice says so.
	reportAfter = 5 * time.Second
	// A lane that fails backs off for leastPause, doubled with each failure up to MaxRetryDelay.
	// All lanes that back off share a call each sharedPause.
	leastPause  = 20 * time.Millisecond
	sharedPause = 200 * time.Millisecond
	// A failure is noise if its lane was served within this time.
	noiseWithin = 400 * time.Millisecond
	// quietAfter is how long no lane must have begun to fail until one that recovers hurries
	// others.
	quietAfter = 10 * time.Second
	// What exceeds a rate has no call for limitPause, then one at a time, and one more after each
	// limitRaise.
	limitPause = time.Second
	limitRaise = 10 * time.Second
)

// active is the number of calls that hold a slot.
func (g *gate) active() int { return g.calls - g.slow }

// rate is how many calls at a time a rate allows.
func (g *gate) rate(now time.Duration, most int) int {
	if g.limited == 0 {
		return most
	}
	return min(most, 1+int((now-g.limited)/limitRaise))
}

// inDoubt reports whether the server may be away.
func (c *Correlator) inDoubt() bool { return c.server.failures >= doubtAfter }

// probePause is the time between two calls of a server in doubt.
func (c *Correlator) probePause() time.Duration { return min(probePause, c.opts.MaxRetryDelay) }

// isScarce reports whether so many calls fail or are slow that slots are for proven lanes, and then
// for the newest.
func (c *Correlator) isScarce() bool {
	return c.inDoubt() || c.server.slow >= max(1, c.opts.MaxInFlight/4)
}

// isProven reports whether a lane has been served since a lane failed last that had been.
func (c *Correlator) isProven(l *lane) bool { return l.served >= c.provenFrom }

// verdict is what admit decides about the next call of a lane.
type verdict uint8

const (
	send   verdict = iota
	refuse         // without a call, because the server would refuse it
	full           // the lane has as many calls in flight as it may
	wait           // until a moment, or until any call ends (Never)
)

// admit is the one door of all calls: it decides whether a lane may have one more now. A trial is a
// call that is likely to fail: of a lane that fails or is denied, or of a write that has failed.
func (c *Correlator) admit(l *lane, trial bool) (v verdict, until time.Duration) {
	s, proven := &c.server, !trial && c.isProven(l)
	if !proven {
		until = s.next
	}
	if trial {
		until = max(until, l.next)
	}
	switch {
	case l.denial.confirmed && c.now < l.next:
		return refuse, 0
	case !c.hasSlot():
		return wait, Never
	case l.active() >= c.roomOf(l):
		return full, 0
	case c.now < until:
		return wait, until
	case !proven && (trial || c.isScarce()) && c.trials >= c.roomForTrials():
		return wait, Never
	}
	return send, 0
}

// hasSlot reports whether one more call may be in flight.
func (c *Correlator) hasSlot() bool {
	s, most := &c.server, c.opts.MaxInFlight
	if most == 1 {
		return s.calls == 0
	}
	return s.calls-s.slow < s.rate(c.now, most) && s.calls < slowFactor*most
}

// roomOf returns the number of calls that a lane may have: one if it fails or is denied, else half
// of all, and what its rate allows.
func (c *Correlator) roomOf(l *lane) int {
	if l.denial.cause != 0 || l.failures > 0 {
		return 1
	}
	return l.rate(c.now, max(1, c.opts.MaxInFlight/2))
}

// roomForTrials returns the number of trials that may hold a slot: a quarter of all. While slots
// are scarce these are the calls of all lanes that are not proven: three quarters of all, until
// many calls are slow.
func (c *Correlator) roomForTrials() int {
	if most := c.opts.MaxInFlight; c.isScarce() && c.server.slow < 2*most {
		return max(1, 3*most/4)
	}
	return max(1, c.opts.MaxInFlight/4)
}
