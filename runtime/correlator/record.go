package correlator

import (
	"math"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// record is all occurrences that count as one event.
type record struct {
	def   *eventrt.Definition
	group *group
	args  []eventrt.Arg
	more  *more // nil: none
	work  *work // nil while idle

	ranked link[record] // among the records of its rank
	next   *record      // of the same hash
	hash   uint64
	place  int // in Correlator.all

	// unique, in Unix nanoseconds: close to the wall clock when the record, or its unique name, was
	// made
	serial  uint64
	version uint64        // the stored event's resource version
	last    int64         // the last occurrence: wall, Unix nanoseconds
	wrote   time.Duration // monotonic: when the last write began, if there was one
	// occurrences that were recorded here and are not lost, pending ones included; saturates
	count uint32
	base  uint32 // further occurrences that the stored event stands for, written by others
	era   uint32 // Correlator.era when the record was made

	name       nameHash // of the event
	generation uint8    // of the name: 0, or 1 once an update of the first event was invalid
	step       uint8    // writes since it was last quiet for its window
	mark       uint8    // the sink's
	presence   presence
	tagged     bool // its name is this correlator's own, and is used once
	replaced   bool // updates are refused: each write of the schedule goes into a new event
}

// presence is the correlator's knowledge of an event on the server.
type presence uint8

const (
	absent presence = iota // as far as the correlator knows; a create comes next
	taken                  // a create was answered that the name is taken; a Read comes next
	// it was there, and a write got a conflict or no answer; a Read comes next
	unsure
	present // it is there, at the record's version
)

// created reports whether a request for the record's event is a patch.
func (r *record) created() bool { return r.presence != absent }

// unread reports whether a Read comes next.
func (r *record) unread() bool { return r.presence == taken || r.presence == unsure }

func (r *record) warning() bool { return r.def.Type == eventrt.Warning }

func (r *record) add(n uint32) { r.count += min(n, math.MaxUint32-r.count) }

// extra returns the content beyond the arguments. It must not be changed.
func (r *record) extra() *more {
	if r.more == nil {
		return &noMore
	}
	return r.more
}

var noMore more

// more holds content that few events have.
type more struct {
	related     eventrt.ObjectRef
	fieldPath   string
	annotations []eventrt.Annotation
	latest      []eventrt.Arg // the arguments of the latest occurrence; nil: record.args
	aggregated  *aggregated   // of an aggregate
}

// aggregated describes the occurrences that an aggregate stands for.
type aggregated struct {
	def      *eventrt.Definition // of the latest
	args     []eventrt.Arg
	related  eventrt.ObjectRef
	hash     uint64 // of the latest
	distinct map[uint64]struct{}
}

// object is a regarding object with at least one record.
type object struct {
	namespace, name, uid string
	kind                 metav1.TypeMeta
	hash                 uint64
	next                 *object // of the same hash
	turn                 *turn   // nil while nothing of the object has work
	groups               *group
	first                group // room for one of its groups; most objects have no other
}

// group counts what one {object, reason, type, controller} has created, for threshold and budget.
type group struct {
	object     *object
	by         *reporter
	def        *eventrt.Definition // any of the group's: all agree in reason and type
	next       *group              // of the same object
	budget     time.Duration       // monotonic: when the budget will be full again
	windowEnds time.Duration       // monotonic: when counting distinct messages begins anew
	aggregate  *record             // the record that stands for aggregated occurrences
	distinct   int32               // records made during the window
	records    int32
}

// work is the state of a record while it has something pending or a write in flight. Every recorded
// occurrence is written (acknowledged), pending or lost. A write in flight carries a part of the
// pending ones.
type work struct {
	*record
	turn    *turn
	room    turn // memory for the object's turn, if this is its first work
	lane    *lane
	pending uint64
	carried uint64 // of pending: in the write in flight, or in the last one before a Read
	maybe   uint64 // the most of pending that an unanswered write may have stored
	// the UID that a Read has found; an event created anew under the same name has another
	found types.UID
	// wall, Unix nanoseconds: the first occurrence of the stored event that the next update joins;
	// 0: none
	joins        int64
	dropped      []string      // annotations that this update removes
	refused      time.Duration // monotonic: when an update was refused, none taken since; 0: never
	first        int64         // wall, Unix nanoseconds: of the first pending occurrence
	since        time.Duration // monotonic: when it became pending
	due          time.Duration // monotonic: when the next write is wanted
	failingSince time.Duration // monotonic: when the write at hand first failed, if failed is set
	objectRV     uint64        // the regarding object's resource version, for the reference

	// among the works of its object: the ones that wait for their first create, or are set aside
	order  link[work]
	line   link[work] // among the works of its lane that are due
	later  int        // its place in the queue of what falls due later
	armed  uint64     // when it was put there, as a serial number
	waiter *waiter    // for a token of its limit; nil: it does not wait

	namespace *namespace
	within    link[work] // among the pending works of the namespace
	charged   int64      // bytes that count for the namespace

	call     call
	inFlight bool // a write is out
	// the event that may hold maybe was there before, and may be gone by now
	maybeGone bool
	attempts  uint8 // tries of the write at hand that were not acknowledged
	failed    bool  // the write at hand has failed
	failing   bool  // it has failed so often that the object's other works do not wait for it
	paid      bool  // the write at hand has a token of its limit
}

// gone notes that the event is not there. What an unanswered write may have stored went with it.
func (w *work) gone() { w.presence, w.maybeGone = absent, w.maybe > 0 }

// turn is the state of an object while any of its records has work. Writes about one object go one
// at a time, and its first creates in the order of recording.
type turn struct {
	creates  list[work] // that wait for their first create
	aside    list[work] // updates that fell due while a write of the object was in flight
	warnings int        // Warnings that wait for their first create
	works    int
	busy     bool // a write is in flight
}

// waitsForCreate reports whether a work waits for its first create, in the order of its object.
func (w *work) waitsForCreate() bool { return w.order.in == &w.turn.creates }

// startWork gives an idle record its work, the state that it needs while something is pending.
func (c *Correlator) startWork(r *record) *work {
	o := r.group.object
	w := &work{record: r, lane: c.useLane(r)}
	if o.turn == nil {
		o.turn = &w.room
	}
	r.work, w.turn = w, o.turn
	w.turn.works++
	c.transient += r.workBytes()
	c.joinNamespace(w)
	return w
}

// endWork removes a record's work. The record is idle from then on.
func (c *Correlator) endWork(w *work) {
	c.disarm(w)
	c.stopWaiting(w)
	c.unqueue(w)
	w.order.leave()
	r, o := w.record, w.group.object
	r.work = nil
	if o.turn.works--; o.turn.works == 0 {
		o.turn = nil
	}
	c.leaveNamespace(w)
	c.releaseLane(w.lane)
	c.transient -= r.workBytes()
}

// rank decides which record gives way when a bound is reached (leastWorth). A record with a write
// in flight has no rank.
type rank uint8

const (
	idleNormal rank = iota
	idleWarning
	pendingNormal
	pendingWarning
	ranks
)

func (r *record) deserves() rank {
	k := idleNormal
	if r.work != nil && r.work.pending > 0 {
		k = pendingNormal
	}
	if r.warning() {
		k++
	}
	return k
}

// rerank makes a record the youngest of the rank that it deserves.
func (c *Correlator) rerank(r *record) {
	q := &c.ranked[r.deserves()]
	if q.tail != &r.ranked {
		r.ranked.leave()
		q.push(&r.ranked, r)
	}
	w := r.work
	if w == nil || w.pending == 0 {
		return
	}
	own := &w.namespace.pending[r.deserves()-pendingNormal]
	if own.tail != &w.within {
		w.within.leave()
		own.push(&w.within, w)
	}
}
