package store

// queueName says in which queue of its object a work is.
type queueName uint8

const (
	noQueue queueName = iota
	inCreates
	inAside
)

// QueueCreate makes an identity wait for its first create, behind identities of its object that were queued before it. The identity must be
// in no queue.
func (s *Store) QueueCreate(a Active) { s.push(&a.creates, a.work, inCreates) }

// PutAside sets an identity aside until PickUp. The identity must be in no queue.
func (s *Store) PutAside(a Active) { s.push(&a.aside, a.work, inAside) }

// FirstCreate returns the identity whose turn it is to be created; nil if none waits.
func (s *Store) FirstCreate(t *Turns) *Identity { return s.worker(t.creates.head) }

// IsFirst reports whether it is the turn of an identity to be created.
func (s *Store) IsFirst(a Active) bool { return a.creates.head == a.work }

// PickUp takes back the first identity that was put aside; nil if there is none.
func (s *Store) PickUp(t *Turns) *Identity {
	if t.aside.head == 0 {
		return nil
	}
	w := s.works.at(t.aside.head)
	s.take(&t.aside, w)
	return s.identities.at(w.identity)
}

// Unqueue takes an identity out of the queue that it is in, if any.
func (s *Store) Unqueue(a Active) {
	switch a.queue {
	case inCreates:
		s.take(&a.creates, a.Work)
	case inAside:
		s.take(&a.aside, a.Work)
	}
}

// WaitsForCreate reports whether a work's identity waits for its first create, in the order of its object.
func (w *Work) WaitsForCreate() bool { return w.queue == inCreates }

// IsAside reports whether a work's identity was put aside.
func (w *Work) IsAside() bool { return w.queue == inAside }

// worker returns the identity of a work; nil for none.
func (s *Store) worker(work ref) *Identity {
	if work == 0 {
		return nil
	}
	return s.identities.at(s.works.at(work).identity)
}

func (s *Store) push(q *chain, r ref, name queueName) {
	w := s.works.at(r)
	w.queue = name
	q.push(r, &w.links, s.workLinks(q.tail))
}

func (s *Store) take(q *chain, w *Work) {
	w.queue = noQueue
	q.take(&w.links, s.workLinks(w.prev), s.workLinks(w.next))
}

func (s *Store) workLinks(r ref) *links {
	if r == 0 {
		return nil
	}
	return &s.works.at(r).links
}
