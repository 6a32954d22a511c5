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
