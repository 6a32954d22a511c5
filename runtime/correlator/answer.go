package correlator

import (
	"math"
	"time"

	"github.com/event-gen/event-gen/runtime/sink"
)

// fate decides what happens to a write that the sink has answered.
type fate uint8

const (
	answered fate = iota // the answer decides
	kept                 // it stays pending, and goes again when its lane may write
	dropped              // its occurrences can't be stored
)

// judge updates the gates by an answer.
func (c *Correlator) judge(w *work, k *call, a *sink.Answer) fate {
	l := w.lane
	defer c.queueLane(l)
	switch {
	case a.Outcome == sink.Forbidden, a.Outcome == sink.RefusedQuietly:
		return c.denied(l, a)
	case a.Outcome != sink.Retry, a.Conflict:
		c.measure(k, 0)
		if k.slow {
			c.slowSuccess = c.now
		}
		c.succeeded(l, k)
		return answered
	case a.Scope == sink.ScopeWrite:
		c.chargeTrial(l, k)
		return answered
	case a.Scope == sink.ScopeObject: // others are dealt with
		c.endDenial(l)
		if c.saidAway && c.server.failures > 0 { // it may come from admission, without the storage
			c.laneFails(w, k, c.probePause(), a)
			return answered
		}
		c.recovered(&l.gate, l.namespace)
		c.recovered(&c.server, "")
		c.chargeTrial(l, k)
		return answered
	}
	c.endDenial(l)
	if a.Scope != sink.ScopeNamespace {
		c.measure(k, 1)
	}
	return c.failed(w, k, a)
}

// measure updates failureShare, the share of first tries that fail: a moving average over some 32.
func (c *Correlator) measure(k *call, failed float64) {
	if !k.trial {
		c.failureShare += (failed - c.failureShare) / 32
	}
}

// failed counts a failure whose cause may reach further than the write's object.
func (c *Correlator) failed(w *work, k *call, a *sink.Answer) fate {
	l, s, most := w.lane, &c.server, c.probePause()
	if c.failureShare > oftenFails || c.succeededAt < 0 { // it shows little about the lane
		most = c.sharedPause()
	}
	if a.Scope == sink.ScopeNamespace {
		c.recovered(s, "")
		most = c.opts.MaxRetryDelay
	} else if !k.slow {
		c.serverFails(l, a)
	}
	if !k.slow {
		c.laneFails(w, k, most, a)
	}
	if a.Limited {
		g := s
		if a.Scope == sink.ScopeNamespace {
			g = &l.gate
		}
		g.limited, g.next = max(c.now, 1), max(g.next, c.now+c.opts.RetryDelay)
	}
	if c.inDoubt() || a.Limited || l.failures >= downAfter {
		return kept
	}
	return answered
}

// serverFails counts a failure of the server.
func (c *Correlator) serverFails(l *lane, a *sink.Answer) {
	s := &c.server
	if c.isProven(l) { // so may the others
		c.provenFrom = max(c.now, l.served+1)
	}
	if s.failures == 0 {
		s.since = c.now
	}
	s.failures++
	if c.saidAway = a.Scope == sink.ScopeServer; c.saidAway || c.inDoubt() {
		c.away = c.now
		c.report(s, "", a.Err)
	}
}

// laneFails counts a failure of a lane, and makes the lane back off, for no longer than most. A
// further failure of the same object tells nothing about the lane, unless its call is slow. Neither
// does a failure among successes.
func (c *Correlator) laneFails(w *work, k *call, most time.Duration, a *sink.Answer) {
	l, object := w.lane, w.group.object.hash
	isNoise := c.now-l.served < noiseWithin && c.server.failures < downAfter && !a.Limited
	if (l.failures == 0 || l.culprit != object || k.slow) && !isNoise {
		if l.failures == 0 {
			l.since = c.now
		}
		if l.failures++; l.failures == 2 {
			c.lastOnset = c.now
		}
		l.culprit = object
		l.next = max(l.next, c.now+c.backoffOf(l.failures, most))
	}
	c.chargeTrial(l, k)
	if l.failures >= downAfter && (a.Scope == sink.ScopeNamespace || c.succeededAt >= l.since) {
		c.report(&l.gate, l.namespace, a.Err)
	}
}

// report notes that calls fail, once they have failed for reportAfter.
func (c *Correlator) report(g *gate, namespace string, err error) {
	if !g.reported && (c.draining || c.now-g.since >= reportAfter) {
		g.reported = true
		c.notify(Notice{Type: Opened, Namespace: namespace, Err: err})
	}
}

// reportHanging notes that a call has had no answer for reportAfter, while no other call of its
// lane, or of the server, was answered. It wakes the owner when that may be so for the next call.
func (c *Correlator) reportHanging() {
	for _, w := range c.calls[:c.server.slow] {
		l, s, began := w.lane, &c.server, w.call.began
		if c.now-began < reportAfter {
			c.wakeBy(began + reportAfter)
			return
		}
		g, namespace := &l.gate, l.namespace
		if s.well <= began {
			g, namespace = s, ""
		}
		if g.well > began || g.reported || s.reported {
			continue
		}
		g.since, g.reported = min(g.since, began), true
		if g.failures == 0 {
			g.since = began
		}
		c.notify(Notice{Type: Opened, Namespace: namespace, Err: slow.Err})
	}
}

// chargeTrial charges a failed call to the budget that all lanes in backoff share.
func (c *Correlator) chargeTrial(l *lane, k *call) {
	if k.trial || l.failures > 1 {
		l.next = max(l.next, c.reserveTrial())
	}
}

// reserveTrial reserves the next moment for a call that is likely to fail. A lane that fails holds
// one such moment at most.
func (c *Correlator) reserveTrial() time.Duration {
	pause := c.sharedPause()
	c.nextTrial = min(max(c.nextTrial, c.now)+pause, c.now+time.Duration(c.failingLanes+1)*pause)
	return c.nextTrial
}

// backoffOf returns how long a lane pauses after so many failures in a row.
func (c *Correlator) backoffOf(failures int, most time.Duration) time.Duration {
	switch {
	case failures == 1:
		return 0
	case c.draining:
		most = c.probePause()
	}
	return backoff(min(leastPause, c.opts.RetryDelay), min(most, c.opts.MaxRetryDelay), uint8(min(failures-2, math.MaxUint8)))
}

// succeeded notes that the server has answered a write of a lane without a failure.
func (c *Correlator) succeeded(l *lane, k *call) {
	if l.counted {
		c.probeNext()
	}
	if k.trial && c.failureShare > oftenFails {
		c.nextTrial -= c.sharedPause() / 2
	}
	c.endDenial(l)
	c.succeededAt, l.served = c.now, c.now
	if l.ends(k) {
		c.recovered(&l.gate, l.namespace)
	}
	if c.server.ends(k) {
		c.recovered(&c.server, "")
	}
	if l.turn.in == &c.unproven {
		l.turn.leave()
	}
}

// ends reports whether a successful call shows that the failures are over. A call that began before
// the failures may only be late.
func (g *gate) ends(k *call) bool { return k.slow || g.failures == 0 || k.began >= g.since }

// recovered ends the failures of a gate.
func (c *Correlator) recovered(g *gate, namespace string) {
	if g.reported {
		c.notify(Notice{Type: Closed, Namespace: namespace, Took: c.now - g.since, Calls: g.failures})
	}
	g.failures, g.next, g.reported, g.well = 0, 0, false, c.now
}

const (
	// deniedPause is the least time between two calls of a lane while its denial is not confirmed,
	// probeDenied once the denial of a right is confirmed. A namespace that is gone has no call for
	// goneFor; writes that fall due meanwhile are lost.
	deniedPause = time.Second
	probeDenied = 30 * time.Second
	goneFor     = time.Second
	// graceWhileDraining replaces sink.ForbiddenProbe: a control plane that restarts refuses for a
	// moment.
	graceWhileDraining = 5 * time.Second
)

// denied counts a refusal that may end by itself, because a right or the namespace is missing. A
// server that starts refuses everybody, and a namespace that was deleted may be created again.
func (c *Correlator) denied(l *lane, a *sink.Answer) fate {
	d, isGone, grace := &l.denial, a.Outcome == sink.RefusedQuietly, sink.ForbiddenProbe
	c.server.well = c.now
	if c.draining {
		if grace = graceWhileDraining; isGone {
			grace = 0
		}
	}
	if isGone {
		c.recovered(&c.server, "")
	}
	if d.cause != a.Outcome || !d.confirmed && d.since < c.away || isGone && d.confirmed {
		if d.cause != a.Outcome {
			c.lastOnset = c.now
		}
		*d = denial{cause: a.Outcome, since: c.now}
	}
	turn := c.reserveTrial()
	if !d.confirmed && c.now-d.since < grace {
		l.next = max(turn, c.now+deniedPause)
		return kept
	}
	d.confirmed, l.next = true, max(turn, c.now+probeDenied)
	n := Notice{Type: Denied, Namespace: l.namespace, Err: a.Err}
	if l.route != creates {
		n.Type = UpdatesDenied
	}
	if isGone {
		n.Type = Gone
		if !c.draining {
			l.next = c.now + goneFor
		}
	}
	c.notify(n)
	return dropped
}

// endDenial ends a denial, because the server has given another answer.
func (c *Correlator) endDenial(l *lane) {
	d := l.denial
	l.denial = denial{}
	if d.confirmed && d.cause == sink.Forbidden {
		c.notify(Notice{Type: Granted, Namespace: l.namespace})
	}
}

// probeNext tries the first lane in backoff at once. Another lane has recovered, so the cause may
// be over for all. While lanes begin to fail, probeNext does nothing.
func (c *Correlator) probeNext() {
	if l := c.backingOff.first(); l != nil && c.now-c.lastOnset >= quietAfter {
		l.next = min(l.next, c.now)
		c.backingOff.put(l)
	}
}

// notify queues a notice for the owner to log.
func (c *Correlator) notify(n Notice) { c.notices = append(c.notices, n) }

// Notices returns, once, what Next and Drain have found: that calls have no answer.
func (c *Correlator) Notices() []Notice {
	notices := c.notices
	c.notices = nil
	return notices
}
