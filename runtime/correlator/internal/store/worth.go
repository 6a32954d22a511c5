package store

// Worth decides which identity gives way when a bound is reached: one of the lowest worth, and among them the oldest. An identity with a
// write in flight has none.
type Worth uint8

const (
	IdleNormal Worth = iota
	IdleWarning
	PendingNormal
	PendingWarning
	worths
	unlisted = worths
)

// Worth returns the current worth of an identity.
func (s *Store) Worth(i *Identity) Worth {
	w := IdleNormal
	if i.work != 0 && s.works.at(i.work).Pending > 0 {
		w = PendingNormal
	}
	if i.Warning() {
		w++
	}
	return w
}

// List makes an identity the youngest of its worth.
func (s *Store) List(i *Identity) {
	want := s.Worth(i)
	if s.lists[want].tail == i.self {
		return
	}
	s.Unlist(i)
	l := &s.lists[want]
	i.setListed(want)
	l.push(i.self, &i.links, s.identityLinks(l.tail))
}

// Renew makes an identity the youngest of the worth that it is listed under.
func (s *Store) Renew(i *Identity) {
	l := &s.lists[i.listed()]
	if l.tail == i.self {
		return
	}
	l.take(&i.links, s.identityLinks(i.prev), s.identityLinks(i.next))
	l.push(i.self, &i.links, s.identityLinks(l.tail))
}

// Unlist takes an identity out of its list, if it is in one. It can't give way then.
func (s *Store) Unlist(i *Identity) {
	if i.listed() == unlisted {
		return
	}
	s.lists[i.listed()].take(&i.links, s.identityLinks(i.prev), s.identityLinks(i.next))
	i.setListed(unlisted)
}

func (s *Store) identityLinks(r ref) *links {
	if r == 0 {
		return nil
	}
	return &s.identities.at(r).links
}

// Oldest returns the oldest identity of a worth; nil if there is none.
func (s *Store) Oldest(w Worth) *Identity { return s.identities.get(s.lists[w].head) }

// Younger returns the next younger identity of the same worth; nil if there is none.
func (s *Store) Younger(i *Identity) *Identity { return s.identities.get(i.next) }

// LeastWorth returns the identity that gives way first; nil if there is none.
func (s *Store) LeastWorth() *Identity {
	for w := range worths {
		if i := s.Oldest(w); i != nil {
			return i
		}
	}
	return nil
}

func (i *Identity) listed() Worth { return Worth(i.flags & worthMask >> worthShift) }

func (i *Identity) setListed(w Worth) { i.flags = i.flags&^worthMask | flags(w)<<worthShift }
