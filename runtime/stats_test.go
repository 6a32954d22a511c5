package eventrt_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/problems"
	"github.com/event-gen/event-gen/runtime/sink"
)

// fill gives every number in v a value of its own, times factor, and returns their sum.
func fill(t *testing.T, v reflect.Value, factor uint64) (sum uint64) {
	t.Helper()
	for i := range v.NumField() {
		n := uint64(i+1) * factor
		switch f := v.Field(i); f.Kind() {
		case reflect.Struct:
			sum += fill(t, f, factor*100)
			continue
		case reflect.Int, reflect.Int64:
			f.SetInt(int64(n))
		case reflect.Uint64:
			f.SetUint(n)
		default:
			t.Fatalf("%s is a %s: this test does not know it", v.Type().Field(i).Name, f.Kind())
		}
		sum += n
	}
	return sum
}

func TestStatsAddEveryField(t *testing.T) {
	var once, twice, got eventrt.Stats
	fill(t, reflect.ValueOf(&once).Elem(), 1)
	fill(t, reflect.ValueOf(&twice).Elem(), 2)
	got.Add(&once)
	got.Add(&once)
	if diff := cmp.Diff(twice, got); diff != "" {
		t.Error(diff)
	}
}

func TestLostTotalsEveryCause(t *testing.T) {
	var lost eventrt.Lost
	if want := fill(t, reflect.ValueOf(&lost).Elem(), 1); lost.Total() != want {
		t.Errorf("total %d, want %d", lost.Total(), want)
	}
}

// TestNames: each outcome, scope and problem has a name of its own, and what is none is unknown.
func TestNames(t *testing.T) {
	for kind, c := range map[string]struct {
		last int
		name func(int) string
		none string
	}{
		"outcome": {int(sink.Refused), func(i int) string { return sink.Outcome(i).String() }, "unknown"},
		"scope":   {int(sink.ScopeServer), func(i int) string { return sink.Scope(i).String() }, "unknown"},
		"problem": {int(problems.UnknownValue), func(i int) string { return eventrt.Problem(i).String() }, "unknown problem"},
	} {
		seen := map[string]bool{}
		for i := range c.last + 1 {
			seen[c.name(i)] = true
		}
		if len(seen) != c.last+1 || seen[""] || c.name(c.last+1) != c.none || c.name(255) != c.none {
			t.Errorf("%s: names %v, then %q", kind, seen, c.name(c.last+1))
		}
	}
}
