package dispatch

import (
	"cmp"
	"time"

	"github.com/event-gen/event-gen/runtime/correlator/internal/list"
)

// place says where an item is.
type place uint8

const (
	idle     place = iota // nowhere, or just handed out
	later                 // in Dispatcher.later, until it is due
	behind                // among the creates of its sequence, behind another or a write in flight
	setAside              // due, behind a write of its sequence that is in flight
	token                 // due, and waits for a token of its limit
	ready                 // due, in its lane
	inFlight
)

// Sequence is the items about one object that the dispatcher has. They go one at a time, and their
// creates in the order in which they became due.
type Sequence struct {
	creates  list.List[Item] // that wait for their create
	aside    list.List[Item] // other items that fell due while a write was in flight
	warnings int             // of creates
	items    int
	busy     bool // a write is in flight
}

// Empty reports whether the dispatcher has no item of a sequence.
func (s *Sequence) Empty() bool { return s.items == 0 }

func fallsDueBefore(a, b *Item) int { return cmp.Compare(a.due, b.due) }

// Due makes an item due at a moment, or now if that is over. A create that is due later takes no
// place among the creates of its sequence until then, since those behind it would wait, too.
func (d *Dispatcher) Due(i *Item, at time.Duration) {
	i.due = max(d.now, at)
	if i.due == d.now {
		d.enqueue(i)
	}
	d.arm(i)
}

// Hurry makes an item due now, since the dispatcher drains.
func (d *Dispatcher) Hurry(i *Item) {
	if i.place == token {
		d.leave(i)
	}
	i.tries, i.due = 0, min(i.due, d.now)
	d.arm(i)
}

// leave takes an item out of where it waits. It keeps its place among the creates.
func (d *Dispatcher) leave(i *Item) {
	switch i.place {
	case later:
		d.later.Drop(i)
	case ready:
		i.line.Leave()
	case setAside:
		i.order.Leave()
	case token:
		i.waiter.leave()
		i.waiter = nil
	}
	i.place = idle
}

// waitsForCreate reports whether an item waits for its create, in the order of its sequence.
func (i *Item) waitsForCreate() bool { return i.order.In(&i.sequence.creates) }

// isBehind reports whether the create of another item comes first.
func (i *Item) isBehind() bool { return i.waitsForCreate() && i.sequence.creates.First() != i }

// enqueue makes an item wait for its create, behind the items of its sequence that were due before,
// or that have kept their place.
func (d *Dispatcher) enqueue(i *Item) {
	f, s := i.work.Facts(), i.sequence
	switch {
	case f.Route != Creates: // the event was found
		d.dequeue(i)
		return
	case i.waitsForCreate():
		return
	}
	s.creates.Push(&i.order, i)
	if !f.Warning {
		return
	}
	s.warnings++
	d.arm(s.creates.First()) // all before it are in a hurry now
}

// dequeue takes an item out of the creates of its sequence, if it is among them. It then is the
// turn of the next.
func (d *Dispatcher) dequeue(i *Item) {
	s := i.sequence
	if !i.waitsForCreate() {
		return
	}
	first := s.creates.First() == i
	i.order.Leave()
	if i.work.Facts().Warning {
		s.warnings--
	}
	if next := s.creates.First(); first && next != nil {
		d.resume(next)
	}
}

// resume lets an item go that has waited for others of its sequence. It goes behind the due items
// of other sequences.
func (d *Dispatcher) resume(i *Item) {
	if !i.paid { // who has waited for a token keeps its turn
		i.due = max(i.due, d.now)
	}
	d.arm(i)
}

// Resume lets items of a sequence go that has no write in flight any more: the first of its
// creates, and the first that was set aside.
func (d *Dispatcher) Resume(s *Sequence) {
	if s.busy {
		return
	}
	if i := s.creates.First(); i != nil {
		d.resume(i)
	}
	if i := s.aside.First(); i != nil {
		d.leave(i)
		d.resume(i)
	}
}

// arm puts an item where Next finds it when it is due. An item behind another create is armed when
// its turn comes.
func (d *Dispatcher) arm(i *Item) {
	switch {
	case i.place == inFlight || i.place == setAside || i.place == token:
		return
	case i.isBehind():
		i.place = behind
		return
	case d.Draining() && i.tries == 0:
		i.due = min(i.due, d.now)
	}
	if i.due <= d.now && i.place == ready && i.line.In(&i.lane.ready[classOf(i)]) && i.lane.route == i.work.Facts().Route {
		return
	}
	d.wakeBy(i.due)
	if first := d.later.First(); i.due <= d.now && (first == nil || first.due > d.now) {
		d.leave(i)
		d.queueItem(i)
		return
	}
	i.line.Leave()
	d.later.Put(i)
	i.place = later
}

// queueDue moves items that have fallen due into their lanes, the earliest first.
func (d *Dispatcher) queueDue() {
	for range MostAtOnce {
		i := d.later.First()
		if i == nil || i.due > d.now {
			return
		}
		d.enqueue(i)
		d.leave(i)
		if i.isBehind() {
			i.place = behind
			continue
		}
		d.queueItem(i)
	}
}

// hold keeps an item that is due while a write of its sequence is in flight.
func (d *Dispatcher) hold(i *Item) {
	if i.waitsForCreate() {
		i.place = behind
		return
	}
	i.sequence.aside.Push(&i.order, i)
	i.place = setAside
}

// wakeBy makes the owner call Next at a moment, or earlier.
func (d *Dispatcher) wakeBy(at time.Duration) { d.wake = min(d.wake, at) }
