package correlator

import (
	"math"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// Correlator is the recording state. It does no I/O, starts nothing and reads no clock. It is not
// safe for concurrent use: its owner holds a lock around each call, and no longer. Calls take
// microseconds; long work on many records is done in steps.
type Correlator struct {
	opts Options
	who  Writer

	// What is held: identity.go, record.go.
	records     index[record]
	objects     index[object]
	all         []*record
	ranked      [ranks]list[record]
	objectCount int
	bytes       int64         // of idle records
	transient   int64         // of the state that exists only while something is pending
	expireAt    time.Duration // monotonic: when an idle record may have expired

	// What is pending, by namespace: namespaces.go.
	namespaces   map[string]*namespace
	greedy       queue[namespace] // the one with the most pending bytes comes first
	pendingBytes int64            // of all namespaces
	shrinks      bool             // the bounds do not hold yet
	evictedFrom  string           // the namespace of the event that was evicted last

	// What is due: schedule.go, limit.go.
	later   queue[work]
	serial  uint64
	buckets []*bucket
	tokenAt time.Duration // monotonic: when there may be a token

	// What goes next: lanes.go, calls.go.
	lanes      map[laneKey]*lane
	proven     list[lane]  // with something due, served since a proven lane failed last
	unproven   list[lane]  // with something due, not served since
	backingOff queue[lane] // with something due, and failed or with a write that has failed
	calls      []*work     // in flight, in the order in which they began
	trials     int         // of these, likely to fail, and not slow
	ticket     uint64
	steps      int

	// Trouble: gate.go, answer.go.
	server       gate
	provenFrom   time.Duration // when a proven lane failed last
	failingLanes int           // lanes that fail or are denied
	lastOnset    time.Duration // when a lane last began to fail
	nextTrial    time.Duration // when the last of the lanes that back off is tried
	saidAway     bool          // the last failure of the server had its scope
	away         time.Duration // when the server was away last
	failureShare float64       // the share of first tries that fail
	succeededAt  time.Duration // when something was stored last
	slowSuccess  time.Duration // when a slow call last succeeded
	notices      []Notice

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
	decided, decision bool          // the current event is aggregated, or is not, by decision
	draining, ended   bool
	drainedAt, end    time.Duration
	hashMask          uint64 // all ones; tests clear bits to make hashes collide
}

// New returns an empty correlator. The error names every option that can't be used.
func New(o Options, w Writer) (*Correlator, error) {
	if err := validate(o, w); err != nil {
		return nil, err
	}
	c := &Correlator{
		opts:       o.withDefaults(),
		who:        w.withDefaults(),
		records:    newIndex(func(r *record) **record { return &r.next }),
		objects:    newIndex(func(o *object) **object { return &o.next }),
		later:      queue[work]{before: (*work).fallsDueBefore, place: func(w *work) *int { return &w.later }},
		backingOff: queue[lane]{before: (*lane).goesBefore, place: func(l *lane) *int { return &l.place }},
		greedy:     queue[namespace]{before: (*namespace).holdsMoreThan, place: func(n *namespace) *int { return &n.place }},
		namespaces: map[string]*namespace{},
		lanes:      map[laneKey]*lane{}, reporters: map[string]*reporter{},
		tokenAt: Never, succeededAt: -storedWithin, slowSuccess: -slowRemembered, away: -1, hashMask: math.MaxUint64,
	}
	return c, nil
}

// Observe records an occurrence. It returns why the event was rejected, or NoProblem; either way it
// counts the occurrence. Wake is the time at which the owner has to call Next because of it. Now or
// earlier means at once; Never means no change, as for most repeats.
func (c *Correlator) Observe(e *eventrt.Event, now eventrt.Instant) (p eventrt.Problem, wake time.Duration) {
	c.now, c.wall, c.wake = now.Mono, now.Wall.UnixNano(), Never
	c.counts.Recorded++
	if p = e.Problem(); p == eventrt.NoProblem && c.ended {
		p = eventrt.Ended
	}
	if p == eventrt.NoProblem {
		p = c.count(e, now)
	}
	if p != eventrt.NoProblem {
		c.counts.Lost.Rejected++
		return p, Never
	}
	switch {
	case c.shrinks:
		c.wakeBy(c.now)
	case c.wake <= c.now && !c.hasSlot():
		return p, Never // an answer comes before
	}
	return p, c.wake
}

// count records an occurrence that has no problem of its own.
func (c *Correlator) count(e *eventrt.Event, now eventrt.Instant) eventrt.Problem {
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
		r = c.intoAggregate(c.groupOf(o, e), e)
	}
	c.occurred(r, e, now)
	if c.now >= c.expireAt {
		c.expire(2)
	}
	c.enforceBounds()
	return eventrt.NoProblem
}

// ObserveAggregating is Observe with a function in place of threshold and budget: decide reports
// whether the event is aggregated. Its argument is true if the event would
// otherwise count as a repeat of a held one. Decide may release the owner's lock while it runs. It
// is not called for a rejected event.
func (c *Correlator) ObserveAggregating(e *eventrt.Event, now eventrt.Instant, decide func(known bool) bool) (p eventrt.Problem, wake time.Duration) {
	aggregates := false
	if c.now = now.Mono; e.Problem() == eventrt.NoProblem && !c.ended {
		if o, r := c.find(e); c.unfit(e, o) == eventrt.NoProblem {
			aggregates = decide(r != nil && !c.expired(r))
		}
	}
	c.decided, c.decision = true, aggregates
	p, wake = c.Observe(e, now)
	c.decided, c.decision = false, false
	return p, wake
}

// unfit returns why the correlator can't hold an event, or NoProblem. o is the event's object; nil
// if no record has it yet.
func (c *Correlator) unfit(e *eventrt.Event, o *object) eventrt.Problem {
	switch {
	case o == nil && !isNamespace(e.Regarding().Namespace):
		return eventrt.BadNamespace
	case textBytes(e) > c.mostOfOne():
		return eventrt.TooLarge
	}
	return eventrt.NoProblem
}

// Disabled counts an occurrence that its owner was told not to record.
func (c *Correlator) Disabled() {
	c.counts.Recorded++
	c.counts.Lost.Disabled++
}

// Next fills to with the write that goes next, if one does. The owner must answer each write with
// Done. Next overwrites *to and reuses its slices. Wake is the time at which the owner has to call
// Next again if nothing else happens before. Now or earlier means at once: another write may go, or
// Next has gone through enough records for one call. Never means that nothing is to come.
func (c *Correlator) Next(now eventrt.Instant, to *sink.Write) (ok bool, wake time.Duration) {
	c.now, c.wall, c.wake = now.Mono, now.Wall.UnixNano(), Never
	c.markSlow()
	c.grantTokens()
	c.queueDue()
	if c.now >= c.expireAt && !c.ended {
		c.expire(mostAtOnce / 2)
	}
	w := c.choose()
	if w != nil {
		w.last = min(w.last, c.wall) // the wall clock may have been ahead
		to.Timeout = c.timeoutOf(w)
		c.startCall(w)
		c.render(w, to)
	}
	c.enforceBounds() // lanes may have been made
	if w == nil && c.steps >= mostAtOnce || c.shrinks {
		c.wakeBy(c.now) // there may be more
	}
	c.wakeBy(c.tokenAt)
	c.wakeBy(c.tidyAt())
	if first := c.later.first(); first != nil {
		c.wakeBy(first.due)
	}
	c.wakeBy(c.slowAt())
	if w != nil && (!c.proven.empty() || !c.unproven.empty() || c.backingOff.Len() > 0) {
		c.wakeBy(c.now)
	}
	return w != nil, c.wake
}

// Done processes the answer to a write that Next handed out. It returns the notices to log. An
// answer after Abandon changes nothing.
func (c *Correlator) Done(to *sink.Write, a sink.Answer, now eventrt.Instant) []Notice {
	c.now, c.wall = now.Mono, now.Wall.UnixNano()
	w := c.callOf(to.Ticket)
	if w == nil {
		return nil
	}
	k := c.endCall(w)
	f := c.judge(w, &k, &a)
	if !w.unread() && (a.Outcome == sink.Refused || a.Outcome == 0 || int(a.Outcome) >= len(reactions)) {
		c.notify(Notice{Type: Refused, Namespace: to.Namespace, Err: a.Err})
	}
	if a.MaybeStored && a.Outcome == sink.Refused { // as after a panic of the sink
		w.maybe = max(w.maybe, w.carried)
	}
	turn := w.turn
	c.react(w, &a, f)
	c.resumeObject(turn)
	c.releaseIfIdle(w)
	c.enforceBounds()
	notices := c.notices
	c.notices = nil
	return notices
}

// Drain ends recording; later occurrences are rejected. It lifts schedule, budgets, limits and the
// waits that servers have asked for: everything pending is due, and is tried at once. End is the
// monotonic moment at which the owner gives up (Never: none). Drain returns the tickets of slow
// calls that began before it. The owner should cancel them, so that their writes go again, and call
// Drain once more a second later.
func (c *Correlator) Drain(now eventrt.Instant, end time.Duration) (slow []uint64) {
	c.now = now.Mono
	if !c.draining {
		c.draining, c.ended, c.drainedAt, c.end = true, true, now.Mono, end
		c.makeAllDue()
	}
	c.markSlow()
	for _, w := range c.calls[:c.server.slow] {
		if w.call.began < c.drainedAt {
			slow = append(slow, w.call.ticket)
		}
	}
	return slow
}

// makeAllDue makes every pending write due at once.
func (c *Correlator) makeAllDue() {
	for _, l := range c.lanes { // this keeps the order of waiting lanes
		if !l.denial.confirmed {
			l.next = min(l.next, c.now)
		}
	}
	for _, k := range [...]rank{pendingNormal, pendingWarning} {
		for r := c.ranked[k].first(); r != nil; r = r.ranked.following() {
			w := r.work
			c.stopWaiting(w)
			w.attempts, w.due = 0, min(w.due, c.now)
			c.arm(w)
		}
	}
}

// storedWithin is how long a success shows that the server takes events.
const storedWithin = 30 * time.Second

// Abandon gives up pending occurrences, of at most the given number of records at a time. It counts
// those that an unanswered write carried as unacknowledged, and the rest as lost by shutdown. It
// reports whether there is more. It also ends recording.
func (c *Correlator) Abandon(most int) (more bool) {
	c.ended, c.draining = true, true
	for _, w := range c.calls {
		w.maybe = max(w.maybe, w.carried)
		w.inFlight, w.turn.busy = false, false
		c.counts.InFlight--
		c.rerank(w.record)
	}
	c.calls, c.server.calls, c.server.slow = nil, 0, 0
	for _, k := range [...]rank{pendingNormal, pendingWarning} {
		for r := c.ranked[k].first(); r != nil; r = c.ranked[k].first() {
			if most--; most < 0 {
				return true
			}
			w := r.work
			c.lose(w, w.pending, &c.counts.Lost.Shutdown)
			c.endStepAside(w)
			c.releaseIfIdle(w)
		}
	}
	return false
}

// EvictedFrom returns the namespace of the event that was evicted last; empty: none was.
func (c *Correlator) EvictedFrom() string { return c.evictedFrom }

// Stats is a snapshot of the accounting.
func (c *Correlator) Stats() eventrt.Stats {
	s := c.counts
	s.Identities = len(c.all)
	s.Objects = c.objectCount
	s.Bytes = c.held()
	return s
}

// NoticeType is the subject of a Notice.
type NoticeType uint8

const (
	Refused NoticeType = iota + 1 // the write was refused for itself
	// the server does not take the event; other events of its object are tried before it
	SteppedAside
	Opened // a namespace, or the server, takes no events for now
	Closed // it takes events again
	Denied // the right to create is missing; the denial is confirmed
	// the right to update is missing; the denial is confirmed; pending occurrences go into new
	// events
	UpdatesDenied
	Granted // a right that was missing is there
	Gone    // the namespace is gone; its pending occurrences are lost
)

// Notice is something that the owner should log.
type Notice struct {
	Type      NoticeType
	Namespace string        // empty: the server, or the event's own
	Err       error         // of the last call
	Took      time.Duration // Closed: how long it was open
	Calls     int           // Closed: failed calls meanwhile
}
