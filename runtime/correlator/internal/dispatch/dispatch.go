package dispatch

import (
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/list"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/notice"
	"github.com/event-gen/event-gen/runtime/sink"
)

// MostAtOnce bounds the number of items that one call goes through: the call holds up recording
// goroutines.
const MostAtOnce = 256

// Options tune a dispatcher.
type Options struct {
	RetryDelay, MaxRetryDelay time.Duration
	MaxAsked                  time.Duration // the most that a server's Retry-After counts for
	WriteTimeout              time.Duration
	MaxInFlight               int
	Seed                      uint64 // of the delays that conflicts draw
}

// Work is what an item stands for.
type Work interface{ Facts() Facts }

// Facts are what decides about an item's next write. They change only while the item is in flight,
// or has just been handed out.
type Facts struct {
	Namespace string
	Route     Route
	Object    uint64 // a hash
	Warning   bool
	Limit     *eventrt.Limit // nil: none
}

// Item is one thing to write.
type Item struct {
	work     Work
	sequence *Sequence
	lane     *lane
	place    place
	due      time.Duration   // monotonic: when the next write is wanted
	order    list.Link[Item] // in its sequence: among creates, or set aside
	line     list.Link[Item] // among the items of its lane that are due
	later    int             // its place in Dispatcher.later
	waiter   *waiter         // for a token of its limit; nil: it does not wait

	call         call
	tries        uint8         // of the write at hand that were not acknowledged
	failingSince time.Duration // monotonic: when the write at hand first failed; 0: it has not
	aside        bool          // it fails always; others of its object do not wait for it
	paid         bool          // the write at hand has a token of its limit
}

// Tries returns the number of tries of the write at hand that were not acknowledged.
func (i *Item) Tries() uint8 { return i.tries }

// InFlight reports whether a write of the item is with the server.
func (i *Item) InFlight() bool { return i.place == inFlight }

// SteppedAside reports whether the item lets others of its object go first, since it always fails.
func (i *Item) SteppedAside() bool { return i.aside }

// Namespace returns the namespace of the item's lane.
func (i *Item) Namespace() string { return i.lane.namespace }

// Ticket returns the number of the item's call.
func (i *Item) Ticket() uint64 { return i.call.ticket }

// Work returns what the item stands for.
func (i *Item) Work() Work { return i.work }

// Denied reports whether the item's lane lacks a right.
func (i *Item) Denied() bool { return i.lane.denial.cause == sink.Forbidden }

// Dispatcher orders items.
type Dispatcher struct {
	opts Options
	now  time.Duration // monotonic
	wake time.Duration // when Next has something to do

	// What is due: place.go, limit.go.
	later   list.Queue[Item]
	buckets []*bucket

	// What goes next: lanes.go, calls.go.
	lanes     map[laneKey]*lane
	proven    list.List[lane]  // with something due, served since a proven lane failed last
	unproven  list.List[lane]  // with something due, not served since
	inBackoff list.Queue[lane] // with something due, and failed or with an item that has
	calls     []*Item          // in flight, in the order in which they began
	slow      int              // of these, without an answer for slowAfter or longer
	ticket    uint64

	// Trouble: gate.go, answer.go, retry.go.
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
	steppedAside int           // items
	notices      []notice.Notice

	drainedAt, end time.Duration // Never: Drain was not called
}

// New returns a dispatcher without items.
func New(o Options) *Dispatcher {
	return &Dispatcher{
		opts:  o,
		later: list.NewQueue(fallsDueBefore, func(i *Item) *int { return &i.later }),
		lanes: map[laneKey]*lane{}, inBackoff: list.NewQueue(goesBefore, func(l *lane) *int { return &l.place }),
		succeededAt: -noStoreFor, slowSuccess: -slowRemembered, away: -1, drainedAt: clock.Never,
	}
}

// noStoreFor is how long nothing seems to have been stored, at first.
const noStoreFor = 30 * time.Second

// At begins a call that may make items due.
func (d *Dispatcher) At(now time.Duration) { d.now, d.wake = now, clock.Never }

// Add takes an item, which then waits for a call of Due. Items of one sequence go one at a time.
func (d *Dispatcher) Add(i *Item, w Work, s *Sequence) {
	f := w.Facts()
	i.work, i.sequence, i.lane = w, s, d.useLane(laneKey{f.Namespace, f.Route})
	s.items++
}

// Remove gives an item back that is not in flight.
func (d *Dispatcher) Remove(i *Item) {
	d.leave(i)
	d.Ended(i)
	d.releaseLane(i.lane)
	i.sequence.items--
}

// Verdict says what an item that Next returns is to do.
type Verdict uint8

const (
	None    Verdict = iota // there is no item
	Send                   // it is in flight; Done takes the answer
	Refused                // the server would refuse it
	Overdue                // it has waited too long for a token of its limit
)

// Begin begins a call that asks for items by Next.
func (d *Dispatcher) Begin(now time.Duration) {
	d.At(now)
	d.markSlow()
	d.grantTokens()
	d.queueDue()
}

// Next returns an item and what it is to do; a call may take as long as timeout says. Each item
// that Next goes through takes one of steps. A refused item must become due again, or be removed.
func (d *Dispatcher) Next(steps *int) (i *Item, timeout time.Duration, v Verdict) {
	if i = d.overdue(); i != nil {
		return i, 0, Overdue
	}
	i, v = d.choose(steps)
	if v == Send {
		timeout = d.timeoutOf(i)
		d.startCall(i)
	}
	return i, timeout, v
}

// Wake returns when the owner has to call Begin and Next again. Sent means that Next has returned a
// write since Begin.
func (d *Dispatcher) Wake(sent bool) time.Duration {
	d.wakeBy(d.tokenAt())
	if first := d.later.First(); first != nil {
		d.wakeBy(first.due)
	}
	d.wakeBy(d.slowAt())
	if sent && (!d.proven.Empty() || !d.unproven.Empty() || d.inBackoff.Len() > 0) {
		d.wakeBy(d.now)
	}
	return d.wake
}

// Woken returns when Next has something to do because of what has become due since At.
func (d *Dispatcher) Woken() time.Duration { return d.wake }

// Full reports whether no item may be in flight any more before an answer comes.
func (d *Dispatcher) Full() bool { return !d.hasSlot() }

// Done takes the answer to a call. It returns the call's item; nil: there is no such call. Kept
// means that the item did not cause its answer: it stays pending, and goes again when its lane may
// write.
func (d *Dispatcher) Done(ticket uint64, a *sink.Answer, now time.Duration) (i *Item, kept bool) {
	d.At(now)
	if i = d.callOf(ticket); i == nil {
		return nil, false
	}
	k := d.endCall(i)
	return i, d.judge(i, &k, a)
}

// Drain lifts limits and the waits that servers have asked for. It returns the slow calls that
// began before it. End is when the owner gives up.
func (d *Dispatcher) Drain(now, end time.Duration) (slow []uint64) {
	d.At(now)
	if !d.Draining() {
		d.drainedAt, d.end = now, end
		for _, l := range d.lanes { // this keeps the order of waiting lanes
			if !l.denial.confirmed {
				l.notBefore = min(l.notBefore, now)
			}
		}
	}
	d.markSlow()
	for _, i := range d.calls[:d.slow] {
		if i.call.began < d.drainedAt {
			slow = append(slow, i.call.ticket)
		}
	}
	return slow
}

// Draining reports whether Drain was called.
func (d *Dispatcher) Draining() bool { return d.drainedAt != clock.Never }

// Abandon gives up all calls, and returns their items. Their answers are not taken any more.
func (d *Dispatcher) Abandon() (items []*Item) {
	d.drainedAt = min(d.drainedAt, d.now)
	items = d.calls
	for _, i := range items {
		i.place, i.sequence.busy = idle, false
	}
	d.calls, d.slow = nil, 0
	return items
}

// InFlight returns the number of calls in flight.
func (d *Dispatcher) InFlight() int { return len(d.calls) }

// SteppedAside returns the number of items that let others go first.
func (d *Dispatcher) SteppedAside() int { return d.steppedAside }

// Bytes estimates the memory of the dispatcher without its items.
func (d *Dispatcher) Bytes() int64 { return int64(len(d.lanes)) * laneBytes }

// Notices returns, once, what the owner should log.
func (d *Dispatcher) Notices() []notice.Notice {
	n := d.notices
	d.notices = nil
	return n
}

func (d *Dispatcher) notify(n notice.Notice) { d.notices = append(d.notices, n) }
