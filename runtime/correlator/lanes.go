package correlator

import (
	"container/heap"
	"time"
)

// lane is the writes into one namespace.
type lane struct {
	namespace string
	ready     [classes]list[work] // that are due
	routes    [routes]denial
	breaker
	trials [trials]trial
	turn   link[lane]    // in the ring
	turns  uint8         // it had, modulo 8
	served time.Duration // when it was served last; 0: never since it is held
	users  int           // works
	out    int           // calls in flight
	stuck  int           // of these, those that are out for longer than is usual
	idle   time.Duration // since when it has no work
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

// trial is a lane's turn for a call that is likely to fail: for a route that is denied, for a write
// that has failed before, or for an open breaker.
type trial struct {
	lane   *lane
	way    uint8 // a route, ofRetry or ofBreaker
	at     time.Duration
	serial uint64
	place  int // in the queue
}

const (
	ofRetry   = uint8(routes) // below are the routes
	ofBreaker = ofRetry + 1
	trials    = ofBreaker + 1
)

func (t *trial) goesBefore(o *trial) bool {
	return t.at < o.at || t.at == o.at && t.serial < o.serial
}

const (
	// idleLanes may be held that have no work, so that it is known what happened in them.
	idleLanes = 256
	// remembered is how long a lane in trouble is held that has no work.
	remembered = 10 * time.Minute
)

// enterLane returns the lane of a namespace, for one more work.
func (c *Correlator) enterLane(namespace string) *lane {
	if namespace == "" {
		namespace = c.opts.ClusterNamespace
	}
	l := c.lanes[namespace]
	if l == nil {
		l = &lane{namespace: namespace}
		for n := range l.trials {
			l.trials[n] = trial{lane: l, way: uint8(n)}
		}
		c.lanes[namespace] = l
		c.transient += laneBytes
	}
	l.users++
	return l
}

// leaveLane ends the unconfirmed denials of a lane without work. It forgets lanes if there
// are too many: those in trouble later.
func (c *Correlator) leaveLane(l *lane) {
	if l.users--; l.users > 0 {
		return
	}
	l.idle = c.now
	trouble := l.open || l.limit > 0
	for at := range l.routes {
		if l.routes[at].confirmed {
			trouble = true
		} else {
			c.endDenial(l, route(at))
		}
	}
	if len(c.lanes) > idleLanes && !trouble {
		c.dropLane(l)
	}
	if len(c.lanes) < c.sweepAt {
		return
	}
	for _, l := range c.lanes {
		if l.users == 0 && c.now-l.idle > remembered {
			c.dropLane(l)
		}
	}
	c.sweepAt = 2 * max(len(c.lanes), idleLanes)
}

func (c *Correlator) dropLane(l *lane) {
	for at := range l.routes {
		c.endDenial(l, route(at))
	}
	for n := range l.trials {
		c.trials.drop(&l.trials[n])
	}
	l.turn.leave()
	delete(c.lanes, l.namespace)
	c.transient -= laneBytes
}

// enter makes a work wait for the turn of its lane, or for the answer to a denial.
func (c *Correlator) enter(w *work) {
	l, d := w.lane, &w.lane.routes[routeOf(w.record)]
	if d.holds() && (!d.held.empty() || d.probing || d.asked == c.now) {
		d.held.push(&w.line, w)
	} else {
		l.ready[classOf(w)].push(&w.line, w)
		c.noneWell = false
	}
	c.enlist(l)
}

// enlist gives a lane that has something due its turn, or its trials.
func (c *Correlator) enlist(l *lane) {
	first := !l.ready[asWarning].empty() || !l.ready[asNormal].empty()
	for at := range l.routes {
		switch d := &l.routes[at]; {
		case d.held.empty():
		case !d.holds():
			first = true
		case !d.probing:
			c.try(&l.trials[at], d.next)
		}
	}
	switch retry := !l.ready[asRetry].empty(); {
	case l.open && (first || retry) && !l.probing:
		c.try(&l.trials[ofBreaker], l.probeAt)
		return
	case l.open:
		return
	case retry:
		c.try(&l.trials[ofRetry], c.now)
	}
	if first && l.turn.in == nil {
		c.ring.push(&l.turn, l)
	}
}

// try has a trial take its turn from a moment on. A trial that waits keeps its place unless it may
// go earlier.
func (c *Correlator) try(t *trial, at time.Duration) {
	if t.place > 0 && t.at <= at {
		return
	}
	c.serial++
	t.at, t.serial = at, c.serial
	c.trials.put(t)
}

// admits reports whether a lane whose breaker is closed may have one more call.
func (c *Correlator) admits(l *lane) bool {
	l.raise(c.now, c.opts.MaxInFlight)
	calls := l.out - l.stuck
	switch {
	case l.limit > 0 && calls >= l.limit, l.failures > 0 && c.isCrowded():
		return false
	case c.stuck >= c.opts.MaxInFlight && (l.stuck > 0 || l.served == 0 || c.now-l.served >= c.latency.usual()):
		return l.out == 0 // it may be the next to hang
	case l.stuck > 0:
		return calls == 0
	}
	return calls < max(1, c.opts.MaxInFlight/2)
}

// choose returns the work whose write goes next; nil if none may go.
func (c *Correlator) choose() *work {
	c.steps = 0
	c.server.raise(c.now, c.opts.MaxInFlight)
	switch calls := c.out - c.stuck; {
	case !c.hasSlot():
		return nil
	case c.server.open:
		return c.chooseInOutage()
	case c.server.limit > 0 && calls >= c.server.limit:
		return nil
	case c.server.several >= severalLanes && c.server.failures+calls >= manyFailures:
		// those in flight may open its breaker
		return c.chooseBeside()
	}
	if w := c.chooseTrial(); w != nil {
		return w
	}
	return c.chooseLane(func(l *lane) bool { return c.admits(l) })
}

// chooseLane returns a work of the next lane in the ring that fits, Warnings first, in each eighth
// turn of the lane last.
func (c *Correlator) chooseLane(fits func(*lane) bool) *work {
	for last, l := c.ring.tail, c.ring.first(); l != nil; l = c.ring.first() {
		if c.steps >= mostAtOnce {
			return nil
		}
		done := &l.turn == last
		l.turn.leave()
		var w *work
		if !l.open && fits(l) {
			l.turns = (l.turns + 1) % 8
			w = c.pick(l)
		}
		c.enlist(l)
		if w != nil || done {
			return w
		}
	}
	return nil
}

// pick takes the first work of a lane that may be written now. It sorts out those that may not.
func (c *Correlator) pick(l *lane) *work {
	order := [...]*list[work]{&l.ready[asWarning], &l.ready[asNormal], &l.routes[creates].held, &l.routes[updatesA].held, &l.routes[updatesB].held}
	if l.turns == 0 && !c.draining {
		order[0], order[1] = order[1], order[0]
	}
	for n, q := range order {
		if n < int(classes-1) || !l.routes[n-int(classes-1)].holds() {
			if w := c.pickFrom(q); w != nil {
				return w
			}
		}
	}
	return nil
}

// pickFrom takes the first work of a list that may be written now.
func (c *Correlator) pickFrom(q *list[work]) *work {
	for w := q.first(); w != nil && c.steps < mostAtOnce; w = q.first() {
		c.steps++
		w.line.leave()
		if w.turn.busy {
			c.putAside(w)
		} else if c.passes(w) {
			return w
		}
	}
	return nil
}

// chooseTrial returns the work of a trial that is due, if trialFailures admits one.
func (c *Correlator) chooseTrial() *work {
	for t := c.trials.first(); t != nil && c.steps < mostAtOnce; t = c.trials.first() {
		if at := max(t.at, c.trialFailures.opens()); at > c.now {
			c.wakeBy(at)
			return nil
		}
		if !c.roomForTrials() {
			return nil
		}
		if w := c.tried(heap.Pop(&c.trials).(*trial)); w != nil {
			w.call.trial = true
			return w
		}
	}
	return nil
}

// roomForTrials reports whether one more trial may be in flight: they have a quarter of the slots.
func (c *Correlator) roomForTrials() bool {
	return c.trialFailures.trying < max(1, c.opts.MaxInFlight/4) && !c.isCrowded()
}

// tried returns the work of a trial; nil if there is none for now.
func (c *Correlator) tried(t *trial) (w *work) {
	l := t.lane
	c.steps++
	switch {
	case t.way < ofRetry && c.now < l.routes[t.way].next, t.way == ofBreaker && c.now < l.probeAt:
		// it was put off
		c.enlist(l)
	case t.way < ofRetry:
		w = c.ask(l, route(t.way))
	case t.way == ofRetry && !l.open && c.admits(l):
		w = c.pickFrom(&l.ready[asRetry])
	case t.way == ofRetry && !l.open && !l.ready[asRetry].empty():
		c.try(t, c.now+retryLane)
	case t.way == ofBreaker && l.open && !l.probing:
		if w = c.pick(l); w == nil {
			w = c.pickFrom(&l.ready[asRetry])
		}
		if w != nil {
			l.probing, l.probe = true, c.ticket+1
		}
	}
	if w != nil {
		c.enlist(l)
	}
	return w
}

// retryLane is the time after which a lane is looked at again that has too many calls in flight for
// a write that has failed before.
const retryLane = 100 * time.Millisecond

// chooseInOutage returns the probe of the open server, or a write of a lane that has not failed
// beside it.
func (c *Correlator) chooseInOutage() *work {
	s := &c.server
	if !s.probing && c.now >= s.probeAt {
		if w := c.pickProbe(); w != nil {
			s.probing, s.probe = true, c.ticket+1
			return w
		}
	}
	if !s.probing && (!c.ring.empty() || c.trials.Len() > 0) {
		c.wakeBy(max(s.probeAt, c.now+1))
	}
	if s.sure || c.sideFailures >= mostSideFailures || c.ring.empty() {
		return nil
	}
	if c.now < c.sideAt {
		c.wakeBy(c.sideAt)
		return nil
	}
	c.sideAt = c.now + sidePause
	return c.chooseBeside()
}

// Calls beside the probe of the open server: the time between two of them, how many may fail, and
// how many more once the server has given another answer than that it takes nothing.
const (
	sidePause        = 200 * time.Millisecond
	mostSideFailures = 1
	moreSideFailures = 20
)

// chooseBeside returns a write of a lane that does not fail, one at a time, while the server
// is not known to serve, or its breaker is open.
func (c *Correlator) chooseBeside() *work {
	if c.sides > 0 || c.noneWell {
		return nil
	}
	w := c.pickWell()
	if c.noneWell = w == nil; !c.noneWell {
		w.call.side = true
	}
	return w
}

// pickWell returns a work of a lane that has not failed since its last success, and has no call in
// flight: one that was served before, if there is one.
func (c *Correlator) pickWell() *work {
	for _, proven := range [...]bool{true, false} {
		w := c.chooseLane(func(l *lane) bool { return l.failures == 0 && l.out == 0 && (l.served > 0) == proven })
		if w != nil {
			return w
		}
	}
	return nil
}

// pickProbe returns a work to ask the open server with.
func (c *Correlator) pickProbe() *work {
	w := c.pickWell()
	if w == nil {
		w = c.chooseLane(func(*lane) bool { return true })
	}
	for t := c.trials.first(); w == nil && t != nil && c.steps < mostAtOnce; t = c.trials.first() {
		heap.Pop(&c.trials)
		c.steps++
		l := t.lane
		if w = c.pickFrom(&l.ready[asRetry]); w == nil {
			w = c.pick(l)
		}
		if w == nil && t.way < ofRetry {
			w = c.ask(l, route(t.way))
		}
		if w != nil {
			c.enlist(l)
		}
	}
	return w
}
