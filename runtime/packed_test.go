package runtime

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// someArgs draws arguments as params of any type make them, close to each other so that some are equal.
func someArgs(t *rapid.T, label string) []Arg {
	one := rapid.OneOf(
		rapid.Just(Arg{}),
		rapid.Map(rapid.SampledFrom([]string{"", "a", "ab", "\x00", strings.Repeat("x", 127), strings.Repeat("x", 128), strings.Repeat("x", 20_000)}), String),
		rapid.Map(rapid.Bool(), Bool),
		rapid.Map(rapid.SampledFrom([]int{0, 1, -1, 255, 256, math.MaxInt}), Int[int]),
		rapid.Map(rapid.SampledFrom([]uint{0, 1}), Uint[uint]),
		rapid.Map(rapid.SampledFrom([]float64{0, 1, -0.5}), Float[float64]),
		rapid.Map(rapid.SampledFrom([]time.Duration{0, 1}), Duration),
		rapid.Map(rapid.SampledFrom([]time.Time{{}, time.Unix(0, 0), time.Unix(0, 1), time.Unix(-1, 999_999_999)}), Time),
		rapid.Just(Arg{kind: argRedacted}),
	)
	return rapid.SliceOfN(one, 0, MaxParams).Draw(t, label)
}

func TestPackedArgsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		args := someArgs(t, "args")
		packed := string(PackArgs([]byte("before"), args, 0))
		got := make([]Arg, len(args))
		UnpackArgs(packed[len("before"):], got)
		for i := range args {
			if got[i] != args[i] {
				t.Fatalf("argument %d: %+v came back as %+v", i, args[i], got[i])
			}
		}
	})
}

// TestPackedArgsAreComparedAsArgs holds packed arguments against what == says of them.
func TestPackedArgsAreComparedAsArgs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := someArgs(t, "a")
		b := make([]Arg, len(a))
		copy(b, someArgs(t, "b"))
		for i := range b {
			if rapid.Bool().Draw(t, "equal") {
				b[i] = a[i]
			}
		}
		except := rapid.Uint8().Draw(t, "except")
		same := true
		for i := range a {
			same = same && (except&(1<<i) != 0 || a[i] == b[i])
		}
		if got := SamePackedArgs(string(PackArgs(nil, a, 0)), b, except); got != same {
			t.Fatalf("%+v and %+v but for %08b: found the same %v, expected %v", a, b, except, got, same)
		}
		if got := string(PackArgs(nil, a, except)) == string(PackArgs(nil, b, except)); got != same {
			t.Fatalf("%+v and %+v packed but for %08b: found the same %v, expected %v", a, b, except, got, same)
		}
	})
}

// TestPackedArgsEndWithTheArgs compares lists of different lengths. Absent arguments at the end count for nothing.
func TestPackedArgsEndWithTheArgs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := someArgs(t, "a")
		b := slices.Concat(a[:rapid.IntRange(0, len(a)).Draw(t, "equal")], someArgs(t, "b"))
		packed := string(PackArgs(nil, a, 0))
		same := packed == string(PackArgs(nil, b, 0))
		if got := SamePackedArgs(packed, b, 0); got != same {
			t.Fatalf("%+v and %+v: found the same %v, expected %v", a, b, got, same)
		}
	})
}

// TestRawIsAllThatAnArgIs holds the parts of arguments against what == says of them.
func TestRawIsAllThatAnArgIs(t *testing.T) {
	type raw struct {
		text         string
		number, kind uint64
	}
	of := func(a Arg) (r raw) {
		r.text, r.number, r.kind = a.Raw()
		return r
	}
	rapid.Check(t, func(t *rapid.T) {
		for _, a := range someArgs(t, "a") {
			for _, b := range someArgs(t, "b") {
				if (of(a) == of(b)) != (a == b) {
					t.Fatalf("%+v and %+v: %+v and %+v", a, b, of(a), of(b))
				}
			}
		}
	})
	if of(Arg{}) != (raw{}) {
		t.Errorf("an Arg{}: %+v", of(Arg{}))
	}
}
