package correlator

import (
	"time"

	"github.com/event-gen/event-gen/runtime/sink"
)

// doubt is what is known of a refusal that may end by itself: for want of a right, or for want of
// the namespace. A server that starts refuses everybody, and namespaces are deleted and made again.
type doubt struct {
	cause    cause
	since    time.Duration // when the server first gave it, with no other answer in between
	asked    time.Duration // when the server gave it last
	next     time.Duration // when it is asked about again
	believed bool          // what falls due is refused without a call
	probing  bool          // a call that asks is in flight
	held     list[work]    // that wait for the answer
}

// holds reports whether works wait for the answer.
func (d *doubt) holds() bool { return d.cause != granted && !d.believed }

// door is the way of a write to the server. Rights differ between doors.
type door uint8

const (
	creates door = iota
	updatesA
	updatesB
	doors
)

// doorOf returns the door of a record's next write. The sink's mark of an event, which names its
// API group, decides the door of an update.
func doorOf(r *record) door {
	if !r.created() {
		return creates
	}
	return updatesA + door(r.mark&1)
}

type cause uint8

const (
	granted cause = iota
	noRight
	noNamespace
)

// Times of a doubt.
const (
	// between two calls that ask for a right that is missing beyond doubt
	probeDenied = 30 * time.Second
	goneFor     = time.Second // a namespace that is gone is asked for again after it
	// replaces sink.ForbiddenProbe while draining: a control plane that restarts refuses for a
	// moment
	drainingDoubt = 5 * time.Second
	leastDoubt    = time.Second            // between two calls that ask while in doubt
	doubtfulDoors = 200 * time.Millisecond // for each door in doubt
)

// refused takes up a refusal that may end by itself.
func (c *Correlator) refused(w *work, k *call, why cause, a *sink.Answer) fate {
	l, d := w.lane, &w.lane.doors[k.door]
	if k.trial && !k.stuck {
		c.budget.fail(c.now)
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
		c.doubts++
	}
	if d.cause != why || d.since < c.away && !d.believed {
		d.cause, d.since, d.believed = why, c.now, false
	}
	d.asked = c.now
	if c.now-d.since < c.patienceWith(why) && !d.believed {
		d.next = c.now + max(leastDoubt, time.Duration(c.doubts)*doubtfulDoors)
		return kept
	}
	what := Denied
	if why == noNamespace {
		what = Gone
	}
	c.tell(Note{What: what, Namespace: l.namespace, Err: a.Err})
	d.believed, d.next = true, c.now+probeDenied
	if why == noNamespace && !c.draining {
		d.next = c.now + goneFor
	}
	return dropped
}

// patienceWith returns how long the server must give a cause, and nothing else, before it is
// believed.
func (c *Correlator) patienceWith(why cause) time.Duration {
	switch {
	case !c.draining:
		return sink.ForbiddenProbe
	case why == noNamespace:
		return 0
	}
	return drainingDoubt
}

// passes reports whether neither a doubt nor a limit keeps a write back.
func (c *Correlator) passes(w *work) bool {
	l, at := w.lane, doorOf(w.record)
	d := &l.doors[at]
	switch {
	case d.cause == granted:
	case d.believed && (c.now < d.next || d.cause == noRight && (d.probing || c.budget.opens() > c.now)):
		c.refuseHere(w)
		return false
	case d.believed && d.cause == noRight:
		d.probing = c.admitted(w)
		w.call.trial = d.probing
		return d.probing
	case d.believed, d.held.empty() && !d.probing: // nothing has waited for the answer
		c.endDoubt(l, at)
	default:
		d.held.push(&w.line, w)
		return false
	}
	return c.admitted(w)
}

// ask returns a work whose write asks whether a doubt still holds.
func (c *Correlator) ask(l *lane, at door) *work {
	d := &l.doors[at]
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

// endDoubt ends a doubt, because the server has given another answer than a refusal, or because
// nothing waits for the answer.
func (c *Correlator) endDoubt(l *lane, at door) {
	d := &l.doors[at]
	if d.cause == granted {
		return
	}
	c.doubts--
	d.cause, d.believed = granted, false
	c.trials.drop(&l.trials[at])
	if !d.held.empty() {
		c.enlist(l)
	}
}

// tell has something logged.
func (c *Correlator) tell(n Note) { c.notes = append(c.notes, n) }
