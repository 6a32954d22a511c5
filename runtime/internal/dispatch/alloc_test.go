package dispatch

import (
	"fmt"
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
)

// TestACallAllocatesNothing: what a write costs the dispatcher is no garbage, whether it succeeds, fails for its object, or is a try of a sick
// namespace.
func TestACallAllocatesNothing(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer runtime.Answer
		sick   bool
	}{
		{"success", runtime.Answer{Outcome: runtime.Done}, false},
		{"failure of an object", runtime.Answer{Outcome: runtime.Retry, Scope: runtime.ScopeObject}, false},
		{"failure of a sick namespace", runtime.Answer{Outcome: runtime.Retry, Scope: runtime.ScopeNamespace}, true},
	} {
		d := New(Options{Workers: 8, Shards: 8, Delay: time.Second, MaxDelay: 10 * time.Second, MaxPatience: time.Minute})
		lanes := make([]correlator.Lane, 16)
		for n := range lanes {
			lanes[n] = correlator.Lane{ID: uint32(n), Namespace: fmt.Sprint("n", n), Kind: correlator.Kind(n % 2)}
		}
		now, n := time.Duration(0), 0
		call := func() {
			now += 10 * time.Second
			n++
			d.Ready(n%8, &lanes[n%len(lanes)], now)
			j, _, ok := d.Take(now)
			if !ok {
				j, _, ok = d.Take(now) // the first has found where the lane has to wait
			}
			if !ok {
				t.Fatalf("%s: no job at call %d", c.name, n)
			}
			d.Done(&j, uint64(n), &c.answer, now)
		}
		for range 2000 { // what is kept is there thereafter
			call()
		}
		if sick := d.spaces["n0"].health.sick; sick != c.sick {
			t.Errorf("%s: the namespace is sick: %v", c.name, sick)
		}
		if allocs := testing.AllocsPerRun(1000, call); allocs != 0 {
			t.Errorf("%s: %v allocations", c.name, allocs)
		}
	}
}
