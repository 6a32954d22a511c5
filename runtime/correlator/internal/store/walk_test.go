package store

import (
	"fmt"
	"testing"

	"github.com/event-gen/event-gen/runtime"
)

// TestAWalkTakesSmallSteps walks over a store that was full once and gave its memory back: each call passes the given number of records at
// most, those that were given back too, and what is left is shown once.
func TestAWalkTakesSmallSteps(t *testing.T) {
	const full, step = 50_000, 100
	s := New()
	var held []*Identity
	for n := range full {
		o := s.AddObject(&runtime.ObjectRef{Name: fmt.Sprint(n), Kind: "Pod"}, uint32(n)*2654435761, true)
		d := definitions[n%len(definitions)]
		held = append(held, s.AddIdentity(o, s.Group(o, d), d, Detail{}, uint32(n)*2654435761, 0))
	}
	s.Slack()
	left := map[*Identity]int{held[7]: 0, held[full/2]: 0, held[full-1]: 0}
	for _, i := range held {
		if _, stays := left[i]; !stays {
			s.Remove(i)
		}
	}
	s.Trim()
	given := 0
	for _, c := range s.identities.chunks {
		if c == nil {
			given++
		}
	}
	if given < full/chunkSize/2 {
		t.Fatalf("%d chunks were given back, too few to test with", given)
	}
	for from, more := uint32(0), true; more; {
		next := s.Walk(from, step, func(i *Identity) { left[i]++ })
		if next > max(from, 1)+step {
			t.Fatalf("a walk of %d records from %d on ended at %d", step, from, next)
		}
		from, more = next, next != 0
	}
	for i, n := range left {
		if n != 1 {
			t.Errorf("identity of hash %d was shown %d times", i.hash, n)
		}
	}
	if len(left) != 3 {
		t.Errorf("%d identities were shown, want 3", len(left))
	}
}
