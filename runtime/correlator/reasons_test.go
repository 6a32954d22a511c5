package correlator

import (
	"fmt"
	"testing"

	"github.com/event-gen/event-gen/runtime"
)

// TestAnObjectWithManyReasons gives an object more reasons than any has, twice, and has them forgotten in between.
func TestAnObjectWithManyReasons(t *testing.T) {
	const reasons = 160
	r := newRig(t, Options{MaxIdentities: 2 * reasons})
	for round := range 2 {
		for n := range reasons {
			def := testDefinition(fmt.Sprint("Reason", n), runtime.Normal)
			for range 2 {
				r.record(about("job", def, "text"))
			}
			r.writeAll()
		}
		if err := checkStructure(r.c); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if s := r.c.Stats(); s.Identities != reasons || s.Objects != 1 {
			t.Errorf("round %d: %d identities of %d objects", round, s.Identities, s.Objects)
		}
		for r.c.held.Identities() > 0 {
			r.c.shed(r.c.held.LeastWorth())
			if err := checkStructure(r.c); err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
		}
		if s := r.c.Stats(); s.Bytes != 0 {
			t.Errorf("round %d: %d bytes are left of nothing", round, s.Bytes)
		}
	}
}
