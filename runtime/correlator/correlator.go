package correlator

import (
	"math"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// Correlator is the recording state. It does no I/O, starts nothing and reads no clock. It is not
// safe for concurrent use: its owner holds a lock around each call, and no longer. Calls take
// microseconds; those that go through many records do so in steps.
type Correlator struct {
	opts Options

	// What is held: identity.go, record.go.
	records     index[record]
	objects     index[object]
	groups      index[group]
	all         []*record
	ranked      [ranks]list[record]
	kinds       map[metav1.TypeMeta]*metav1.TypeMeta
	objectCount int
	bytes       int64 // of what is idle
	transient   int64 // of what there is while something is pending
	works       pool[work]
	turns       pool[turn]
	expireAt    time.Duration // monotonic: when an idle record may have expired

	// What is due: schedule.go, limit.go.
	later   queue[work]
	serial  uint64
	buckets []*bucket
	look    time.Duration // monotonic: when there may be a token

	// What goes next: lanes.go.
	lanes        map[string]*lane
	sweepAt      int // lanes
	ring         list[lane]
	trials       queue[trial]
	calls        map[uint64]*work // by ticket
	fresh        []*work          // in flight and not stuck, by when they began
	ticket       uint64
	out, stuck   int
	steps        int
	sideAt       time.Duration // when another call may go beside the probe of the server
	sideFailures int
	sides        int  // such calls in flight that are not stuck
	noneWell     bool // no lane of the ring may have such a call

	// Trouble: breaker.go, denial.go.
	server         breaker
	trialFailures  trialFailures
	latency        latency
	denials        int
	away           time.Duration // when the server was away last
	succeededAt    time.Duration // when something was stored last
	succeededBegan time.Duration // when the latest of the calls began that have succeeded
	notices        []Notice

	counts     eventrt.Stats
	nameSerial uint64
	era        uint32 // records that were forgotten
	reporters  map[string]*reporter
	scratch    []byte

	// Of the call at hand.
	now               time.Duration // monotonic
	wall              int64         // Unix nanoseconds
	objectHash, hash  uint64        // of the current event
	wake              time.Duration // when Next has something to do
	decided, decision bool          // the current event folds, or does not, by decision
	draining, ended   bool
	drainedAt         time.Duration
	hashMask          uint64 // all ones; tests clear bits to make hashes collide
}

// New returns an empty correlator. The error names every option that can't be used.
func New(o Options) (*Correlator, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	c := &Correlator{
		opts:    o.withDefaults(),
		records: newIndex(func(r *record) **record { return &r.next }),
		objects: newIndex(func(o *object) **object { return &o.next }),
		groups:  newIndex(func(g *group) **group { return &g.next }),
		later:   queue[work]{before: (*work).fallsDueBefore, place: func(w *work) *int { return &w.later }},
		trials:  queue[trial]{before: (*trial).goesBefore, place: func(t *trial) *int { return &t.place }},
		kinds:   map[metav1.TypeMeta]*metav1.TypeMeta{}, lanes: map[string]*lane{}, calls: map[uint64]*work{}, reporters: map[string]*reporter{},
		sweepAt: 2 * idleLanes, look: Never, succeededAt: -storedWithin, succeededBegan: -1, away: -1, hashMask: math.MaxUint64,
	}
	return c, nil
}

// Observe records an occurrence. It returns why the event was rejected, or NoProblem; either way it
// is counted. Wake is when Next has to be called because of it: now or earlier for at once, Never
// if nothing has changed, as for most repeats.
func (c *Correlator) Observe(e *eventrt.Event, now eventrt.Instant) (p eventrt.Problem, wake time.Duration) {
	c.now, c.wall, c.wake = now.Mono, now.Wall.UnixNano(), Never
	c.counts.Recorded++
	if p = e.Problem(); p == eventrt.NoProblem && c.ended {
		p = eventrt.Ended
	}
	if p == eventrt.NoProblem {
		p = c.take(e, now)
	}
	if p != eventrt.NoProblem {
		c.counts.Lost.Rejected++
		return p, Never
	}
	if c.wake <= c.now && !c.hasSlot() {
		return p, Never // an answer comes before
	}
	return p, c.wake
}

// take records an occurrence that has no problem of its own.
func (c *Correlator) take(e *eventrt.Event, now eventrt.Instant) eventrt.Problem {
	o, r := c.find(e)
	if r == nil || c.decided {
		if p := c.unfit(e, o); p != eventrt.NoProblem {
			return p
		}
	}
	c.counts.Pending++
	if r != nil && c.forget(r) { // the object may have gone with it
		o, r = c.findObject(e.Regarding()), nil
	}
	switch {
	case r == nil:
		r = c.resolve(o, e)
	case c.decision:
		r = c.fold(c.groupOf(o, e), e)
	}
	c.occurred(r, e, now)
	if c.now >= c.expireAt {
		c.expire(2)
	}
	c.enforceBounds()
	return eventrt.NoProblem
}

// Known reports whether an owner whose program decides what folds has to ask about an event, and
// whether the event would otherwise count as a repeat of one that is held.
func (c *Correlator) Known(e *eventrt.Event, now eventrt.Instant) (known, ask bool) {
	c.now = now.Mono
	if c.ended || e.Problem() != eventrt.NoProblem {
		return false, false
	}
	o, r := c.find(e)
	return r != nil && !c.expired(r), c.unfit(e, o) == eventrt.NoProblem
}

// ObserveDecided is Observe for an event of which it is decided whether it folds into the aggregate
// of its group. That replaces threshold and budget.
func (c *Correlator) ObserveDecided(e *eventrt.Event, folds bool, now eventrt.Instant) (p eventrt.Problem, wake time.Duration) {
	c.decided, c.decision = true, folds
	p, wake = c.Observe(e, now)
	c.decided, c.decision = false, false
	return p, wake
}

// unfit says why more of an event can't be held than its object o, which is not known before it is
// looked up.
func (c *Correlator) unfit(e *eventrt.Event, o *object) eventrt.Problem {
	switch {
	case o == nil && !isNamespace(e.Regarding().Namespace):
		return eventrt.BadNamespace
	case int64(textBytes(e)) > c.mostOfOne():
		return eventrt.TooLarge
	}
	return eventrt.NoProblem
}

// Disabled counts an occurrence that its owner was told not to record.
func (c *Correlator) Disabled() {
	c.counts.Recorded++
	c.counts.Lost.Disabled++
}

// Next fills to with the write that goes next, if one does. Each write handed out must be answered
// by Done. What to held is overwritten; the room of its slices is used again. Wake is when Next has
// to be called if nothing else happens before: now or earlier for at once, since another write may
// go, or since Next has gone through enough records for one call; Never if there is nothing to
// come.
func (c *Correlator) Next(now eventrt.Instant, to *sink.Write) (ok bool, wake time.Duration) {
	c.now, c.wall, c.wake = now.Mono, now.Wall.UnixNano(), Never
	c.suspect()
	c.settle()
	c.ripen()
	if c.now >= c.expireAt && !c.ended {
		c.expire(mostAtOnce / 2)
	}
	w := c.choose()
	if w != nil {
		w.last = min(w.last, c.wall) // the wall clock may have been ahead
		c.depart(w)
		c.render(w, to)
	}
	if w == nil && c.steps >= mostAtOnce {
		c.wakeBy(c.now) // there may be more
	}
	c.wakeBy(c.look)
	c.wakeBy(c.tidyAt())
	if first := c.later.first(); first != nil {
		c.wakeBy(first.due)
	}
	if len(c.fresh) > 0 {
		c.wakeBy(c.fresh[0].call.began + c.latency.usual())
	}
	if w != nil && c.hasSlot() && (!c.ring.empty() || c.trials.Len() > 0) {
		c.wakeBy(c.now)
	}
	return w != nil, c.wake
}

// Done takes up the answer to a write that Next handed out. It returns what should be logged. An
// answer that comes after Abandon changes nothing.
func (c *Correlator) Done(to *sink.Write, a sink.Answer, now eventrt.Instant) []Notice {
	c.now, c.wall = now.Mono, now.Wall.UnixNano()
	w := c.calls[to.Ticket]
	if w == nil {
		return nil
	}
	k := c.land(w)
	f := c.judge(w, &k, &a)
	if !w.unread() && (a.Outcome == sink.Refused || a.Outcome == 0 || int(a.Outcome) >= len(reactions)) {
		c.notify(Notice{Type: Refused, Namespace: to.Namespace, Err: a.Err})
	}
	turn := w.turn
	c.react(w, &a, f)
	c.pickUp(turn)
	c.calm(w)
	c.enforceBounds()
	notices := c.notices
	c.notices = nil
	return notices
}

// Drain ends recording and lifts schedule, budgets and limits, and what servers have asked to wait:
// everything pending is due, and tried at once. What comes after it is rejected.
func (c *Correlator) Drain(now eventrt.Instant) {
	c.now, c.draining, c.ended, c.drainedAt = now.Mono, true, true, now.Mono
	c.server.probeAt, c.server.vain = min(c.server.probeAt, c.now), 0
	for _, l := range c.lanes {
		l.probeAt, l.vain = min(l.probeAt, c.now), 0
	}
	for _, k := range [...]rank{pendingNormal, pendingWarning} {
		for r := c.ranked[k].first(); r != nil; r = r.ranked.following() {
			w := r.work
			c.noLonger(w)
			w.attempts, w.due = 0, min(w.due, c.now)
			c.arm(w)
		}
	}
	for _, t := range slices.Clone(c.trials.values) {
		c.try(t, c.now)
	}
}

// GivesUp reports, while draining, that everything pending was tried three times, or waits for a
// breaker whose probes have failed as often, and that nothing was stored for half a minute.
func (c *Correlator) GivesUp(now eventrt.Instant) bool {
	if !c.draining || now.Mono-max(c.drainedAt, c.succeededAt) < storedWithin {
		return false
	}
	if c.server.open && c.server.vain >= lastTries {
		return true
	}
	for _, k := range [...]rank{pendingNormal, pendingWarning} {
		for r := c.ranked[k].first(); r != nil; r = r.ranked.following() {
			if r.work.tries < lastTries && !(r.work.lane.open && r.work.lane.vain >= lastTries) {
				return false
			}
		}
	}
	return true
}

const (
	lastTries    = 3
	storedWithin = 30 * time.Second
)

// Abandon gives up what is pending, at most the given number of records at a time, and counts it:
// what an unanswered write carried as unacknowledged, the rest as lost by shutdown. It reports
// whether there is more. Recording has ended with it.
func (c *Correlator) Abandon(most int) (more bool) {
	c.ended, c.draining = true, true
	for _, w := range c.calls {
		w.maybe = max(w.maybe, w.carried)
		w.inFlight, w.turn.busy = false, false
		c.counts.InFlight--
		c.rerank(w.record)
	}
	clear(c.calls)
	c.fresh, c.out, c.stuck = nil, 0, 0
	for _, k := range [...]rank{pendingNormal, pendingWarning} {
		for r := c.ranked[k].first(); r != nil; r = c.ranked[k].first() {
			if most--; most < 0 {
				return true
			}
			w := r.work
			c.lose(w, w.pending, &c.counts.Lost.Shutdown)
			c.unstick(w)
			c.calm(w)
		}
	}
	return false
}

// Stats is a snapshot of the accounting.
func (c *Correlator) Stats() eventrt.Stats {
	s := c.counts
	s.Identities = len(c.all)
	s.Objects = c.objectCount
	s.Bytes = c.held()
	return s
}

// NoticeType is what a Notice reports.
type NoticeType uint8

const (
	Refused NoticeType = iota + 1 // the write was refused for itself
	// the write's event is not taken; others of its object are tried before it
	SteppedAside
	// the breaker of a namespace, or of the server, has opened: it takes nothing for now
	Opened
	Closed  // it takes events again
	Denied  // a right is missing; the denial is confirmed
	Granted // a right that was missing is there
	Gone    // the namespace is gone; what was pending there is lost
)

// Notice is something that the owner should log.
type Notice struct {
	Type      NoticeType
	Namespace string        // empty: the server's breaker, or the event's own
	Err       error         // of the last call
	Took      time.Duration // Closed: how long it was open
	Calls     int           // Closed: failed calls meanwhile
}
