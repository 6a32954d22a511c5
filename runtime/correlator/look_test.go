package correlator

import (
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime"
)

// TestLookTakesSmallSteps: each identity is shown once, and a step of 256 takes far less than a millisecond.
func TestLookTakesSmallSteps(t *testing.T) {
	const identities, step = 20_000, 256
	c := New(Options{MaxIdentities: 2 * identities, MaxBytes: 1 << 30})
	def := &runtime.Definition{Name: "Made", Reason: "Made", Action: "Make", Type: runtime.Normal, Message: []runtime.Segment{{Text: "made"}}}
	now := runtime.SystemClock().Now()
	for n := range identities {
		ref := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: fmt.Sprint("pod-", n)}
		e := runtime.NewEvent(def, runtime.ReferenceOf(ref), runtime.ObjectRef{})
		if p := c.Observe(&e, ObjectHash(&e), now); p != runtime.NoProblem {
			t.Fatal(p)
		}
	}
	seen := map[uint32]int{}
	var took []time.Duration
	for from, more := uint32(0), true; more; more = from != 0 {
		begun := time.Now()
		from = c.Look(from, step, now, func(g *Glance) { seen[g.Identity]++ })
		took = append(took, time.Since(begun))
	}
	if len(seen) != identities || len(took) < identities/step {
		t.Errorf("%d identities in %d steps", len(seen), len(took))
	}
	for i, n := range seen {
		if n != 1 {
			t.Errorf("identity %d was shown %d times", i, n)
		}
	}
	slices.Sort(took)
	if median := took[len(took)/2]; median > time.Millisecond {
		t.Errorf("a step takes %v", median)
	} else {
		t.Logf("a step takes %v", median)
	}
	if _, ok := c.Regarding(1<<30, 1); ok {
		t.Error("an identity that was never there has an object")
	}
}

// TestWhatLookShows of an event in each state.
func TestWhatLookShows(t *testing.T) {
	r := newRig(t, Options{Threshold: 1})
	look := func() (all []Glance) {
		r.c.Look(0, 100, r.now, func(g *Glance) {
			g.Identity, g.Generation, g.Object, g.Definition, g.APIVersion, g.Kind = 0, 0, 0, nil, "", ""
			all = append(all, *g)
		})
		return all
	}
	same := func(when string, want ...Glance) {
		t.Helper()
		if got := look(); !slices.Equal(got, want) {
			t.Errorf("%s: %+v", when, got)
		}
	}
	r.record(about("a", normal, "x"), about("a", normal, "x"))
	r.pass(time.Second)
	same("pending", Glance{Count: 2, Pending: 2, Waited: time.Second})
	w := r.next()
	same("in flight", Glance{Count: 2, Pending: 2, Waited: time.Second, InFlight: true})
	r.done(w, answer(runtime.Retry))
	same("failed", Glance{Count: 2, Pending: 2, Waited: time.Second, Attempts: 1})
	r.pass(time.Second)
	r.ok(r.next())
	r.record(about("a", normal, "folds"))
	same("acknowledged, and an aggregate", Glance{Count: 2}, Glance{Count: 1, Pending: 1, Aggregate: true})
}
