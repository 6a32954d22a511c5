package correlator

import (
	"errors"
	"hash/maphash"
	"math"
	"slices"
	"time"

	"github.com/event-gen/event-gen/runtime/sink"
)

// breaker is the circuit breaker of a lane or of the server. It opens after failures in a row.
// Open, it lets one probe pass from time to time; a success closes it. A limit lets few calls pass
// at once, because more have exceeded a rate.
type breaker struct {
	failures int       // in a row
	members  [2]uint64 // of what has failed: objects of a lane, lanes of the server
	several  int       // how many differ, at most one more than members
	said     int       // failures in a row of which the server says that they are its own

	open    bool
	sure    bool          // the server itself says so, or no connection can be made
	opened  time.Duration // when
	probeAt time.Duration // when the next probe may go
	probing bool          // a probe is in flight, and not stuck
	probe   uint64        // its ticket
	step    uint8         // probes that failed in a row

	limit   int           // calls at a time; 0: no limit
	raiseAt time.Duration // when there may be one more

	told  bool // a note says that it has opened
	calls int  // failed calls since it opened
	vain  int  // failed probes since Drain
	rate  float64
}

// What opens a breaker: so many failures in a row, of so many objects of a lane or lanes of the
// server.
const (
	someFailures   = 8
	severalObjects = 2
	manyFailures   = 12
	severalLanes   = 3
	// of any number of lanes, if the server says that they are its own, and nothing was stored for
	// storedOfLate
	saidFailures = 5
	storedOfLate = 5 * time.Second
)

// limitPause is the time after which a limited lane or server may have one more call at a time.
const limitPause = 10 * time.Second

var errStuck = errors.New("calls do not come back in time")

// failed counts a failure of a member, and reports whether enough have failed in a row.
func (b *breaker) failed(member uint64, members, failures int) bool {
	b.failures++
	known := false
	for _, m := range b.members[:min(b.several, len(b.members))] {
		known = known || m == member
	}
	if !known && b.several <= len(b.members) {
		if b.several < len(b.members) {
			b.members[b.several] = member
		}
		b.several++
	}
	return b.several >= members && b.failures >= failures
}

// note adds a first try to the rate of failures, a moving average over some 32 of them.
func (b *breaker) note(failed float64) { b.rate += (failed - b.rate) / 32 }

func (b *breaker) succeeded() { b.failures, b.several, b.said, b.vain = 0, 0, 0, 0 }

// trip opens the breaker.
func (b *breaker) trip(now time.Duration, sure bool) {
	if !b.open {
		// rest adds the one that opens it
		b.open, b.opened, b.step, b.calls, b.probing = true, now, 0, max(b.failures-1, 0), false
	}
	b.sure = sure
}

// rest puts off the next probe: longer after each, and for as long as the server asks, up to the
// longest delay. While draining, what the server asks counts no more.
func (c *Correlator) rest(b *breaker, asked time.Duration) {
	if c.draining {
		asked = 0
	}
	b.probeAt = c.now + max(c.retryDelay(b.step), min(asked, c.opts.MaxRetryDelay))
	b.step = saturating(b.step)
	b.calls++
	b.vain++
}

func (b *breaker) close() {
	b.open, b.probing, b.told, b.step = false, false, false, 0
	b.succeeded()
}

// raise raises the limit where time has passed without another call that exceeded the rate.
func (b *breaker) raise(now time.Duration, most int) {
	for b.limit > 0 && !b.open && now >= b.raiseAt {
		b.limit++
		b.raiseAt += limitPause
		if b.limit >= most {
			b.limit = 0
		}
	}
}

// fate decides what happens to a write that the sink has answered.
type fate uint8

const (
	answered fate = iota // the answer decides
	// the answer decides, but the trouble reaches further than the write, so that it does not step
	// aside for it
	excused
	kept    // it stays pending, and goes again when its lane may write
	dropped // its occurrences can't be stored
)

// judge takes up what an answer says about the lane and the server.
func (c *Correlator) judge(w *work, k *call, a *sink.Answer) fate {
	defer c.enlist(w.lane)
	failure := a.Outcome == sink.Retry && !a.Conflict
	switch {
	case a.Outcome == sink.Forbidden:
		return c.refused(w, k, noRight, a)
	case a.Outcome == sink.RefusedQuietly:
		return c.refused(w, k, noNamespace, a)
	case failure && k.trial && !k.stuck:
		c.trialFailures.fail(c.now)
	}
	c.endProbes(w.lane, k, failure, a.RetryAfter)
	switch {
	case failure && a.Scope == sink.ScopeWrite:
		return answered
	case failure && a.Scope == sink.ScopeObject:
		c.laneSucceeded(w, k, true)
		if c.server.open {
			return excused
		}
		return answered
	case failure && a.Limited:
		return c.exceeded(w, k, a)
	case failure:
		return c.failed(w, k, a)
	}
	c.latency.add(c.now - k.began)
	if k.trial {
		c.trialFailures.succeed()
	}
	c.laneSucceeded(w, k, false)
	return answered
}

// endProbes ends the probes that a call was.
func (c *Correlator) endProbes(l *lane, k *call, failure bool, asked time.Duration) {
	l.routes[k.route].probing = false
	for _, b := range [...]*breaker{&l.breaker, &c.server} {
		if b.probing && b.probe == k.ticket {
			if b.probing = false; failure {
				c.rest(b, asked)
			}
		}
	}
	if k.side && failure && c.server.open {
		c.sideFailures++
	}
}

// laneSucceeded takes up that the server has dealt with a write. It closes the breakers that were
// open when the call began. An answer about an object does not close a server's that is sure: it
// may come from admission though the storage is away.
func (c *Correlator) laneSucceeded(w *work, k *call, vague bool) {
	l := w.lane
	if d := &l.routes[k.route]; d.cause != granted {
		if d.confirmed && d.cause == noRight {
			c.notify(Notice{Type: Granted, Namespace: l.namespace})
		}
		c.endDenial(l, k.route)
	}
	if !k.trial {
		l.note(0)
		c.server.note(0)
	}
	l.succeeded()
	if !vague {
		c.succeededAt, l.served = c.now, max(c.now, 1)
	}
	if l.open && k.began >= l.opened {
		c.closed(&l.breaker, l.namespace)
	}
	c.serverSucceeded(k, vague)
}

func (c *Correlator) serverSucceeded(k *call, vague bool) {
	c.succeededBegan = max(c.succeededBegan, k.began)
	if !c.server.open {
		c.server.succeeded()
		return
	}
	if k.began < c.server.opened {
		return
	}
	if vague && c.server.sure {
		c.serverUnsure()
		return
	}
	c.closed(&c.server, "")
	c.away = c.now
	for _, t := range slices.Clone(c.trials.values) { // what opened in the outage is tried at once
		if t.way == ofBreaker && t.lane.open {
			c.try(t, c.now)
		}
	}
}

func (c *Correlator) closed(b *breaker, namespace string) {
	if b.told {
		c.notify(Notice{Type: Closed, Namespace: namespace, Took: c.now - b.opened, Calls: b.calls})
	}
	b.close()
}

// failed takes up a failure whose cause may reach further than the write's object.
func (c *Correlator) failed(w *work, k *call, a *sink.Answer) fate {
	l, s := w.lane, &c.server
	if a.Scope != sink.ScopeServer && l.routes[k.route].cause != granted {
		c.endDenial(l, k.route)
	}
	if s.open {
		l.failures = max(l.failures, 1) // the others go before it
		switch a.Scope {
		case sink.ScopeNamespace:
			c.serverSucceeded(k, false) // which has taken the call
		case sink.ScopeServer:
			c.away = c.now
		default:
			c.serverUnsure()
		}
		return kept
	}
	if !k.trial {
		l.note(1)
		s.note(1)
	}
	unreachable := a.Scope == sink.ScopeServer && !a.MaybeStored && a.RetryAfter == 0 && k.began >= c.succeededBegan
	wide := a.Scope != sink.ScopeNamespace && !k.trial && l.failures < manyFailures/severalLanes
	if a.Scope == sink.ScopeServer {
		s.said++
	}
	away := unreachable || s.said >= saidFailures && c.now-c.succeededAt > storedOfLate
	if wide && s.failed(maphash.String(seed, l.namespace), severalLanes, manyFailures) || away {
		c.openServer(w, k, a)
		return kept
	}
	if !k.trial && !k.counted {
		c.laneFailed(w, a.Err)
	}
	if l.open {
		return kept
	}
	return answered
}

// laneFailed counts a failure of a lane.
func (c *Correlator) laneFailed(w *work, err error) {
	l := w.lane
	if l.failed(w.group.object.hash, severalObjects, someFailures) && !l.open {
		l.trip(c.now, false)
		c.rest(&l.breaker, 0)
		l.told = true
		c.notify(Notice{Type: Opened, Namespace: l.namespace, Err: err})
	}
}

func (c *Correlator) openServer(w *work, k *call, a *sink.Answer) {
	c.server.trip(c.now, a.Scope == sink.ScopeServer)
	if k.trial {
		c.server.step = w.attempts // it has been tried for a while
	}
	c.rest(&c.server, 0)
	c.server.told = true
	c.sideFailures, c.noneWell, c.away = 0, false, c.now
	c.notify(Notice{Type: Opened, Err: a.Err})
}

// serverUnsure takes up that the server itself has not said of late that it takes nothing: others
// may be tried beside its probe.
func (c *Correlator) serverUnsure() {
	if c.server.sure {
		c.server.sure, c.sideFailures, c.noneWell = false, -moreSideFailures, false
		for l := c.ring.first(); l != nil; l = l.turn.following() {
			l.failures = 0 // they may have failed for the outage
		}
	}
}

// exceeded takes up that calls have exceeded a rate. What the answer names is narrowed to one call
// at a time.
func (c *Correlator) exceeded(w *work, k *call, a *sink.Answer) fate {
	b, namespace := &c.server, ""
	if a.Scope == sink.ScopeNamespace {
		b, namespace = &w.lane.breaker, w.lane.namespace
		c.serverSucceeded(k, false)
	}
	if b.open && !b.sure {
		return kept // it is away for another cause
	}
	asked := a.RetryAfter
	if !b.open {
		asked = 0 // one answer makes others wait for a moment only
	}
	b.trip(c.now, true)
	if b.probeAt <= c.now {
		c.rest(b, asked)
	}
	b.limit, b.raiseAt = 1, c.now+limitPause
	if b.vain > severalLanes && !b.told { // it takes nothing at all
		b.told = true
		c.notify(Notice{Type: Opened, Namespace: namespace, Err: a.Err})
	}
	return kept
}

// patient returns how many tries of a write must fail before it steps aside: so many that they do
// not fail by chance, while others fail at this rate, too. If half of all do, 26 fail for one write
// in a hundred million.
func (l *lane) patient(server float64) float64 {
	return min(max(stuckTries, math.Log(1e-8)/math.Log(max(l.rate, server))), 6*stuckTries)
}
