package correlator

import (
	"time"

	"github.com/event-gen/event-gen/runtime/sink"
)

// lane is the writes into one namespace by one route.
type lane struct {
	laneKey
	gate
	denial  denial
	culprit uint64        // the object that failed last, as a hash
	served  time.Duration // when a call last succeeded; negative: never
	called  time.Duration // when the last call began

	ready   [classes]list[work] // that are due
	turn    link[lane]          // in Correlator.proven or unproven, for writes that have not failed
	place   int                 // in Correlator.backingOff, if it fails, or for writes that have
	turns   uint8               // it had, modulo 8
	users   int                 // works
	counted bool                // among Correlator.failingLanes
}

type laneKey struct {
	namespace string
	route     route
}

// denial is the answer of a missing right or namespace, with no other answer since.
type denial struct {
	cause     sink.Outcome // Forbidden or RefusedQuietly; 0: none
	since     time.Duration
	confirmed bool // until gate.next, writes that fall due are lost without a call
}

// route is the way of a write to the server. Rights differ between routes.
type route uint8

const (
	creates route = iota
	updatesA
	updatesB
)

// routeOf returns the route of a record's next write. The sink's mark of an event, which names its
// API group, decides the route of an update.
func routeOf(r *record) route {
	if !r.created() {
		return creates
	}
	return updatesA + route(r.mark&1)
}

// class decides which of the due works of a lane goes first.
type class uint8

const (
	asWarning class = iota // events of type Warning, and events that must be created before one
	asNormal
	asRetry // what has failed before
	classes
)

// classOf returns the class of a work's next write.
func classOf(w *work) class {
	switch {
	case w.failed:
		return asRetry
	case w.warning(), w.waitsForCreate() && w.turn.warnings > 0:
		return asWarning
	}
	return asNormal
}

// A lane without work is forgotten if there are more than idleLanes lanes in all, or deniedLanes if
// its denial is confirmed. What is forgotten begins a new grace period with each event.
const (
	idleLanes   = 256
	deniedLanes = 4096
)

// useLane returns the lane of a record's next write, for one more work.
func (c *Correlator) useLane(r *record) *lane {
	key := laneKey{r.group.object.namespace, routeOf(r)}
	if key.namespace == "" {
		key.namespace = c.who.ClusterNamespace
	}
	l := c.lanes[key]
	if l == nil {
		l = &lane{laneKey: key, served: -noiseWithin, called: -noiseWithin}
		c.lanes[key] = l
		c.transient += laneBytes
	}
	l.users++
	return l
}

// releaseLane removes a work from a lane. It forgets the lane if that was its only work and there
// are many idle lanes.
func (c *Correlator) releaseLane(l *lane) {
	most := idleLanes
	if l.denial.confirmed {
		most = deniedLanes
	}
	if l.users--; l.users == 0 && len(c.lanes) > most {
		c.forgetLane(l)
	}
}

func (c *Correlator) forgetLane(l *lane) {
	c.backingOff.drop(l)
	l.turn.leave()
	if l.counted {
		c.failingLanes--
	}
	delete(c.lanes, l.laneKey)
	c.transient -= laneBytes
}

// queueWork makes a work that is due wait in the lane of its route.
func (c *Correlator) queueWork(w *work) {
	if w.lane.route != routeOf(w.record) {
		before := w.lane
		w.lane = c.useLane(w.record)
		c.releaseLane(before)
	}
	w.lane.ready[classOf(w)].push(&w.line, w)
	c.queueLane(w.lane)
}

// isHealthy reports whether no call of a lane has failed since the last that succeeded.
func (l *lane) isHealthy() bool {
	return l.failures == 0 && (l.denial.cause == 0 || l.denial.confirmed)
}

// queueLane puts a lane into its queues: among the lanes that take turns for writes that have not
// failed, and among the lanes in backoff for the other writes.
func (c *Correlator) queueLane(l *lane) {
	if failing := l.failures > 1 || l.denial.cause != 0; failing != l.counted {
		l.counted = failing
		if c.failingLanes++; !failing {
			c.failingLanes -= 2
		}
	}
	fresh := !l.ready[asWarning].empty() || !l.ready[asNormal].empty()
	switch {
	case !fresh || !l.isHealthy():
		l.turn.leave()
	case l.turn.in != nil:
	case c.isProven(l):
		c.proven.push(&l.turn, l)
	case c.isScarce() && l.called > l.served: // its last call has not succeeded
		c.unproven.unshift(&l.turn, l)
	default:
		c.unproven.push(&l.turn, l)
	}
	if !l.ready[asRetry].empty() || fresh && !l.isHealthy() {
		c.backingOff.put(l)
	} else {
		c.backingOff.drop(l)
	}
}

func (l *lane) goesBefore(o *lane) bool { return l.next < o.next }

// choose returns the work whose write goes next; nil if none may go. The queues put lanes in order;
// admit decides.
func (c *Correlator) choose() (w *work) {
	c.steps = 0
	backingOff := func() *lane { return c.backingOff.first() }
	order := [...]func() *lane{backingOff, c.unproven.first, c.proven.first}
	switch {
	case c.isScarce():
		// newest first: the lanes that wait longest wait because their calls do not come back
		order = [...]func() *lane{c.unproven.last, backingOff, c.proven.first}
	case c.ticket%2 == 0:
		order[1], order[2] = order[2], order[1]
	}
	for n, first := range order {
		trial := n == 0 && !c.isScarce() || n == 1 && c.isScarce()
		if w = c.chooseFrom(first, trial); w != nil {
			return w
		}
	}
	return nil
}

// chooseFrom returns a work of a queue's first lane, if the lane may have a call. A lane that
// leaves the queue without a call returns when its state changes.
func (c *Correlator) chooseFrom(first func() *lane, trial bool) *work {
	for l := first(); l != nil && c.steps < mostAtOnce; l = first() {
		c.steps++
		if l.turn.in == &c.proven && !trial && !c.isProven(l) {
			l.turn.leave()
			c.queueLane(l)
			c.wakeBy(c.now) // its queue may have been looked at
			continue
		}
		v, until := c.admit(l, trial)
		if v == wait {
			c.wakeBy(until)
			return nil
		}
		c.unqueueLane(l, trial)
		if v == full {
			continue
		}
		w := c.pick(l, trial, v == refuse)
		switch {
		case w == nil:
			c.queueLane(l)
		case v == refuse:
			c.refuseHere(w)
			c.queueLane(l)
		default:
			w.call.trial = trial || !c.isProven(l) && c.isScarce()
			return w
		}
	}
	return nil
}

func (c *Correlator) unqueueLane(l *lane, trial bool) {
	if trial {
		c.backingOff.drop(l)
	} else {
		l.turn.leave()
	}
}

// pick takes the first work of a lane that may be written now. Warnings go first, but last in each
// eighth turn of the lane. Writes that have failed before go only as a trial. Free means that the
// write takes no token of its limit.
func (c *Correlator) pick(l *lane, trial, free bool) (w *work) {
	l.turns = (l.turns + 1) % 8
	order := [...]class{asWarning, asNormal}
	if l.turns == 0 && !c.draining {
		order = [...]class{asNormal, asWarning}
	}
	for _, k := range order {
		if w == nil && (!trial || !l.isHealthy()) {
			w = c.pickFrom(&l.ready[k], free)
		}
	}
	if w == nil && trial {
		w = c.pickFrom(&l.ready[asRetry], free)
	}
	return w
}

// pickFrom takes the first work of a list whose object has no write in flight, and which has a
// token of its limit.
func (c *Correlator) pickFrom(q *list[work], free bool) *work {
	for w := q.first(); w != nil && c.steps < mostAtOnce; w = q.first() {
		c.steps++
		w.line.leave()
		if w.turn.busy {
			c.setAside(w)
		} else if free || c.takesToken(w) {
			return w
		}
	}
	return nil
}
