package dispatch

import (
	"cmp"
	"time"
	"unsafe"

	"github.com/event-gen/event-gen/runtime/correlator/internal/list"
	"github.com/event-gen/event-gen/runtime/sink"
)

// lane is the writes into one namespace by one route.
type lane struct {
	laneKey
	gate
	denial  denial
	calls   int           // in flight
	slow    int           // of these, without an answer for slowAfter or longer
	culprit uint64        // the object that failed last, as a hash
	served  time.Duration // when a call last succeeded; negative: never
	called  time.Duration // when the last call began

	ready   [classes]list.List[Item] // that are due
	source  list.Link[lane]          // in Dispatcher.proven or unproven
	place   int                      // in Dispatcher.inBackoff, if it or an item fails
	picks   uint8                    // modulo 8
	users   int                      // items
	counted bool                     // among Dispatcher.failingLanes
}

type laneKey struct {
	namespace string
	route     Route
}

const laneBytes = int64(unsafe.Sizeof(lane{})) + 40

// denial is the answer of a missing right or namespace, with no other answer since.
type denial struct {
	cause     sink.Outcome // Forbidden or RefusedQuietly; 0: none
	since     time.Duration
	confirmed bool // until gate.next, items that fall due are lost without a call
}

// Route is the way of a write to the server. Rights differ between routes. Values from Updates on
// are updates.
type Route uint8

const (
	Creates Route = iota
	Updates
)

// class decides which of the due items of a lane goes first.
type class uint8

const (
	asWarning class = iota // events of type Warning, and events that must be created before one
	asNormal
	asRetry // what has failed before
	classes
)

// classOf returns the class of an item's next write.
func classOf(i *Item) class {
	switch {
	case i.failingSince > 0:
		return asRetry
	case i.work.Facts().Warning, i.waitsForCreate() && i.sequence.warnings > 0:
		return asWarning
	}
	return asNormal
}

// A lane without items is forgotten if there are more than idleLanes lanes in all, or deniedLanes
// if its denial is confirmed. What is forgotten begins a new grace period with each event.
const (
	idleLanes   = 256
	deniedLanes = 4096
)

// useLane returns a lane, for one more item.
func (d *Dispatcher) useLane(k laneKey) *lane {
	l := d.lanes[k]
	if l == nil {
		l = &lane{laneKey: k, served: -noiseWithin, called: -noiseWithin}
		d.lanes[k] = l
	}
	l.users++
	return l
}

// releaseLane removes an item from a lane. It forgets the lane if that was its only item and there
// are many idle lanes.
func (d *Dispatcher) releaseLane(l *lane) {
	most := idleLanes
	if l.denial.confirmed {
		most = deniedLanes
	}
	if l.users--; l.users == 0 && len(d.lanes) > most {
		d.forgetLane(l)
	}
}

func (d *Dispatcher) forgetLane(l *lane) {
	d.inBackoff.Drop(l)
	l.source.Leave()
	if l.counted {
		d.failingLanes--
	}
	delete(d.lanes, l.laneKey)
}

// queueItem makes an item that is due wait in the lane of its route.
func (d *Dispatcher) queueItem(i *Item) {
	if route := i.work.Facts().Route; i.lane.route != route {
		before := i.lane
		i.lane = d.useLane(laneKey{before.namespace, route})
		d.releaseLane(before)
	}
	i.lane.ready[classOf(i)].Push(&i.line, i)
	i.place = ready
	d.queueLane(i.lane)
}

// isHealthy reports whether no call of a lane has failed since the last that succeeded.
func (l *lane) isHealthy() bool {
	return l.failures == 0 && (l.denial.cause == 0 || l.denial.confirmed)
}

// queueLane puts a lane into its queues: among the lanes that take turns for writes that have not
// failed, and among the lanes in backoff for the other writes.
func (d *Dispatcher) queueLane(l *lane) {
	if failing := l.failures > 1 || l.denial.cause != 0; failing != l.counted {
		l.counted = failing
		if d.failingLanes++; !failing {
			d.failingLanes -= 2
		}
	}
	fresh := !l.ready[asWarning].Empty() || !l.ready[asNormal].Empty()
	switch {
	case !fresh || !l.isHealthy():
		l.source.Leave()
	case l.source.In(&d.proven), l.source.In(&d.unproven):
	case d.isProven(l):
		d.proven.Push(&l.source, l)
	case d.isScarce() && l.called > l.served: // its last call has not succeeded
		d.unproven.PushFront(&l.source, l)
	default:
		d.unproven.Push(&l.source, l)
	}
	if !l.ready[asRetry].Empty() || fresh && !l.isHealthy() {
		d.inBackoff.Put(l)
	} else {
		d.inBackoff.Drop(l)
	}
}

func goesBefore(a, b *lane) int { return cmp.Compare(a.notBefore, b.notBefore) }

// source is a queue of lanes, by the end from which lanes have a call.
type source uint8

const (
	trials source = iota // those in backoff: calls are likely to fail
	proven
	oldest // of those that are not proven
	newest
)

// first returns the lane of a source that has a call first; nil if there is none.
func (d *Dispatcher) first(s source) *lane {
	switch s {
	case trials:
		return d.inBackoff.First()
	case proven:
		return d.proven.First()
	case newest:
		return d.unproven.Last()
	}
	return d.unproven.First()
}

// sources returns the order in which the queues of lanes have a call.
func (d *Dispatcher) sources() [3]source {
	switch {
	case d.isScarce(): // the lanes that wait longest wait because their calls do not come back
		return [...]source{newest, trials, proven}
	case d.ticket%2 == 0:
		return [...]source{trials, proven, oldest}
	}
	return [...]source{trials, oldest, proven}
}

// choose returns the item that goes next, and what it is to do. The queues put lanes in order;
// admit decides.
func (d *Dispatcher) choose(steps *int) (*Item, Verdict) {
	for _, s := range d.sources() {
		if i, v := d.chooseFrom(s, steps); v != None {
			return i, v
		}
	}
	return nil, None
}

// chooseFrom returns an item of a source's first lane, if the lane may have a call, or is denied
// one. A lane that leaves the queue without a call returns when its state changes.
func (d *Dispatcher) chooseFrom(s source, steps *int) (*Item, Verdict) {
	trial := s == trials
	for l := d.first(s); l != nil && *steps > 0; l = d.first(s) {
		*steps--
		if s == proven && !d.isProven(l) {
			l.source.Leave()
			d.queueLane(l)
			d.wakeBy(d.now) // its queue may have been looked at
			continue
		}
		v, until := d.admit(l, trial)
		if v == wait {
			d.wakeBy(until)
			return nil, None
		}
		d.unqueueLane(l, trial)
		if v == full {
			continue
		}
		i := d.pick(l, trial, v == refuse, steps)
		switch {
		case i == nil:
			d.queueLane(l)
		case v == refuse:
			d.queueLane(l)
			return i, Refused
		default:
			i.call.trial = trial || !d.isProven(l) && d.isScarce()
			return i, Send
		}
	}
	return nil, None
}

func (d *Dispatcher) unqueueLane(l *lane, trial bool) {
	if trial {
		d.inBackoff.Drop(l)
	} else {
		l.source.Leave()
	}
}

// pick takes the first item of a lane that may be written now. Warnings go first, but last in each
// eighth pick of the lane. Items that have failed before go only as a trial. Free means that the
// write takes no token of its limit.
func (d *Dispatcher) pick(l *lane, trial, free bool, steps *int) (i *Item) {
	l.picks = (l.picks + 1) % 8
	order := [...]class{asWarning, asNormal}
	if l.picks == 0 && !d.Draining() {
		order = [...]class{asNormal, asWarning}
	}
	for _, k := range order {
		if i == nil && (!trial || !l.isHealthy()) {
			i = d.pickFrom(&l.ready[k], free, steps)
		}
	}
	if i == nil && trial {
		i = d.pickFrom(&l.ready[asRetry], free, steps)
	}
	return i
}

// pickFrom takes the first item of a list whose sequence has no write in flight, and which has a
// token of its limit.
func (d *Dispatcher) pickFrom(q *list.List[Item], free bool, steps *int) *Item {
	for i := q.First(); i != nil && *steps > 0; i = q.First() {
		*steps--
		d.leave(i)
		if i.sequence.busy {
			d.hold(i)
		} else if free || d.takesToken(i) {
			return i
		}
	}
	return nil
}
