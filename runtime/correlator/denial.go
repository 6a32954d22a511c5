package correlator

import (
	"time"

	"github.com/event-gen/event-gen/runtime/sink"
)

// denial is a refusal that may end by itself, because a right or the namespace is missing. A server
// that starts refuses everybody, and a namespace that was deleted may be created again.
type denial struct {
	cause     cause
	since     time.Duration // when the server first gave it, with no other answer in between
	asked     time.Duration // when the server gave it last
	next      time.Duration // when it is probed again
	confirmed bool          // what falls due is refused without a call
	probing   bool          // a call that probes is in flight
	held      list[work]    // works that wait for the answer
}

// holds reports whether works wait for the answer.
func (d *denial) holds() bool { return d.cause != granted && !d.confirmed }

// route is the way of a write to the server. Rights differ between routes.
type route uint8

const (
	creates route = iota
	updatesA
	updatesB
	routes
)

// routeOf returns the route of a record's next write. The sink's mark of an event, which names its
// API group, decides the route of an update.
func routeOf(r *record) route {
	if !r.created() {
		return creates
	}
	return updatesA + route(r.mark&1)
}

type cause uint8

const (
	granted cause = iota
	noRight
	noNamespace
)

// Times of a denial.
const (
	// probeDenied is the time between two calls that probe a confirmed denial of a right.
	probeDenied = 30 * time.Second
	// goneFor is how long what falls due in a namespace that is gone is lost without a call.
	goneFor = time.Second
	// graceWhileDraining replaces sink.ForbiddenProbe: a control plane that restarts refuses for a
	// moment.
	graceWhileDraining = 5 * time.Second
	// An unconfirmed denial is probed after the longer of both.
	leastProbeDelay     = time.Second
	probeDelayPerDenial = 200 * time.Millisecond // times the number of denied routes
)

// refused takes up a refusal that may end by itself.
func (c *Correlator) refused(w *work, k *call, why cause, a *sink.Answer) fate {
	l, d := w.lane, &w.lane.routes[k.route]
	if k.trial && !k.stuck {
		c.trialFailures.fail(c.now)
	}
	if why == noRight && c.server.open {
		c.server.step = 0 // it is there, and may serve at any moment
	}
	c.endProbes(l, k, why == noRight && c.server.open, 0)
	if why == noNamespace {
		c.serverSucceeded(k, false)
	} else if c.server.open {
		c.serverUnsure()
	}
	l.succeeded()
	if l.open {
		c.closed(&l.breaker, l.namespace)
	}
	if d.cause == granted {
		c.denials++
	}
	if d.cause != why || d.since < c.away && !d.confirmed {
		d.cause, d.since, d.confirmed = why, c.now, false
	}
	d.asked = c.now
	if c.now-d.since < c.gracePeriod(why) && !d.confirmed {
		d.next = c.now + max(leastProbeDelay, time.Duration(c.denials)*probeDelayPerDenial)
		return kept
	}
	notice := Denied
	if why == noNamespace {
		notice = Gone
	}
	c.notify(Notice{Type: notice, Namespace: l.namespace, Err: a.Err})
	d.confirmed, d.next = true, c.now+probeDenied
	if why == noNamespace && !c.draining {
		d.next = c.now + goneFor
	}
	return dropped
}

// gracePeriod returns how long the server must give a cause, and no other answer, until the denial
// is confirmed.
func (c *Correlator) gracePeriod(why cause) time.Duration {
	switch {
	case !c.draining:
		return sink.ForbiddenProbe
	case why == noNamespace:
		return 0
	}
	return graceWhileDraining
}

// passes reports whether neither a denial nor a limit keeps a write back.
func (c *Correlator) passes(w *work) bool {
	l, at := w.lane, routeOf(w.record)
	d := &l.routes[at]
	switch {
	case d.cause == granted:
	case d.confirmed && (c.now < d.next || d.cause == noRight && (d.probing || c.trialFailures.opens() > c.now)):
		c.refuseHere(w)
		return false
	case d.confirmed && d.cause == noRight:
		d.probing = c.admitted(w)
		w.call.trial = d.probing
		return d.probing
	case d.confirmed, d.held.empty() && !d.probing: // nothing has waited for the answer
		c.endDenial(l, at)
	default:
		d.held.push(&w.line, w)
		return false
	}
	return c.admitted(w)
}

// ask returns a work whose write probes whether a denial still holds.
func (c *Correlator) ask(l *lane, at route) *work {
	d := &l.routes[at]
	for w := d.held.first(); w != nil && d.holds() && !d.probing; w = d.held.first() {
		w.line.leave()
		if w.turn.busy {
			c.putAside(w)
		} else if c.admitted(w) {
			d.probing = true
			return w
		}
	}
	return nil
}

// endDenial ends a denial, because the server has given another answer than a refusal, or because
// nothing waits for the answer.
func (c *Correlator) endDenial(l *lane, at route) {
	d := &l.routes[at]
	if d.cause == granted {
		return
	}
	c.denials--
	d.cause, d.confirmed = granted, false
	c.trials.drop(&l.trials[at])
	if !d.held.empty() {
		c.enlist(l)
	}
}

// notify has something logged.
func (c *Correlator) notify(n Notice) { c.notices = append(c.notices, n) }
