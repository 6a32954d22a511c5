package store

// What is to be written stands in heaps of its namespace, one for each slot, and the slots in a heap of heaps, each at the key of its
// first. A slot that was announced is out of that heap until its owner has looked at it: a whole namespace waits at no cost.

// Slots is the number of heaps of a namespace. What each is for is said by the caller.
const Slots = 9

// SetDue puts an identity that has work at key in a slot, whether it was due already or not. Equal keys come in the order in which they
// were set last.
func (s *Store) SetDue(a Active, slot uint8, key int64) {
	if s.IsDue(a) && a.slot != slot {
		s.ClearDue(a)
	}
	s.serial++
	a.slot = slot
	a.due[slot].set(entry{key: key, serial: s.serial, ref: a.work})
	s.rank(a.Namespace, slot)
}

// IsDue reports whether SetDue has put an identity somewhere.
func (s *Store) IsDue(a Active) bool { return s.duePlaces.of(a.work) != 0 }

// ClearDue takes an identity out of what is due, if it is in.
func (s *Store) ClearDue(a Active) {
	if !s.IsDue(a) {
		return
	}
	a.due[a.slot].remove(a.work)
	s.rank(a.Namespace, a.slot)
}

// FirstDue is the identity with the least key in all slots that are not announced, and that key; nil if there is none.
func (s *Store) FirstDue() (i *Identity, key int64) {
	top, ok := s.ranks.first()
	if !ok {
		return nil, 0
	}
	ns := *s.namespaces.at(top.ref / Slots)
	first, _ := ns.due[top.ref%Slots].first()
	return s.worker(first.ref), top.key
}

// Announce hands out the next slot whose first key is at most now, and keeps it out of FirstDue and Announce until Look finds nothing
// in it; false: there is none.
func (s *Store) Announce(now int64) (ns *Namespace, slot uint8, ok bool) {
	top, ok := s.ranks.first()
	if !ok || top.key > now {
		return nil, 0, false
	}
	ns, slot = *s.namespaces.at(top.ref / Slots), uint8(top.ref%Slots)
	ns.announced |= 1 << slot
	s.ranks.remove(top.ref)
	return ns, slot, true
}

// Look is the identity with the least key of a slot, if that is at most now. Where it is not, the slot can be announced again.
func (s *Store) Look(ns *Namespace, slot uint8, now int64) *Identity {
	if first, ok := ns.due[slot].first(); ok && first.key <= now {
		return s.worker(first.ref)
	}
	ns.announced &^= 1 << slot
	s.rank(ns, slot)
	return nil
}

// ID is a number for a namespace; another may have it once this one is held no more.
func (s *Store) ID(ns *Namespace) uint32 { return uint32(ns.self) }

// ByID is the namespace with a number; nil if there is none.
func (s *Store) ByID(id uint32) *Namespace {
	if !s.namespaces.known(ref(id)) {
		return nil
	}
	return *s.namespaces.at(ref(id))
}

// rank puts a slot where the first of it belongs.
func (s *Store) rank(ns *Namespace, slot uint8) {
	place := ns.self*Slots + ref(slot)
	first, ok := ns.due[slot].first()
	if !ok || ns.announced&(1<<slot) != 0 {
		s.ranks.remove(place)
		return
	}
	s.ranks.set(entry{key: first.key, serial: first.serial, ref: place})
}
