package correlator

import (
	"math"
	"time"
)

// gate is the state of the calls of a lane, or of all calls (Correlator.server). The function admit
// reads it; answers change it (answer.go).
type gate struct {
	calls    int           // in flight
	slow     int           // of these, without an answer for slowAfter or longer
	failures int           // in a row; a lane counts further ones of the same object once only
	since    time.Duration // when these failures began
	next     time.Duration // no call before; a proven lane does not heed the server's
	limited  time.Duration // when a call last exceeded a rate; 0: never
	reported bool          // a notice has reported that calls fail
	well     time.Duration // when an answer last showed no failure
}

// The constants of the gate: why this value, and which test fails with half of it, and with double.
//
//	slowAfter    healthy servers answer within a second under load; 40 namespaces that hang would
//	             hold the slots for longer. TestARateIsRaised; TestAFullNamespaceTakesNoMemoryOfOthers
//	slowFactor   64 calls, as many as a client may well have open; with 32, namespaces that hang
//	             take all. TestHangingNamespacesWhileTheServerLimits; TestCallsInAllAreBounded
//	doubtAfter   as many as are in flight when a server goes away. Fewer fail in a row by chance
//	             while a process starts; more cost calls. TestFailuresBeforeAnySuccess; TestAnOutage
//	probePause   a server that is away gets a call a second, and its return is noticed in two.
//	             TestOutagesBeginADenialAnew, both
//	downAfter    a namespace that fails this often fails for every object; with fewer, or more, one
//	             that answers after 3 s waits longer. TestASlowNamespaceAlone, both
//	reportAfter  a restart of a server is over by then. TestTroubleIsReportedAfterFiveSeconds, both
//	leastPause   a lost connection is made again in that time, and conflicting writers draw from
//	             it. TestADoubtByChance; TestWritersOfOneFactTakeTurns
//	sharedPause  five failed retries a second, however many namespaces are sick.
//	             TestRetriesOfObjectsAreTrials; TestFailuresBeforeAnySuccess
//	quietAfter   400 namespaces that flap every 5 s cost at most 14 failed calls a second.
//	             TestNeighboursOfSickNamespaces without -short fails if it goes
//	limitRaise   from one call at a time to all in two and a half minutes. TestARateIsRaised
const (
	// slowAfter is the time after which a call counts as a failure and gives its slot to another.
	slowAfter = time.Second
	// slowFactor times MaxInFlight calls may be in flight, slow ones included.
	slowFactor = 4
	// doubtAfter failures in a row put the server in doubt: calls of unproven lanes go one at a
	// time, leastPause apart, doubled up to probePause.
	doubtAfter = 16
	probePause = time.Second
	// downAfter failures in a row make the writes of a lane wait for the lane, not for themselves.
	// As many failures of all calls in a row are no noise.
	downAfter = 8
	// reportAfter is how long calls must have failed, or one must have had no answer while no other
	// had, before a notice reports it.
	reportAfter = 5 * time.Second
	// A lane that fails backs off for leastPause, doubled with each failure up to MaxRetryDelay.
	// All lanes that back off share one failed call each sharedPause.
	leastPause  = 20 * time.Millisecond
	sharedPause = 200 * time.Millisecond
	// A failure is noise if its lane was served within this time.
	noiseWithin = 2 * sharedPause
	// quietAfter is how long no lane may have begun to fail before a recovering lane hurries
	// others.
	quietAfter = 10 * time.Second
	// A lane or server that limits the rate has no call for RetryDelay, then one at a time, and one
	// more after each limitRaise. The limited write itself never goes sooner, whatever ends the
	// pause of the others.
	limitRaise = 10 * time.Second
)

// active is the number of calls that hold a slot.
func (g *gate) active() int { return g.calls - g.slow }

// rate returns the number of calls at a time that a rate allows.
func (g *gate) rate(now time.Duration, most int) int {
	if g.limited == 0 {
		return most
	}
	return min(most, 1+int((now-g.limited)/limitRaise))
}

// inDoubt reports whether the server may be away.
func (c *Correlator) inDoubt() bool { return c.server.failures >= doubtAfter }

// probePause is the longest time between two calls of a server in doubt.
func (c *Correlator) probePause() time.Duration { return min(probePause, c.opts.MaxRetryDelay) }

// sharedPause is the time between two trials that fail. While many calls fail, a trial that
// succeeds gives half of it back, since trials then fail no more often than others.
func (c *Correlator) sharedPause() time.Duration { return min(sharedPause, c.opts.MaxRetryDelay) }

// doubtPause is the time until the next call of a server in doubt. It doubles with each failure, so
// that sixteen failures by chance cost little.
func (c *Correlator) doubtPause() time.Duration {
	most := c.probePause()
	return backoff(min(leastPause, most), most, uint8(min(c.server.failures-doubtAfter, math.MaxUint8)))
}

// isScarce reports whether slots are scarce, because many calls fail or are slow. Proven lanes then
// come first, and after them the newest.
func (c *Correlator) isScarce() bool {
	return c.inDoubt() || c.server.slow >= max(1, c.server.rate(c.now, c.opts.MaxInFlight)/4)
}

// isProven reports whether a lane has been served since a proven lane last failed.
func (c *Correlator) isProven(l *lane) bool { return l.served >= c.provenFrom }

// verdict is admit's decision about the next call of a lane.
type verdict uint8

const (
	send   verdict = iota
	refuse         // without a call, because the server would refuse it
	full           // the lane has as many calls in flight as it may
	wait           // until a moment, or until any call ends (Never)
)

// admit is the one door of all calls: it decides whether a lane may have one more now. A trial is a
// call that is likely to fail, because its lane fails or is denied, or its write has failed.
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

// hasSlot reports whether one more call may be in flight. Trials take nothing of a limited rate,
// since calls that hang would take all of it.
func (c *Correlator) hasSlot() bool {
	s, most := &c.server, c.opts.MaxInFlight
	if most == 1 {
		return s.calls == 0
	}
	return s.active() < most && s.active()-c.trials < s.rate(c.now, most) && s.calls < slowFactor*most
}

// roomOf returns the number of calls that a lane may have: one if it fails or is denied, else half
// of all, and what its rate allows.
func (c *Correlator) roomOf(l *lane) int {
	if l.denial.cause != 0 || l.failures > 0 {
		return 1
	}
	return l.rate(c.now, max(1, c.opts.MaxInFlight/2))
}

// roomForTrials returns how many trials may hold a slot: a quarter of all slots. While slots are
// scarce, the calls of all unproven lanes are trials, and may hold three quarters of all slots,
// until many calls are slow.
func (c *Correlator) roomForTrials() int {
	if most := c.opts.MaxInFlight; c.isScarce() && c.server.slow < 2*most {
		return max(1, 3*most/4)
	}
	return max(1, c.opts.MaxInFlight/4)
}
