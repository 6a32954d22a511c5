package store

import (
	"math/bits"
	"time"
)

// One heap holds the works that fall due later, by moment. Works that are due stand in queues of their namespace, one for each slot, in the
// order in which they fell due. The store announces a slot again only after its owner has found it empty, so that a whole namespace can
// wait at no cost.

// Slots is the number of queues of a namespace. The caller decides the purpose of each.
const Slots = 9

// Await makes an identity fall due in a slot at a moment, even if it was due already. Works of equal moments fall due in the order of these
// calls.
func (s *Store) Await(a Active, slot uint8, at, now time.Duration) {
	if a.due {
		if a.slot == slot && at <= now {
			return
		}
		s.leaveSlot(a)
	}
	s.serial++
	a.slot, a.awaited = slot, s.serial
	if at <= now && s.Overdue(now) == nil {
		s.later.remove(a.Work)
		s.enterSlot(a)
		return
	}
	s.later.set(entry{at: at, serial: s.serial, ref: a.work})
}

// AwaitedBefore reports whether the last Await of this work came before the last Await of the other.
func (w *Work) AwaitedBefore(o *Work) bool { return w.awaited < o.awaited } // mutate: no two are equal

// IsDue reports whether a work is due or will fall due.
func (w *Work) IsDue() bool { return w.due || w.line.prev > 0 }

// ClearDue makes an identity neither due nor fall due.
func (s *Store) ClearDue(a Active) {
	if a.due {
		s.leaveSlot(a)
		return
	}
	s.later.remove(a.Work)
}

// Ripen moves works that have fallen due by now into their slots, the earliest first, and at most the given number.
func (s *Store) Ripen(now time.Duration, most int) {
	for ; most > 0; most-- {
		first, ok := s.later.first()
		if !ok || first.at > now {
			return
		}
		s.later.remove(s.works.at(first.ref))
		s.enterSlot(s.Active(s.worker(first.ref)))
	}
}

// NextDue returns the earliest moment in the heap; ok is false if the heap is empty.
func (s *Store) NextDue() (at time.Duration, ok bool) {
	first, ok := s.later.first()
	return first.at, ok
}

// Overdue returns the first identity that has fallen due by now and that Ripen has not moved yet; nil if there is none.
func (s *Store) Overdue(now time.Duration) *Identity {
	if first, ok := s.later.first(); ok && first.at <= now {
		return s.worker(first.ref)
	}
	return nil
}

// Fresh goes through the first work of each slot that is not announced.
func (s *Store) Fresh(yield func(Active) bool) {
	for r := s.fresh.head; r != 0; {
		ns := *s.namespaces.at(r)
		for slots := ns.fresh; slots != 0; slots &= slots - 1 {
			if !yield(s.Active(s.worker(ns.slots[bits.TrailingZeros16(slots)].head))) {
				return
			}
		}
		r = ns.next
	}
}

// OnlyFresh returns the identity that Fresh goes through if it is the only one; else nil.
func (s *Store) OnlyFresh() *Identity {
	if s.fresh.head == 0 || s.fresh.head != s.fresh.tail {
		return nil
	}
	ns := *s.namespaces.at(s.fresh.head)
	if ns.fresh&(ns.fresh-1) != 0 {
		return nil
	}
	return s.worker(ns.slots[bits.TrailingZeros16(ns.fresh)].head)
}

// HasFresh reports whether Announce has something to announce.
func (s *Store) HasFresh() bool { return s.fresh.head != 0 }

// Announce returns a slot in which something is due, and returns it again only after Look has found nothing in it. ok is false if there is no
// such slot.
func (s *Store) Announce() (ns *Namespace, slot uint8, ok bool) {
	if !s.HasFresh() {
		return nil, 0, false
	}
	ns = *s.namespaces.at(s.fresh.head)
	slot = uint8(bits.TrailingZeros16(ns.fresh))
	ns.announced |= 1 << slot
	s.refresh(ns, slot)
	return ns, slot, true
}

// Look returns the first identity that is due in a slot. If there is none, the slot can be announced again.
func (s *Store) Look(ns *Namespace, slot uint8) *Identity {
	first := s.worker(ns.slots[slot].head)
	if first == nil {
		ns.announced &^= 1 << slot
	}
	return first
}

// ID returns a number for a namespace. Another namespace may get it once this one is forgotten.
func (s *Store) ID(ns *Namespace) uint32 { return uint32(ns.self) }

// ByID returns the namespace with a number; nil if there is none.
func (s *Store) ByID(id uint32) *Namespace {
	if !s.namespaces.known(ref(id)) {
		return nil
	}
	return *s.namespaces.at(ref(id))
}

func (s *Store) enterSlot(a Active) {
	a.due = true
	q := &a.slots[a.slot]
	q.push(a.work, &a.line, s.line(q.tail))
	s.refresh(a.Namespace, a.slot)
}

func (s *Store) leaveSlot(a Active) {
	a.due = false
	q := &a.slots[a.slot]
	q.take(&a.line, s.line(a.line.prev), s.line(a.line.next))
	s.refresh(a.Namespace, a.slot)
}

// refresh notes whether a slot has something that is not announced. It lists a namespace as long as any of its slots has.
func (s *Store) refresh(ns *Namespace, slot uint8) {
	before, bit := ns.fresh, uint16(1)<<slot
	ns.fresh &^= bit
	if ns.slots[slot].head != 0 {
		ns.fresh |= bit &^ ns.announced
	}
	switch {
	case before == 0 && ns.fresh != 0:
		s.fresh.push(ns.self, &ns.links, s.neighbour(s.fresh.tail))
	case before != 0 && ns.fresh == 0:
		s.fresh.take(&ns.links, s.neighbour(ns.prev), s.neighbour(ns.next))
	}
}

// line returns the links of a work in the queue of its slot; nil for none.
func (s *Store) line(work ref) *links {
	if work == 0 {
		return nil
	}
	return &s.works.at(work).line
}

func (s *Store) neighbour(namespace ref) *links {
	if namespace == 0 {
		return nil
	}
	return &(*s.namespaces.at(namespace)).links
}
