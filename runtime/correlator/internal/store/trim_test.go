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
