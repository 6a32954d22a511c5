package correlator

import (
	"math"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/dispatch"
	"github.com/event-gen/event-gen/runtime/correlator/internal/list"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/inside"
	"github.com/event-gen/event-gen/runtime/internal/notice"
	"github.com/event-gen/event-gen/runtime/internal/problems"
	"github.com/event-gen/event-gen/runtime/internal/tuning"
	"github.com/event-gen/event-gen/runtime/sink"
)

// internals are the parts of package eventrt that users do not see.
var internals = eventrt.Inside(inside.Key{})

// Correlator is the recording state. It does no I/O, starts nothing and reads no clock. It is not
// safe for concurrent use: its owner holds a lock around each call, and no longer. Calls take
// microseconds; long work on many records is done in steps.
type Correlator struct {
	opts   Options
	writer writerOptions
	d      *dispatch.Dispatcher // what is due, and what goes next

	// What is held: identity.go, record.go.
	records     list.Index[record]
	objects     list.Index[object]
	all         []*record
	ranked      [ranks]list.List[record]
	objectCount int
	bytes       int64         // of idle records
	transient   int64         // of the state that exists only while something is pending
	expireAt    time.Duration // monotonic: when an idle record may have expired

	// What is pending, by namespace: namespaces.go.
	namespaces   map[string]*namespace
	greedy       list.Queue[namespace] // the one with the most pending bytes comes first
	pendingBytes int64                 // of all namespaces
	shrinks      bool                  // the bounds do not hold yet
	evicted      notice.Notice         // of the last event evicted; no type: none since Notices
	leftOut      notice.Notice         // of the last label left out; likewise

	counts     eventrt.Stats
	nameSerial uint64
	era        uint32 // records that were forgotten
	reporters  map[string]*reporter
	scratch    []byte

	// Of the call at hand.
	now              time.Duration // monotonic
	wall             int64         // Unix nanoseconds
	objectHash, hash uint64        // of the current event
	decision         decision      // about the current event
	ended            bool
	hashMask         uint64 // all ones; tests clear bits to make hashes collide
}

// decision says who decides whether an event is aggregated.
type decision uint8

const (
	byBudget decision = iota // and by threshold
	alone                    // the owner: it is not
	combined                 // the owner: it is
)

// New returns an empty correlator. The error names every option that can't be used.
func New(o Options, w tuning.Writer[Identity]) (*Correlator, error) {
	if err := validate(o, w); err != nil {
		return nil, err
	}
	o, w = o.withDefaults(), writerDefaults(w)
	return &Correlator{
		opts: o, writer: w,
		d: dispatch.New(dispatch.Options{
			RetryDelay: o.tuning.RetryDelay, MaxRetryDelay: o.tuning.MaxRetryDelay, MaxAsked: o.MaxInterval,
			WriteTimeout: w.WriteTimeout, MaxInFlight: o.tuning.MaxInFlight, Seed: w.Tag,
		}),
		records:    list.NewIndex(func(r *record) **record { return &r.next }),
		objects:    list.NewIndex(func(o *object) **object { return &o.next }),
		greedy:     list.NewQueue(holdsMore, func(n *namespace) *int { return &n.place }),
		namespaces: map[string]*namespace{},
		reporters:  map[string]*reporter{},
		hashMask:   math.MaxUint64,
	}, nil
}

// at begins a call.
func (c *Correlator) at(now clock.Instant) { c.now, c.wall = now.Mono, now.Wall.UnixNano() }

// Observe records an occurrence. It returns why the event was rejected, or NoProblem; either way it
// counts the occurrence. Wake is the time at which the owner has to call Next because of it. Now or
// earlier means at once; Never means no change, as for most repeats.
func (c *Correlator) Observe(e *eventrt.Event, now clock.Instant) (p eventrt.Problem, wake time.Duration) {
	c.decision = byBudget
	if c.opts.tuning.Aggregate != nil {
		c.decision = c.decided(e, now)
	}
	c.at(now)
	c.d.At(now.Mono)
	c.counts.Recorded++
	if p = e.Problem(); p == eventrt.NoProblem && c.ended {
		p = problems.Ended
	}
	if p == eventrt.NoProblem {
		p = c.count(e, now)
	}
	if p != eventrt.NoProblem {
		c.counts.Lost.Rejected++
		return p, clock.Never
	}
	switch wake = c.d.Woken(); {
	case c.shrinks:
		return p, c.now
	case wake <= c.now && c.d.Full():
		return p, clock.Never // an answer comes before
	}
	return p, wake
}

// count records an occurrence that has no problem of its own.
func (c *Correlator) count(e *eventrt.Event, now clock.Instant) eventrt.Problem {
	o, r := c.find(e)
	if r == nil || c.decision != byBudget {
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
	case c.decision == combined:
		r = c.intoAggregate(c.groupOf(o, e), e)
	}
	c.occurred(r, e, now)
	if c.now >= c.expireAt {
		c.expire(2)
	}
	c.enforceBounds()
	return eventrt.NoProblem
}

// decided asks Tuning.Aggregate about an event, unless the event is going to be rejected.
func (c *Correlator) decided(e *eventrt.Event, now clock.Instant) decision {
	c.now = now.Mono
	if e.Problem() != eventrt.NoProblem || c.ended {
		return alone
	}
	o, r := c.find(e)
	if c.unfit(e, o) != eventrt.NoProblem {
		return alone
	}
	asked, known, yes := *e, r != nil && !c.expired(r), false
	c.writer.Unlocked(func() { yes = c.opts.tuning.Aggregate(asked, known) })
	if yes {
		return combined
	}
	return alone
}

// unfit returns why the correlator can't hold an event, or NoProblem. o is the event's object; nil
// if no record has it yet.
func (c *Correlator) unfit(e *eventrt.Event, o *object) eventrt.Problem {
	switch {
	case o == nil && !isNamespace(e.Regarding().Namespace):
		return problems.BadNamespace
	case textBytes(e) > c.mostOfOne():
		return problems.TooLarge
	}
	return eventrt.NoProblem
}

// Next fills to with the write that goes next, if one does. The owner must answer each write with
// Done. Next overwrites *to and reuses its slices. Wake is the time at which the owner has to call
// Next again if nothing else happens before. Now or earlier means at once: another write may go, or
// Next has gone through enough records for one call. Never means that nothing is to come.
func (c *Correlator) Next(now clock.Instant, to *sink.Write) (ok bool, wake time.Duration) {
	c.at(now)
	c.d.Begin(now.Mono)
	if c.now >= c.expireAt && !c.ended {
		c.expire(dispatch.MostAtOnce / 2)
	}
	steps := dispatch.MostAtOnce
	ok = c.takeNext(&steps, to)
	c.enforceBounds() // lanes may have been made
	if wake = min(c.d.Wake(ok), c.tidyAt()); !ok && steps <= 0 || c.shrinks {
		wake = min(wake, c.now) // there may be more
	}
	return ok, wake
}

// takeNext fills to with the write that goes next. Items that the dispatcher gives up on the way
// are lost.
func (c *Correlator) takeNext(steps *int, to *sink.Write) (ok bool) {
	for {
		i, timeout, v := c.d.Next(steps)
		switch v {
		case dispatch.None:
			return false
		case dispatch.Refused:
			c.refuseHere(workOf(i))
		case dispatch.Overdue:
			c.expireWait(workOf(i))
		case dispatch.Send:
			c.begins(workOf(i))
			c.render(workOf(i), to)
			to.Timeout = timeout
			return true
		}
	}
}

// begins notes that a write of a record begins.
func (c *Correlator) begins(w *work) {
	w.ranked.Leave()
	w.within.Leave()
	w.last, w.wrote = min(w.last, c.wall), c.now // the wall clock may have been ahead
	if !w.unread() {
		w.carried = w.pending
	}
}

// Done processes the answer to a write that Next handed out. It returns the notices to log. An
// answer after Abandon changes nothing.
func (c *Correlator) Done(to *sink.Write, a sink.Answer, now clock.Instant) []notice.Notice {
	c.at(now)
	i, kept := c.d.Done(to.Ticket, &a, c.now)
	if i == nil {
		return nil
	}
	w, notices := workOf(i), []notice.Notice(nil)
	if !w.unread() && (a.Outcome == sink.Refused || a.Outcome == 0 || int(a.Outcome) >= len(reactions)) {
		notices = append(notices, notice.Notice{Type: notice.Refused, Namespace: to.Namespace, Err: a.Err})
	}
	if a.MaybeStored && a.Outcome == sink.Refused { // as after a panic of the sink
		w.mayBeStored()
	}
	c.react(w, &a, kept)
	c.settle(w)
	c.enforceBounds()
	return append(notices, c.d.Notices()...)
}

// Notices returns, once, what Observe, Next and Drain have found: that an event was evicted, that a
// label was left out, or that calls have no answer.
func (c *Correlator) Notices() []notice.Notice {
	notices := c.d.Notices()
	for _, n := range [...]*notice.Notice{&c.evicted, &c.leftOut} {
		if n.Type != 0 {
			notices = append(notices, *n)
			*n = notice.Notice{}
		}
	}
	return notices
}

// Drain ends recording; later occurrences are rejected. It lifts schedule, budgets, limits and the
// waits that servers have asked for: everything pending is due, and is tried at once. End is the
// monotonic moment at which the owner gives up (Never: none). Drain returns the tickets of slow
// calls that began before it. The owner should cancel them, so that their writes go again, and call
// Drain once more a second later.
func (c *Correlator) Drain(now clock.Instant, end time.Duration) (slow []uint64) {
	c.now, c.ended = now.Mono, true
	again := c.d.Draining()
	if slow = c.d.Drain(c.now, end); again {
		return slow
	}
	for _, k := range [...]rank{pendingNormal, pendingWarning} {
		for r := c.ranked[k].First(); r != nil; r = r.ranked.Following() {
			c.d.Hurry(&r.work.Item)
		}
	}
	return slow
}

// Abandon gives up pending occurrences, of at most the given number of records at a time. It counts
// those that an unanswered write carried as unacknowledged, and the rest as lost by shutdown. It
// reports whether there is more. It also ends recording.
func (c *Correlator) Abandon(most int) (more bool) {
	c.ended = true
	for _, i := range c.d.Abandon() {
		w := workOf(i)
		w.mayBeStored()
		c.rerank(w.record)
	}
	for _, k := range [...]rank{pendingNormal, pendingWarning} {
		for r := c.ranked[k].First(); r != nil; r = c.ranked[k].First() {
			if most--; most < 0 {
				return true
			}
			c.lose(r.work, r.work.pending, &c.counts.Lost.Shutdown)
			c.endWork(r.work)
			c.rerank(r)
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
	s.InFlight, s.Failing = c.d.InFlight(), c.d.SteppedAside()
	return s
}
