package dispatch

import (
	"math"
	"time"

	"github.com/event-gen/event-gen/runtime/internal/clock"
)

// gate is the state of the calls of a lane, or of all calls (Dispatcher.server). The function admit
// reads it; answers change it (answer.go).
type gate struct {
	failures  int           // in a row; a lane counts further ones of the same object once only
	since     time.Duration // when these failures began
	notBefore time.Duration // no call before; a proven lane does not heed the server's
	limited   time.Duration // when a call last exceeded a rate; 0: never
	well      time.Duration // when an answer last showed no failure
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

// rate returns the number of calls at a time that a rate allows.
func (g *gate) rate(now time.Duration, most int) int {
	if g.limited == 0 {
		return most
	}
	return min(most, 1+int((now-g.limited)/limitRaise))
}

// inDoubt reports whether the server may be away.
func (d *Dispatcher) inDoubt() bool { return d.server.failures >= doubtAfter }

// probePause is the longest time between two calls of a server in doubt.
func (d *Dispatcher) probePause() time.Duration { return min(probePause, d.opts.MaxRetryDelay) }

// sharedPause is the time between two trials that fail. While many calls fail, a trial that
// succeeds gives half of it back, since trials then fail no more often than others.
func (d *Dispatcher) sharedPause() time.Duration { return min(sharedPause, d.opts.MaxRetryDelay) }

// doubtPause is the time until the next call of a server in doubt. It doubles with each failure, so
// that sixteen failures by chance cost little.
func (d *Dispatcher) doubtPause() time.Duration {
	most := d.probePause()
	return Backoff(min(leastPause, most), most, uint8(min(d.server.failures-doubtAfter, math.MaxUint8)))
}

// isScarce reports whether slots are scarce, because many calls fail or are slow. Proven lanes then
// come first, and after them the newest.
func (d *Dispatcher) isScarce() bool {
	return d.inDoubt() || d.slow >= max(1, d.server.rate(d.now, d.opts.MaxInFlight)/4)
}

// isProven reports whether a lane has been served since a proven lane last failed.
func (d *Dispatcher) isProven(l *lane) bool { return l.served >= d.provenFrom }

// admission is admit's decision about the next call of a lane.
type admission uint8

const (
	send   admission = iota
	refuse           // without a call, because the server would refuse it
	full             // the lane has as many calls in flight as it may
	wait             // until a moment, or until any call ends (Never)
)

// admit is the one door of all calls: it decides whether a lane may have one more now. A trial is a
// call that is likely to fail, because its lane fails or is denied, or its write has failed.
func (d *Dispatcher) admit(l *lane, trial bool) (v admission, until time.Duration) {
	s, proven := &d.server, !trial && d.isProven(l)
	if !proven {
		until = s.notBefore
	}
	if trial {
		until = max(until, l.notBefore)
	}
	switch {
	case l.denial.confirmed && d.now < l.notBefore:
		return refuse, 0
	case !d.hasSlot():
		return wait, clock.Never
	case l.calls-l.slow >= d.roomOf(l):
		return full, 0
	case d.now < until:
		return wait, until
	case !proven && (trial || d.isScarce()) && d.trials() >= d.roomForTrials():
		return wait, clock.Never
	}
	return send, 0
}

// hasSlot reports whether one more call may be in flight. Trials take nothing of a limited rate,
// since calls that hang would take all of it.
func (d *Dispatcher) hasSlot() bool {
	calls, most := len(d.calls), d.opts.MaxInFlight
	if most == 1 {
		return calls == 0
	}
	active := calls - d.slow
	return active < most && active-d.trials() < d.server.rate(d.now, most) && calls < slowFactor*most
}

// trials returns the number of calls in flight that are likely to fail, and not slow.
func (d *Dispatcher) trials() (n int) {
	for _, i := range d.calls[d.slow:] {
		if i.call.trial {
			n++
		}
	}
	return n
}

// roomOf returns the number of calls that a lane may have: one if it fails or is denied, else half
// of all, and what its rate allows.
func (d *Dispatcher) roomOf(l *lane) int {
	if l.denial.cause != 0 || l.failures > 0 {
		return 1
	}
	return l.rate(d.now, max(1, d.opts.MaxInFlight/2))
}

// roomForTrials returns how many trials may hold a slot: a quarter of all slots. While slots are
// scarce, the calls of all unproven lanes are trials, and may hold three quarters of all slots,
// until many calls are slow.
func (d *Dispatcher) roomForTrials() int {
	if most := d.opts.MaxInFlight; d.isScarce() && d.slow < 2*most {
		return max(1, 3*most/4)
	}
	return max(1, d.opts.MaxInFlight/4)
}
