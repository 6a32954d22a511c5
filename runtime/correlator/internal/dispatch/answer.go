package dispatch

import (
	"math"
	"time"

	"github.com/event-gen/event-gen/runtime/internal/notice"
	"github.com/event-gen/event-gen/runtime/sink"
)

// effect is what an answer shows about a lane, or the server.
type effect uint8

const (
	nothing effect = iota
	ok             // it takes writes
	fails
)

// effects says what a failure shows, by its scope. Another scope, or none, may reach as far as the
// server.
var effects = map[sink.Scope]struct{ lane, server effect }{
	sink.ScopeWrite:     {nothing, nothing},
	sink.ScopeObject:    {ok, ok}, // others are dealt with
	sink.ScopeNamespace: {fails, ok},
	sink.ScopeGroup:     {fails, fails},
	sink.ScopeServer:    {fails, fails},
	sink.ScopeUnknown:   {fails, fails},
}

// judge updates the gates by an answer, and reports whether the item did not cause it.
func (d *Dispatcher) judge(i *Item, k *call, a *sink.Answer) (kept bool) {
	l := i.lane
	defer d.queueLane(l)
	switch {
	case a.Outcome == sink.Forbidden, a.Outcome == sink.RefusedQuietly:
		return d.denied(l, a)
	case a.Outcome != sink.Retry, a.Conflict:
		d.measure(k, 0)
		d.succeeded(l, k)
		return false
	}
	return d.failed(i, k, a)
}

// measure updates failureShare, the share of first tries that fail: a moving average over some 32.
func (d *Dispatcher) measure(k *call, failed float64) {
	if !k.trial {
		d.failureShare += (failed - d.failureShare) / 32
	}
}

// failed updates the gates by a failure.
func (d *Dispatcher) failed(i *Item, k *call, a *sink.Answer) (kept bool) {
	l, of := i.lane, effects[a.Scope]
	if a.Scope != sink.ScopeWrite {
		d.endDenial(l)
	}
	if a.Scope == sink.ScopeObject && d.saidAway && d.server.failures > 0 {
		of.lane, of.server = fails, nothing // it may come from admission, without the storage
	}
	if of.lane == ok {
		d.recovered(&l.gate, l.namespace)
	}
	switch {
	case of.server == ok:
		d.recovered(&d.server, "")
	case of.server == fails:
		if d.measure(k, 1); k.speed == prompt {
			d.serverFails(l, a)
		}
	}
	switch {
	case of.lane != fails:
		d.chargeTrial(l, k)
		return false
	case k.speed == prompt:
		d.laneFails(i, k, d.longestPause(a), a)
	}
	d.limit(l, a)
	return a.Scope != sink.ScopeObject && (d.inDoubt() || a.Limited || l.failures >= downAfter)
}

// longestPause returns the longest pause of a lane after a failure.
func (d *Dispatcher) longestPause(a *sink.Answer) time.Duration {
	switch {
	case a.Scope == sink.ScopeNamespace:
		return d.opts.MaxRetryDelay
	case a.Scope != sink.ScopeObject && (d.oftenFails() || d.succeededAt < 0):
		// it shows little about the lane
		return d.sharedPause()
	}
	return d.probePause()
}

// limit notes that a call has exceeded the rate of its namespace, or of the server.
func (d *Dispatcher) limit(l *lane, a *sink.Answer) {
	if !a.Limited {
		return
	}
	g := &d.server
	if a.Scope == sink.ScopeNamespace {
		g = &l.gate
	}
	g.limited, g.notBefore = max(d.now, 1), max(g.notBefore, d.now+d.opts.RetryDelay)
}

// serverFails counts a failure of the server.
func (d *Dispatcher) serverFails(l *lane, a *sink.Answer) {
	s := &d.server
	if d.isProven(l) { // so may the others
		d.provenFrom = max(d.now, l.served+1)
	}
	s.fails(d.now)
	if d.saidAway = a.Scope == sink.ScopeServer; d.saidAway || d.inDoubt() {
		d.away = d.now
		d.report(s, "", a.Err)
	}
}

// fails counts a failure.
func (g *gate) fails(now time.Duration) {
	if g.failures == 0 {
		g.since = max(now, 1)
	}
	g.failures++
}

// laneFails counts a failure of a lane, and makes the lane back off, for no longer than most. A
// further failure of the same object tells nothing about the lane, unless its call is slow. Neither
// does a failure among successes.
func (d *Dispatcher) laneFails(i *Item, k *call, most time.Duration, a *sink.Answer) {
	l, object := i.lane, i.work.Facts().Object
	isNoise := d.now-l.served < noiseWithin && d.server.failures < downAfter && !a.Limited
	if (l.failures == 0 || l.culprit != object || k.speed != prompt) && !isNoise {
		if l.fails(d.now); l.failures == 2 {
			d.lastOnset = d.now
		}
		l.culprit = object
		l.notBefore = max(l.notBefore, d.now+d.backoffOf(l.failures, most))
	}
	d.chargeTrial(l, k)
	if l.failures >= downAfter && (a.Scope == sink.ScopeNamespace || d.succeededAt >= l.since) {
		d.report(&l.gate, l.namespace, a.Err)
	}
}

// report notes that calls fail, if they have failed for reportAfter. The owner logs the first of
// such notices.
func (d *Dispatcher) report(g *gate, namespace string, err error) {
	if d.isLong(g) {
		d.notify(notice.Notice{Type: notice.Opened, Namespace: namespace, Err: err})
	}
}

// isLong reports whether the failures of a gate are worth a notice.
func (d *Dispatcher) isLong(g *gate) bool {
	return g.since > 0 && (d.Draining() || d.now-g.since >= reportAfter)
}

// chargeTrial charges a failed call to the budget that all lanes in backoff share.
func (d *Dispatcher) chargeTrial(l *lane, k *call) {
	if k.trial || l.failures > 1 {
		l.notBefore = max(l.notBefore, d.reserveTrial())
	}
}

// reserveTrial reserves the next moment for a call that is likely to fail. A lane that fails holds
// one such moment at most.
func (d *Dispatcher) reserveTrial() time.Duration {
	pause := d.sharedPause()
	d.nextTrial = min(max(d.nextTrial, d.now)+pause, d.now+time.Duration(d.failingLanes+1)*pause)
	return d.nextTrial
}

// backoffOf returns how long a lane pauses after so many failures in a row.
func (d *Dispatcher) backoffOf(failures int, most time.Duration) time.Duration {
	switch {
	case failures == 1:
		return 0
	case d.Draining():
		most = d.probePause()
	}
	return Backoff(min(leastPause, d.opts.RetryDelay), min(most, d.opts.MaxRetryDelay), uint8(min(failures-2, math.MaxUint8)))
}

// succeeded notes that the server has answered a write of a lane without a failure.
func (d *Dispatcher) succeeded(l *lane, k *call) {
	if l.counted {
		d.probeNext()
	}
	if k.trial && d.oftenFails() {
		d.nextTrial -= d.sharedPause() / 2
	}
	d.endDenial(l)
	if d.succeededAt, l.served = d.now, d.now; k.speed != prompt {
		d.slowSuccess = d.now
	}
	if l.ends(k) {
		d.recovered(&l.gate, l.namespace)
	}
	if d.server.ends(k) {
		d.recovered(&d.server, "")
	}
	if l.source.In(&d.unproven) {
		l.source.Leave()
	}
}

// ends reports whether a successful call shows that the failures are over. A call that began before
// the failures may only be late.
func (g *gate) ends(k *call) bool { return k.speed != prompt || g.failures == 0 || k.began >= g.since }

// recovered ends the failures of a gate.
func (d *Dispatcher) recovered(g *gate, namespace string) {
	if d.isLong(g) {
		d.notify(notice.Notice{Type: notice.Closed, Namespace: namespace, Took: d.now - g.since, Calls: g.failures})
	}
	g.failures, g.since, g.notBefore, g.well = 0, 0, 0, d.now
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
func (d *Dispatcher) denied(l *lane, a *sink.Answer) (kept bool) {
	of, isGone := &l.denial, a.Outcome == sink.RefusedQuietly
	if d.server.well = d.now; isGone {
		d.recovered(&d.server, "")
	}
	if of.cause != a.Outcome || !of.confirmed && of.since < d.away || isGone && of.confirmed {
		if of.cause != a.Outcome {
			d.lastOnset = d.now
		}
		*of = denial{cause: a.Outcome, since: d.now}
	}
	trial := d.reserveTrial()
	if !of.confirmed && d.now-of.since < d.grace(isGone) {
		l.notBefore = max(trial, d.now+deniedPause)
		return true
	}
	of.confirmed, l.notBefore = true, max(trial, d.now+probeDenied)
	if isGone && !d.Draining() {
		l.notBefore = d.now + goneFor
	}
	n := notice.Notice{Type: notice.Denied, Namespace: l.namespace, Err: a.Err}
	switch {
	case isGone:
		n.Type = notice.Gone
	case l.route != Creates:
		n.Type = notice.UpdatesDenied
	}
	d.notify(n)
	return false
}

// grace is how long a denial must last until it is confirmed.
func (d *Dispatcher) grace(isGone bool) time.Duration {
	switch {
	case d.Draining() && isGone:
		return 0
	case d.Draining():
		return graceWhileDraining
	}
	return sink.ForbiddenProbe
}

// endDenial ends a denial, because the server has given another answer.
func (d *Dispatcher) endDenial(l *lane) {
	if l.denial.confirmed && l.denial.cause == sink.Forbidden {
		d.notify(notice.Notice{Type: notice.Granted, Namespace: l.namespace})
	}
	l.denial = denial{}
}

// probeNext tries the first lane in backoff at once. Another lane has recovered, so the cause may
// be over for all. While lanes begin to fail, probeNext does nothing.
func (d *Dispatcher) probeNext() {
	if l := d.inBackoff.First(); l != nil && d.now-d.lastOnset >= quietAfter {
		l.notBefore = min(l.notBefore, d.now)
		d.inBackoff.Put(l)
	}
}
