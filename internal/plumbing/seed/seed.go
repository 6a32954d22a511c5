// Package seed makes random tests repeatable. A test that draws random input takes its seed from
// the test binary's flag -seed.
package seed

import (
	"flag"
	"math/rand/v2"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

var asked = flag.Uint64("seed", 0, "the seed of random input; 0: a new one for each test")

// Of returns the seed of a test: the flag's, or a new one. A failing test prints the seed and the
// flag that repeats its input.
func Of(t testing.TB) uint64 {
	t.Helper()
	return Or(t, uint64(rand.Uint32())+1)
}

// Or returns the seed of a test that draws the same input in every run: the flag's, or the fixed
// one.
func Or(t testing.TB, fixed uint64) uint64 {
	t.Helper()
	s := *asked
	if s == 0 {
		s = fixed
	}
	t.Logf("random input; play it again: -run='^%s$' -seed=%d", t.Name(), s)
	return s
}

// Check is rapid.Check with the seed of the test. A test that calls it must not call t.Parallel,
// because rapid has one seed for all tests.
func Check(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	if err := flag.Set("rapid.seed", strconv.FormatUint(Of(t), 10)); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, property)
}
