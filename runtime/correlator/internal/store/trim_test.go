package store

import "testing"

// TestAnySlabHasSlack holds that memory can be freed as soon as one kind of records has slack, whichever it is.
func TestAnySlabHasSlack(t *testing.T) {
	s := New()
	if s.Slack() {
		t.Error("an empty store has slack")
	}
	const some = 2*chunkSize + 1
	for n, free := range []*[]ref{
		&s.identities.free, &s.objects.free, &s.works.free, &s.turns.free, &s.groups.free, &s.scopes.free, &s.namespaces.free,
	} {
		*free = make([]ref, some)
		if !s.Slack() {
			t.Errorf("slab %d has %d free records and none in use, but no slack", n, some)
		}
		*free = nil
	}
}

// TestTrimOfWhatFallsDue holds that a list of what falls due is copied once less than a quarter of its memory is used, and keeps what it has.
func TestTrimOfWhatFallsDue(t *testing.T) {
	for n := range 4 {
		for room := n; room < 20; room++ {
			s := New()
			s.later.entries = make([]entry, n, room)
			for i := range s.later.entries {
				s.later.entries[i].serial = uint32(i)
			}
			s.Trim()
			if freed := cap(s.later.entries) < room; freed != (room > 4*n) {
				t.Errorf("%d of %d are used: memory is given back %v", n, room, freed)
			}
			for i, e := range s.later.entries {
				if e.serial != uint32(i) || len(s.later.entries) != n {
					t.Errorf("%d of %d are used: %v is left", n, room, s.later.entries)
				}
			}
		}
	}
}
