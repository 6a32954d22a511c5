package correlator

import (
	"math"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/event-gen/event-gen/runtime"
)

// hashedArgs are arguments that a careless hash takes for each other.
var hashedArgs = []runtime.Arg{
	{},
	runtime.String(""), runtime.String("\x00"), runtime.String("\x00\x00"), runtime.String("\x01"), runtime.String("a"), runtime.String("aa"),
	runtime.String(strings.Repeat("a", 9)), runtime.String(strings.Repeat("a", 8) + "b"), runtime.String(strings.Repeat("a", 17)),
	runtime.String(strings.Repeat("a", 300)), runtime.String(strings.Repeat("a", 299) + "b"),
	runtime.Bool(false), runtime.Bool(true),
	runtime.Int(0), runtime.Int(1), runtime.Int(-1), runtime.Int(math.MaxInt32), runtime.Int('a'),
	runtime.Uint(uint(0)), runtime.Uint(uint(1)), runtime.Float(0.0), runtime.Float(1.0),
	runtime.Duration(0), runtime.Duration(1),
	runtime.Time(time.Time{}), runtime.Time(time.Unix(0, 0)), runtime.Time(time.Unix(0, 1)), runtime.Time(time.Unix(1, 0)), runtime.Time(time.Unix(0, 256)),
	runtime.NamespacedName(types.NamespacedName{}), runtime.NamespacedName(types.NamespacedName{Name: "a"}),
}

func drawArgs(t *rapid.T, label string) []runtime.Arg {
	return rapid.SliceOfN(rapid.SampledFrom(hashedArgs), 0, runtime.MaxParams).Draw(t, label)
}

// TestArgsHashIsThatOfThePackedForm holds hashes of arguments against their packed forms, which are equal if and only if the arguments are.
func TestArgsHashIsThatOfThePackedForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawArgs(t, "a"), drawArgs(t, "b")
		if rapid.Bool().Draw(t, "close") {
			b = append(b[:0:0], a...)
			for n := range b {
				if rapid.IntRange(0, 3).Draw(t, "change") == 0 {
					b[n] = rapid.SampledFrom(hashedArgs).Draw(t, "other")
				}
			}
		}
		except := rapid.Uint8().Draw(t, "except")
		packedA, packedB := runtime.PackArgs(nil, a, except), runtime.PackArgs(nil, b, except)
		if got, want := argsHash(a, except) == argsHash(b, except), string(packedA) == string(packedB); got != want {
			t.Fatalf("%+v and %+v but for %08b: equal hashes %v, equal packed forms %v", a, b, except, got, want)
		}
		var back [runtime.MaxParams]runtime.Arg
		runtime.UnpackArgs(string(packedA), back[:])
		if argsHash(back[:], 0) != argsHash(a, except) || argsHash(back[:], except) != argsHash(a, except) {
			t.Fatalf("%+v but for %08b: another hash from the packed form", a, except)
		}
	})
}

// TestEveryTwoArgsHashApart goes through all pairs, each alone and in another place.
func TestEveryTwoArgsHashApart(t *testing.T) {
	seen := map[uint64]string{}
	for n := range hashedArgs[1:] {
		for place := range runtime.MaxParams {
			args := make([]runtime.Arg, place+1)
			args[place] = hashedArgs[n+1]
			packed := string(runtime.PackArgs(nil, args, 0))
			h := argsHash(args, 0)
			if other, known := seen[h]; known && other != packed {
				t.Errorf("%q and %q have one hash", other, packed)
			}
			seen[h] = packed
		}
	}
}
