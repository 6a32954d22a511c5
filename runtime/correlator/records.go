package correlator

import (
	"math"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime"
)

// The records are laid out so that an idle identity, with an object and a group of its own, costs less than 256 bytes.
// What only matters while something is pending stands in records of their own: active for identities, activity for
// objects.

// object is a regarding object with at least one identity.
type object struct {
	short      [shortText]byte // name, then UID
	long       *[]byte         // the same, where it is longer
	scope      ref
	hash       uint32
	identities uint32
	groups     ref // the first of its groups, unless crowded
	activity   ref // 0 while nothing of the object is active
	nameLen    uint16
	shortLen   uint8
	flags      objectFlags
}

// activity is what an object needs while any of its identities is active. Writes about one object go one at a time, and
// its first creates in the order of recording.
type activity struct {
	creates    queue  // identities that wait for their first create
	parked     queue  // identities that fell due while a write of the object was in flight
	warnings   uint32 // Warning identities in creates
	actives    uint32 // active identities of the object
	busy       bool   // a write is in flight
	headParked bool   // the head of creates fell due meanwhile
}

// group counts what one {object, reason, type} has created, for aggregation and budget.
type group struct {
	def        *runtime.Definition // any of the group's: all agree in reason and type
	budget     time.Duration       // monotonic: when the budget will be full again
	object     ref
	next       ref // of the object's groups
	identities uint32
	aggregate  ref    // the identity that stands for what is folded
	windowEnds uint32 // in ticks: when counting distinct identities begins anew
	distinct   uint16 // identities made in the window
}

// identity is what counts as one event.
type identity struct {
	def *runtime.Definition
	detail
	serial    uint64        // what makes the event's name unique: close to the wall clock when it was made, in Unix nanoseconds
	version   uint64        // the stored event's resource version
	last      int64         // the last occurrence: wall, Unix nanoseconds; never goes back
	wrote     time.Duration // monotonic: when the last write began, once written is set
	count     uint32        // occurrences that the event stands for, pending ones included; saturates
	hash      uint32
	object    ref
	group     ref
	prev, nxt ref   // of its list
	active    ref   // 0 while idle
	ticket    uint8 // counts reuse of the record
	step      uint8 // writes since it was last quiet for its window
	mark      uint8 // the sink's
	flags     flags // and the list, in the upper bits
}

// active is what an identity needs while it has something pending or a write in flight. All that is recorded is written
// (acknowledged), pending, or lost; of what is pending, a write in flight carries a part.
type active struct {
	pending   uint64
	carried   uint64        // of pending, by the write in flight
	maybe     uint64        // of pending, the most that an unanswered write may have stored
	first     int64         // wall, Unix nanoseconds: of the first that is pending
	since     time.Duration // monotonic: when it became pending
	due       time.Duration // monotonic: when the next write is wanted
	objectRV  uint64        // the regarding object's resource version, for the reference
	qprev     ref           // of its queue
	qnext     ref
	heapPlace uint32 // place in the heap plus one
	attempts  uint8  // tries of the write at hand that failed
	state     state
}

type flags uint8

const (
	created     flags = 1 << iota // the sink holds the event
	unversioned                   // the next update goes without precondition
	written                       // wrote is set
	maybeExists                   // a create of ours may have been stored though no answer said so

	listShift = 5
	listMask  = flags(0xff << listShift & 0xff)
)

func (i *identity) is(f flags) bool { return i.flags&f != 0 }
func (i *identity) set(f flags)     { i.flags |= f }
func (i *identity) clear(f flags)   { i.flags &^= f }

func (i *identity) list() list     { return list(i.flags >> listShift) }
func (i *identity) setList(l list) { i.flags = i.flags&^listMask | flags(l)<<listShift }

// add counts occurrences that the event stands for.
func (i *identity) add(n uint32) { i.count += min(n, math.MaxUint32-i.count) }

// state says where an active identity is.
type state uint8

const (
	queued   state = 1 << iota // in creates
	parked                     // in parked
	inFlight                   // a write is out
)

func (a *active) is(s state) bool { return a.state&s != 0 }
func (a *active) set(s state)     { a.state |= s }
func (a *active) clear(s state)   { a.state &^= s }

// tick is the unit in which groups hold the end of a window.
const tick = 100 * time.Millisecond

// windowEnd is a moment in ticks, rounded up so that no window is shorter than it says; 13 years at the most.
func windowEnd(d time.Duration) uint32 {
	return uint32(min(uint64(max(0, d))/uint64(tick)+1, math.MaxUint32))
}

// queue is a queue of active identities, linked through qprev and qnext. An identity is in one queue at most.
type queue struct{ head, tail ref }

func (c *Correlator) push(q *queue, r ref) {
	a := c.activeOf(r)
	a.qprev, a.qnext = q.tail, 0
	if q.tail != 0 {
		c.activeOf(q.tail).qnext = r
	} else {
		q.head = r
	}
	q.tail = r
}

func (c *Correlator) take(q *queue, r ref) {
	a := c.activeOf(r)
	if a.qprev != 0 {
		c.activeOf(a.qprev).qnext = a.qnext
	} else {
		q.head = a.qnext
	}
	if a.qnext != 0 {
		c.activeOf(a.qnext).qprev = a.qprev
	} else {
		q.tail = a.qprev
	}
	a.qprev, a.qnext = 0, 0
}

// scope is what many objects share: namespace and kind.
type scope struct {
	namespace string
	kind      metav1.TypeMeta
	objects   int
}

type scopeKey struct {
	namespace string
	kind      metav1.TypeMeta
}
