package correlator

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/dispatch"
	"github.com/event-gen/event-gen/runtime/correlator/internal/list"
)

// record is all occurrences that count as one event.
type record struct {
	def   *eventrt.Definition
	group *group
	args  []eventrt.Arg
	more  *more // nil: none
	work  *work // nil while idle

	ranked list.Link[record] // among the records of its rank
	next   *record           // of the same hash
	hash   uint64
	place  int // in Correlator.all

	// unique, in Unix nanoseconds: close to the wall clock when the record, or its unique name, was
	// made
	serial  uint64
	version uint64        // the stored event's resource version
	last    int64         // the last occurrence: wall, Unix nanoseconds
	wrote   time.Duration // monotonic: when the last write began, if there was one
	totals  totals        // ledger.go
	era     uint32        // Correlator.era when the record was made

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
	labels      []eventrt.Annotation // all; nil: the definition's constants
	latest      []eventrt.Arg        // the arguments of the latest occurrence; nil: record.args
	aggregated  *aggregated          // of an aggregate
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
	next                 *object            // of the same hash
	sequence             *dispatch.Sequence // nil while nothing of the object has work
	groups               *group
	first                group // room for one of its groups; most objects have no other
}

// group counts what one {object, reason, type, controller} has created, for threshold and budget.
type group struct {
	object     *object
	reporter   *reporter
	def        *eventrt.Definition // any of the group's: all agree in reason and type
	next       *group              // of the same object
	budget     time.Duration       // monotonic: when the budget will be full again
	windowEnds time.Duration       // monotonic: when counting distinct messages begins anew
	aggregate  *record             // the record that stands for aggregated occurrences
	distinct   int32               // records made during the window
	records    int32
}

// work is the state of a record while it has something pending or a write in flight.
type work struct {
	*record
	dispatch.Item
	ledger
	room     dispatch.Sequence // memory for the object's sequence, if this is its first work
	read     reading
	refused  time.Duration // monotonic: when an update was refused, none taken since; 0: never
	first    int64         // wall, Unix nanoseconds: of the first pending occurrence
	since    time.Duration // monotonic: when it became pending
	objectRV uint64        // the regarding object's resource version, for the reference

	namespace *namespace
	within    list.Link[work] // among the pending works of the namespace
	charged   int64           // bytes that count for the namespace

	// the event that may hold unanswered was there before, and may be gone by now
	unansweredGone bool
}

// reading is what a Read has found of an event.
type reading struct {
	uid types.UID // an event created anew under the same name has another
	// wall, Unix nanoseconds: the first occurrence of the stored event that the next update joins;
	// 0: none
	joins   int64
	dropped []string // annotations that this update removes
}

// gone notes that the event is not there. What an unanswered write may have stored went with it.
func (w *work) gone() { w.presence, w.unansweredGone = absent, w.unanswered > 0 }

// Facts says what the dispatcher must know of the next write. The sink's mark of an event, which
// names its API group, decides the route of an update.
func (w *work) Facts() dispatch.Facts {
	f := dispatch.Facts{
		Namespace: w.namespace.name, Object: w.group.object.hash,
		Warning: w.warning(), Limit: w.def.Correlation.Limit,
	}
	if w.created() {
		f.Route = dispatch.Updates + dispatch.Route(w.mark&1)
	}
	return f
}

// workOf returns the work of an item.
func workOf(i *dispatch.Item) *work { return i.Work().(*work) }

// startWork gives an idle record its work, the state that it needs while something is pending.
func (c *Correlator) startWork(r *record) *work {
	o := r.group.object
	w := &work{record: r, ledger: ledger{totals: &r.totals}}
	if o.sequence == nil {
		o.sequence = &w.room
	}
	r.work = w
	c.transient += r.workBytes()
	c.joinNamespace(w)
	c.d.Add(&w.Item, w, o.sequence)
	return w
}

// endWork removes a record's work. The record is idle from then on.
func (c *Correlator) endWork(w *work) {
	r, o := w.record, w.group.object
	c.d.Remove(&w.Item)
	if o.sequence.Empty() {
		o.sequence = nil
	}
	r.work = nil
	c.leaveNamespace(w)
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
	if q.Last() != r {
		r.ranked.Leave()
		q.Push(&r.ranked, r)
	}
	w := r.work
	if w == nil || w.pending == 0 {
		return
	}
	own := &w.namespace.pending[r.deserves()-pendingNormal]
	if own.Last() != w {
		w.within.Leave()
		own.Push(&w.within, w)
	}
}
