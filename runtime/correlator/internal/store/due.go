package store

import "time"

// What is to be written stands in a heap of its namespace, and the namespaces in a heap of heaps, each at the key of its first.
// So a whole namespace is put off in one step.

// SetDue puts an identity that has work at key, whether it was due already or not. Equal keys come in the order in which they were set last.
func (s *Store) SetDue(a Active, key int64) {
	s.serial++
	a.due.set(entry{key: key, serial: s.serial, ref: a.work})
	s.rank(a.Namespace)
}

// IsDue reports whether SetDue has put an identity somewhere.
func (s *Store) IsDue(a Active) bool { return s.duePlaces.of(a.work) != 0 }

// ClearDue takes an identity out of what is due, if it is in.
func (s *Store) ClearDue(a Active) {
	if !s.IsDue(a) {
		return
	}
	a.due.remove(a.work)
	s.rank(a.Namespace)
}

// FirstDue is the identity with the least key of all, and that key; nil if there is none. The key of one whose namespace is put off
// is until when.
func (s *Store) FirstDue() (i *Identity, key int64) {
	top, ok := s.ranks.first()
	if !ok {
		return nil, 0
	}
	first, _ := (*s.namespaces.at(top.ref)).due.first()
	return s.identities.at(s.works.at(first.ref).identity), top.key
}

// PutOff keeps all that is due in a namespace back until a moment; zero or less: no longer.
func (s *Store) PutOff(ns *Namespace, until time.Duration) {
	ns.notBefore = max(until, 0)
	s.rank(ns)
}

// rank puts a namespace where the first of it belongs.
func (s *Store) rank(ns *Namespace) {
	first, ok := ns.due.first()
	if !ok {
		s.ranks.remove(ns.self)
		return
	}
	if ns.notBefore > 0 {
		first.key = max(first.key, int64(ns.notBefore))
	}
	s.ranks.set(entry{key: first.key, serial: first.serial, ref: ns.self})
}
