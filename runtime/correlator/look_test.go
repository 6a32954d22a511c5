package correlator

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/tuning"
	"github.com/event-gen/event-gen/runtime/sink"
)

// TestWhatLookShows of an event in each state.
func TestWhatLookShows(t *testing.T) {
	r := newRig(t, Options{tuning: tuning.Tuning{Threshold: 1}})
	shows := func(when string, want ...View) {
		t.Helper()
		var got []View
		r.c.Look(0, 100, r.now, func(g *View) {
			if g.Definition != normal || g.Regarding.Name != "a" || g.Regarding.UID != "uid-of-a" || g.Regarding.Kind != "Job" {
				t.Errorf("%s: about %+v", when, g)
			}
			if (g.Pending > 0) != strings.HasPrefix(g.Name, "a.") {
				t.Errorf("%s: named %q", when, g.Name)
			}
			g.Definition, g.Regarding, g.Name = nil, eventrt.ObjectRef{}, ""
			got = append(got, *g)
		})
		if slices.Reverse(got); !slices.Equal(got, want) {
			t.Errorf("%s: %+v", when, got)
		}
	}
	r.record(about("a", normal, "x"), about("a", normal, "x"))
	r.pass(time.Second)
	shows("pending", View{Count: 2, Pending: 2, Waited: time.Second})
	w := r.next()
	shows("in flight", View{Count: 2, Pending: 2, Waited: time.Second, InFlight: true})
	r.done(w, fails(sink.ScopeObject))
	shows("failed", View{Count: 2, Pending: 2, Waited: time.Second, Attempts: 1})
	r.pass(time.Second)
	r.ok(r.next())
	r.record(about("a", normal, "aggregated"))
	shows("acknowledged, and an aggregate", View{Count: 2}, View{Count: 1, Pending: 1, Aggregate: true})
}

// TestLookShowsAllInSmallSteps, though others are recorded and forgotten in between.
func TestLookShowsAllInSmallSteps(t *testing.T) {
	r := newRig(t, Options{})
	for n := range 1000 {
		r.record(about(fmt.Sprint("o", n), normal, "x"))
	}
	kept, shown := map[string]bool{}, map[string]bool{}
	for _, e := range r.c.all {
		kept[e.group.object.name] = true
	}
	for from, calls := 0, 0; calls == 0 || from > 0; calls++ {
		n := 0
		from = r.c.Look(from, 100, r.now, func(g *View) { n++; shown[g.Regarding.Name] = true })
		if n > 100 || calls > 10 {
			t.Fatalf("call %d shows %d", calls, n)
		}
		for _, place := range []int{len(r.c.all) - 1, 7} {
			delete(kept, r.c.all[place].group.object.name)
			r.c.evict(r.c.all[place])
		}
		r.record(about(fmt.Sprint("later", calls), normal, "x"))
	}
	for name := range kept {
		if !shown[name] {
			t.Errorf("%s is not shown", name)
		}
	}
	if len(kept) < 980 {
		t.Errorf("%d are held throughout", len(kept))
	}
}
