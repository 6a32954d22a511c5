package correlator

import (
	"time"

	"github.com/event-gen/event-gen/runtime"
)

// object is a regarding object with at least one identity. Writes about one object go one at a time, and its first
// creates in the order of recording.
type object struct {
	namespace string
	name      string
	uid       string
	kind      runtime.Kind
	hash      uint64
	next      ref // of the objects with this hash
	// creates is the queue of identities that wait for their first create.
	creates queue
	// parked holds identities that fell due while a write of the object was in flight.
	parked     queue
	identities uint32
	warnings   uint32 // Warning identities in creates
	busy       bool   // a write is in flight
	headParked bool   // the head of creates fell due meanwhile
}

// group counts what one {object, reason, type} has created, for aggregation and budget.
type group struct {
	spec       *runtime.Spec // any of the group's: all agree in reason and type
	object     ref
	next       ref // of the groups with this hash
	identities uint32
	distinct   int32         // identities made in the window
	windowEnds time.Duration // monotonic
	budget     time.Duration // the moment at which the budget is full again
	aggregate  ref           // the identity that stands for what is folded
}

// identity is what counts as one event: recorded, carried by the write in flight, acknowledged.
type identity struct {
	spec   *runtime.Spec
	detail *detail // nil where the spec and the object say everything

	recorded uint64 // R
	carried  uint64 // S, while in flight
	acked    uint64 // A
	maybe    uint64 // the most that an unanswered write carried and may have stored

	first     int64         // wall, Unix nanoseconds
	last      int64         // wall, Unix nanoseconds; never goes back
	seen      time.Duration // monotonic: the last occurrence
	wrote     time.Duration // monotonic: when the last write began
	due       time.Duration // monotonic: when the next write is due, while one is wanted
	serial    uint64        // what makes the event's name unique
	version   uint64        // the stored event's resource version
	objectRV  uint64        // the regarding object's, for the reference
	hash      uint64
	next      ref // of the identities with this hash
	group     ref
	prev, nxt ref // of its list
	qprev     ref // of its queue
	qnext     ref
	heapPlace uint32 // place in the heap plus one
	ticket    uint32 // counts reuse of the record
	list      list
	step      uint8 // how often the interval has doubled
	attempts  uint8 // tries of the write at hand that failed
	mark      uint8 // the sink's
	flags     flags
}

type flags uint8

const (
	created     flags = 1 << iota // the sink holds the event
	queued                        // waits in creates
	parked                        // waits in parked
	inFlight                      // a write is out
	maybeExists                   // a create of ours may have been stored though no answer said so
	named                         // serial is set
	unversioned                   // the next update goes without precondition
)

func (i *identity) is(f flags) bool { return i.flags&f != 0 }
func (i *identity) set(f flags)     { i.flags |= f }
func (i *identity) clear(f flags)   { i.flags &^= f }

func (i *identity) pending() uint64 { return i.recorded - i.acked }

// queue is a queue of identities, linked through qprev and qnext. An identity is in one queue at most.
type queue struct{ head, tail ref }

func (q *queue) push(ids *slab[identity], r ref) {
	i := ids.at(r)
	i.qprev, i.qnext = q.tail, 0
	if q.tail != 0 {
		ids.at(q.tail).qnext = r
	} else {
		q.head = r
	}
	q.tail = r
}

func (q *queue) remove(ids *slab[identity], r ref) {
	i := ids.at(r)
	if i.qprev != 0 {
		ids.at(i.qprev).qnext = i.qnext
	} else {
		q.head = i.qnext
	}
	if i.qnext != 0 {
		ids.at(i.qnext).qprev = i.qprev
	} else {
		q.tail = i.qprev
	}
	i.qprev, i.qnext = 0, 0
}

// detail is what an identity holds beyond its spec and object.
type detail struct {
	args        []runtime.Arg
	related     runtime.Object
	fieldPath   string
	controller  string
	annotations []runtime.Annotation
	folded      *folded // of an aggregate
	bytes       int64
}
