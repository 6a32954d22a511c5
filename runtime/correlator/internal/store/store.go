// Package store holds the identities of one shard, with their objects, groups, namespaces and what they need while something of
// them is pending. It is the only writer of links and sizes, and decides nothing: its caller, the correlator, decides which
// occurrences are one event, when the event is written, and which identities give way.
//
// Records never move: a pointer to one is valid until it is removed. Nothing here is safe for concurrent use.
package store

import "github.com/event-gen/event-gen/runtime"

// Store is what one correlator holds.
type Store struct {
	identities slab[Identity]
	objects    slab[Object]
	works      slab[Work]
	turns      slab[Turns]
	groups     slab[Group]
	scopes     slab[*Scope]
	namespaces slab[*Namespace]

	byHash      index
	byObject    index
	byScope     map[scopeKey]*Scope
	byNamespace map[string]*Namespace
	definitions map[definitionKey]*heldDefinition
	lastScope   *Scope // the one that was used last, which is often the next
	recent      recent
	room        []byte // for arguments that are packed

	lists  [worths]chain
	later  heap  // of works that fall due
	fresh  chain // of namespaces in which something is due that is not announced
	serial uint32

	bytes int64
}

// New returns an empty store.
func New() *Store {
	s := &Store{byScope: map[scopeKey]*Scope{}, byNamespace: map[string]*Namespace{}, definitions: map[definitionKey]*heldDefinition{}}
	s.later.works = &s.works
	s.identities.size, s.identities.bytes = identityBytes, &s.bytes
	s.works.size, s.works.bytes = workBytes, &s.bytes
	s.objects.size, s.objects.bytes = objectBytes, &s.bytes
	s.turns.size, s.turns.bytes = turnsBytes, &s.bytes
	s.groups.size, s.groups.bytes = groupBytes, &s.bytes
	s.scopes.size, s.scopes.bytes = scopeBytes, &s.bytes
	s.namespaces.size, s.namespaces.bytes = namespaceBytes, &s.bytes
	return s
}

// Identities returns the number of identities.
func (s *Store) Identities() int { return s.identities.live() }

// Objects returns the number of objects.
func (s *Store) Objects() int { return s.objects.live() }

// Bytes estimates the memory that everything held takes up.
func (s *Store) Bytes() int64 { return s.bytes }

// FirstObject begins to go through the objects with a hash: the first, and where NextObject goes on; nil if there is none.
func (s *Store) FirstObject(hash uint32) (at uint32, o *Object) {
	return s.objects.found(s.byObject.first(hash))
}

// NextObject goes on where FirstObject or it left off.
func (s *Store) NextObject(hash, at uint32) (uint32, *Object) {
	return s.objects.found(s.byObject.next(hash, at))
}

// FirstIdentity begins to go through the identities with a hash: the first, and where NextIdentity goes on; nil if there is none.
func (s *Store) FirstIdentity(hash uint32) (at uint32, i *Identity) {
	return s.identities.found(s.byHash.first(hash))
}

// NextIdentity goes on where FirstIdentity or it left off.
func (s *Store) NextIdentity(hash, at uint32) (uint32, *Identity) {
	return s.identities.found(s.byHash.next(hash, at))
}

// Each goes through all identities.
func (s *Store) Each(yield func(*Identity) bool) {
	for _, i := range s.identities.each {
		if i.Definition != nil && !yield(i) {
			return
		}
	}
}

// Object is the object of an identity.
func (s *Store) Object(i *Identity) *Object { return s.objects.at(i.object) }

// Active is an identity that has something pending or a write in flight, with what it needs for that. It is valid until EndWork.
type Active struct {
	*Identity
	*Work
	*Turns
}

// Active is an identity that is not idle.
func (s *Store) Active(i *Identity) Active {
	return Active{i, s.works.at(i.work), s.turns.at(s.Object(i).turns)}
}

// Work returns the work of an identity that is not idle.
func (s *Store) Work(i *Identity) *Work { return s.works.at(i.work) }

// Idle reports whether an identity has no work.
func (i *Identity) Idle() bool { return i.work == 0 }

// Ticket names an identity for as long as it is held.
func (s *Store) Ticket(i *Identity) (id, generation uint32) { return uint32(i.self), uint32(i.ticket) }

// ByTicket returns the identity of a ticket; nil if the identity is gone.
func (s *Store) ByTicket(id, generation uint32) *Identity {
	if !s.identities.known(ref(id)) {
		return nil
	}
	if i := s.identities.at(ref(id)); uint32(i.ticket) == generation && i.Definition != nil {
		return i
	}
	return nil
}

// AddObject adds an object. named is true if names of events may begin with the object's name.
func (s *Store) AddObject(regarding *runtime.ObjectRef, hash uint32, named bool) *Object {
	r := s.objects.alloc()
	o := s.objects.at(r)
	*o = Object{self: r, hash: hash, scope: s.enterScope(regarding)}
	o.setText(regarding, named)
	s.byObject.insert(hash, r)
	s.bytes += o.longBytes()
	return o
}

// AddIdentity adds an identity to a group, idle and with nothing recorded.
func (s *Store) AddIdentity(o *Object, g *Group, definition *runtime.Definition, d Detail, hash uint32, serial uint64) *Identity {
	r := s.identities.alloc()
	i := s.identities.at(r) // zero, but for the ticket
	i.Definition, i.Detail, i.Serial = s.hold(definition), d, serial
	i.hash, i.self, i.object, i.flags = hash, r, o.self, flags(unlisted)<<worthShift
	i.ticket++
	s.byHash.insert(hash, r)
	g.identities++
	s.bytes += i.text()
	return i
}

// Remove forgets an identity with its work, and its group, object and namespace if it was their last.
func (s *Store) Remove(i *Identity) {
	if i.work != 0 {
		s.EndWork(s.Active(i))
	}
	s.Unlist(i)
	s.byHash.remove(i.hash, i.self)
	s.bytes -= i.text()
	o := s.Object(i)
	s.leaveGroup(o, i)
	s.drop(i.Definition)
	if f := i.More().Folded; f != nil && f.Definition != nil {
		s.drop(f.Definition)
	}
	if o.groups == 0 {
		s.removeObject(o)
	}
	r := i.self
	*i = Identity{ticket: i.ticket}
	s.identities.release(r)
}

func (s *Store) removeObject(o *Object) {
	s.byObject.remove(o.hash, o.self)
	s.bytes -= o.longBytes()
	s.leaveScope(o.scope)
	r := o.self
	*o = Object{}
	s.objects.release(r)
}

// StartWork gives an idle identity the records that it needs while something is pending.
func (s *Store) StartWork(i *Identity) Active {
	i.work = s.works.alloc()
	s.bytes += i.waiterBytes()
	w := s.works.at(i.work)
	*w = Work{}
	w.identity = i.self
	o := s.Object(i)
	if o.turns == 0 {
		o.turns = s.turns.alloc()
		t := s.turns.at(o.turns)
		*t = Turns{}
		t.Namespace = s.Scope(o).Home
	}
	t := s.turns.at(o.turns)
	t.works++
	return Active{i, w, t}
}

// EndWork takes these records back. From then on the identity is idle, not due and in no queue.
func (s *Store) EndWork(a Active) {
	s.ClearDue(a)
	s.Unqueue(a)
	s.works.release(a.work)
	s.bytes -= a.waiterBytes()
	a.work = 0
	o := s.Object(a.Identity)
	if a.works--; a.works == 0 {
		s.turns.release(o.turns)
		o.turns = 0
	}
}
