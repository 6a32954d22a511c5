package correlator

import (
	"flag"
	"math/rand/v2"
	"testing"

	testseed "github.com/event-gen/event-gen/runtime/internal/seed"
)

var (
	simHistories = flag.Int("histories", 2_000, "number of random histories")
	simSteps     = flag.Int("steps", 120, "steps of a history")
	simLines     = flag.Int("lines", 80, "lines shown of a history that fails")
)

// newRand returns a generator of the test's seed.
func newRand(t testing.TB) *rand.Rand {
	t.Helper()
	s := testseed.Of(t)
	return rand.New(rand.NewPCG(s, s^0x5eed))
}
