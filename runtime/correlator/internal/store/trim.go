package store

import "slices"

// trimmer is a slab of any type.
type trimmer interface {
	slack() bool
	trim()
}

// Slack reports whether Trim would free memory.
func (s *Store) Slack() bool {
	return s.identities.slack() || s.works.slack() || s.objects.slack() || s.turns.slack() || s.groups.slack() || s.scopes.slack() || s.namespaces.slack()
}

// Trim frees memory that is no longer needed. It takes time in proportion to the most that was held.
func (s *Store) Trim() {
	for _, t := range []trimmer{&s.identities, &s.works, &s.objects, &s.turns, &s.groups, &s.scopes, &s.namespaces} {
		t.trim()
	}
	if cap(s.later.entries) > 4*len(s.later.entries) {
		s.later.entries = slices.Clone(s.later.entries)
	}
	s.byScope, s.byNamespace, s.definitions = moved(s.byScope), moved(s.byNamespace), moved(s.definitions)
}

// moved copies a map, because maps do not shrink.
func moved[K comparable, V any](m map[K]V) map[K]V {
	small := make(map[K]V, len(m))
	for k, v := range m {
		small[k] = v
	}
	return small
}
