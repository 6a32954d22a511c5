package store

import (
	"hash/maphash"
	"math/bits"
	"unsafe"

	"github.com/event-gen/event-gen/runtime"
)

// The groups of an object hang on it in a tree: the n-th bit of a group's hash says on which side of its n-th ancestor it is. Most
// objects have one group, for which nothing is hashed.

var seed = maphash.MakeSeed()

func groupHash(d *runtime.Definition) uint64 {
	return maphash.Comparable(seed, [...]string{d.Reason, d.Type, d.ReportingController})
}

// sameGroup reports whether events of one object share limits and aggregate. An aggregate names one controller, so that events
// of several have several groups. It has one schedule, so a definition with a schedule of its own has a group of its own.
func sameGroup(a, b *runtime.Definition) bool {
	return a == b || (!a.Correlation.Alone() && !b.Correlation.Alone() && a.Reason == b.Reason && a.Type == b.Type && a.ReportingController == b.ReportingController)
}

// Group returns the group of a definition among an object's groups. It makes the group if there is none.
func (s *Store) Group(o *Object, d *runtime.Definition) *Group {
	link := s.groupLink(o, d)
	if *link == 0 {
		*link = s.groups.alloc()
		*s.groups.at(*link) = Group{Definition: s.hold(d)}
	}
	return s.groups.at(*link)
}

// groupLink returns the link that leads to the group of a definition, or would lead to it.
func (s *Store) groupLink(o *Object, d *runtime.Definition) *ref {
	link := &o.groups
	if *link == 0 || sameGroup(s.groups.at(*link).Definition, d) {
		return link
	}
	for hash := groupHash(d); ; hash = bits.RotateLeft64(hash, -1) {
		link = &s.groups.at(*link).children[hash&1]
		if *link == 0 || sameGroup(s.groups.at(*link).Definition, d) {
			return link
		}
	}
}

// Aggregate returns the identity that stands for a group's folded occurrences; nil if there is none.
func (s *Store) Aggregate(g *Group) *Identity { return s.identities.get(g.aggregate) }

// SetAggregate makes an identity stand for its group's folded occurrences.
func (s *Store) SetAggregate(g *Group, i *Identity) { g.aggregate = i.self }

// leaveGroup takes an identity out of its group. The group is forgotten with its last identity.
func (s *Store) leaveGroup(o *Object, i *Identity) {
	link := s.groupLink(o, i.Definition)
	g := s.groups.at(*link)
	g.identities--
	if g.aggregate == i.self {
		g.aggregate = 0
	}
	if g.identities == 0 {
		s.removeGroup(link)
	}
}

// removeGroup puts a leaf from below in the place of a group. A leaf may stand anywhere on the way to its place.
func (s *Store) removeGroup(link *ref) {
	r, leaf := *link, link
	for below := leaf; below != nil; below = s.below(*leaf) {
		leaf = below
	}
	moved := *leaf
	*leaf = 0
	g := s.groups.at(r)
	if moved != r {
		s.groups.at(moved).children = g.children
		*link = moved
	}
	s.drop(g.Definition)
	*g = Group{}
	s.groups.release(r)
}

// below returns a link that leads on from a group; nil for a leaf.
func (s *Store) below(r ref) *ref {
	for side := range s.groups.at(r).children {
		if link := &s.groups.at(r).children[side]; *link != 0 {
			return link
		}
	}
	return nil
}

// Address tells apart definitions that are not copies. They do not move, and nobody can choose their addresses.
func Address(d *runtime.Definition) uint64 { return uint64(uintptr(unsafe.Pointer(d))) }
