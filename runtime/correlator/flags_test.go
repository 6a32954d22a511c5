package correlator

import (
	"flag"
	"math/rand/v2"
	"testing"
)

var (
	simSeed      = flag.Uint64("seed", 0, "seed of what is random; 0: a new one")
	simHistories = flag.Int("histories", 2_000, "number of random histories")
	simSteps     = flag.Int("steps", 120, "steps of a history")
)

// newRand returns a generator whose seed is printed, so that -seed plays it again.
func newRand(t testing.TB) *rand.Rand {
	seed := *simSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-seed=%d", seed)
	return rand.New(rand.NewPCG(seed, seed^0x5eed))
}
