package store

import "github.com/event-gen/event-gen/runtime"

// Walk shows the identities among the next most records from a place on, 0 at first. It returns where to go on; 0: there is no more.
// A record that was given back counts as one of most, so that a call takes as long however few are left. Between two calls identities may
// come and go: each that stays is shown once.
func (s *Store) Walk(from uint32, most int, show func(*Identity)) (next uint32) {
	r := max(ref(from), 1)
	for ; most > 0 && r < s.identities.next; r, most = r+1, most-1 { // mutate: the next one is not known
		if !s.identities.known(r) {
			continue
		}
		if i := s.identities.at(r); i.Definition != nil {
			show(i)
		}
	}
	if r >= s.identities.next {
		return 0
	}
	return uint32(r)
}

// ObjectOf returns a number for the object of an identity, unique among the objects that are held.
func (i *Identity) ObjectOf() uint32 { return uint32(i.object) }

// Regarding returns the object of an identity, with texts of its own, without field path and resource version.
func (s *Store) Regarding(i *Identity) runtime.ObjectRef {
	o := s.Object(i)
	scope := s.Scope(o)
	return runtime.ObjectRef{
		Namespace: scope.Namespace, Name: string(o.Name()), UID: string(o.AppendUID(nil)),
		APIVersion: scope.Kind.APIVersion, Kind: scope.Kind.Kind,
	}
}
