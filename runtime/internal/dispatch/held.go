package dispatch

import (
	"slices"
	"time"

	"github.com/event-gen/event-gen/runtime/correlator"
)

// wait is a list in which a lane waits at a scope that admits no call. They are served in this order.
type wait uint8

const (
	forWarning  wait = iota // proven: the namespace has been served, and nothing has failed there since; with Warning events
	forNormal               // proven
	forUnknown              // not proven, and no failure is known there except one refusal
	forMixed                // the namespace has been served, and something has failed there since
	forUnserved             // something has failed there, and the namespace has never been served
	forFailing              // sick itself, or only what has failed before
	waits
)

// waitOf returns the list in which a lane waits at t.
func (l *lane) waitOf(t *trouble) wait {
	if t == &l.own || l.ready[correlator.Warning]|l.ready[correlator.Normal] == 0 {
		return forFailing
	}
	w := l.standing(t)
	if w == forNormal && l.ready[correlator.Warning] != 0 {
		return forWarning
	}
	return w
}

// standing returns how well a lane is known that waits at t, whatever it has to write.
func (l *lane) standing(t *trouble) wait {
	switch {
	case l.own.sick && !l.refusedOnce(), t.scope < ofNamespace && l.namespace.health.sick:
		return forFailing
	case l.own.failures > 0 || l.namespace.health.failures > 0:
		if !l.namespace.proven {
			return forUnserved
		}
		return forMixed
	case !l.namespace.proven:
		return forUnknown
	}
	return forNormal
}

// laneList is a list of lanes that are held.
type laneList struct{ head, tail *lane }

func (q *laneList) push(l *lane) {
	l.previous, l.following = q.tail, nil
	if q.tail != nil {
		q.tail.following = l
	} else {
		q.head = l
	}
	q.tail = l
}

func (q *laneList) remove(l *lane) {
	if l.previous != nil {
		l.previous.following = l.following
	} else {
		q.head = l.following
	}
	if l.following != nil {
		l.following.previous = l.previous
	} else {
		q.tail = l.previous
	}
	l.previous, l.following = nil, nil
}

// hold keeps a lane until the scope admits calls.
func (t *trouble) hold(l *lane) {
	l.heldBy, l.heldIn = t, l.waitOf(t)
	t.held[l.heldIn].push(l)
}

// release ends the wait of a lane.
func (t *trouble) release(l *lane) {
	t.held[l.heldIn].remove(l)
	l.heldBy = nil
}

// promote moves a lane to an earlier list if the lane now has something for it. It reports whether it did.
func (t *trouble) promote(l *lane) bool {
	if l.waitOf(t) >= l.heldIn {
		return false
	}
	t.rehold(l)
	return true
}

// demote moves a lane to a later list if something has failed since it began to wait. It reports whether it did.
func (t *trouble) demote(l *lane) bool {
	if l.waitOf(t) <= l.heldIn {
		return false
	}
	t.rehold(l)
	return true
}

func (t *trouble) rehold(l *lane) {
	t.release(l)
	t.hold(l)
}

// holdsFresh reports whether a lane waits that is not known to fail. holds reports whether any lane waits.
func (t *trouble) holdsFresh() bool {
	return slices.ContainsFunc(t.held[:forFailing], func(q laneList) bool { return q.head != nil })
}

func (t *trouble) holds() bool { return t.holdsFresh() || t.held[forFailing].head != nil }

// due returns when a sick scope may be tried.
func (t *trouble) due() time.Duration {
	for w := range t.held {
		if t.held[w].head != nil {
			return t.dueIn(wait(w))
		}
	}
	return t.next
}

// dueFor returns when a sick scope may be tried with a lane.
func (t *trouble) dueFor(l *lane) time.Duration { return t.dueIn(l.waitOf(t)) }

// dueIn returns when a sick scope may be tried with a lane of a list. Members of an API group or a server have delays of their own, unless
// the server is certainly away.
func (t *trouble) dueIn(w wait) time.Duration {
	switch {
	case t.sure, t.scope >= ofNamespace && w == forFailing:
		return t.next
	case t.eager && w <= forUnknown:
		return 0
	}
	return t.soon
}

// candidate takes the lane to try next: one that is not known to fail, if there is one. It lets go of lanes that have nothing to write.
func (t *trouble) candidate() *lane {
	for i := range t.held {
		for t.held[i].head != nil {
			l := t.held[i].head
			t.release(l)
			if l.has() {
				return l
			}
		}
	}
	return nil
}

// obstacle returns the widest scope that does not admit a call of the lane; nil if all admit it.
func (l *lane) obstacle() *trouble {
	for _, t := range l.chain() {
		if !t.admits() {
			return t
		}
	}
	return nil
}

// obstacleBeside returns the scope that keeps a lane from a try of the sick scope t: a wider scope that admits nothing, or a narrower scope
// that is full or not due.
func (l *lane) obstacleBeside(t *trouble, now time.Duration) *trouble {
	chain := l.chain()
	for _, wider := range chain[:t.scope] {
		if !wider.admits() {
			return wider
		}
	}
	for _, narrower := range chain[t.scope+1:] {
		if mayTry := narrower.sick && narrower.tries == 0 && narrower.dueFor(l) <= now; !mayTry && !narrower.admits() {
			return narrower
		}
	}
	return nil
}

// first returns the kind that a lane tries first.
func (l *lane) first() correlator.Kind {
	for k := range l.ready {
		if l.ready[k] != 0 {
			return correlator.Kind(k)
		}
	}
	return correlator.Retry
}
