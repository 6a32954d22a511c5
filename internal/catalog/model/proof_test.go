package model_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/seed"
	eventrt "github.com/event-gen/event-gen/runtime"
)

var (
	long     = strings.Repeat("x", 2000)
	longPod  = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: long, Name: long, UID: types.UID(long)}}
	wide     = strings.Repeat("€", 700)
	controls = strings.Repeat("\x00\xff\u2028", 400)
)

// only is the only definition of a catalog of one event.
func only(t testing.TB, event string) *model.Definition {
	t.Helper()
	set, findings := build(t, catalogOf(event), model.ResolveNever)
	if len(findings) > 0 {
		t.Fatalf("%s\n%s", event, lines(findings))
	}
	return set.Packages[0].Events[0].Methods[0].Definitions[0]
}

func catalogOf(event string) string {
	return head + "spec:\n  go: {package: testevents}\n  objects: {Pod: v1, Node: v1}\n  defaults: {regarding: Pod}\n  events:\n  - " + event + "\n"
}

func message(def *model.Definition, args ...eventrt.Arg) string {
	return eventrt.NewEvent(&def.Runtime, eventrt.ObjectOf(longPod), eventrt.ObjectOf(longPod), args...).Message()
}

// The longest values of every type take exactly the bytes that the proof assumes.
func TestExtremes(t *testing.T) {
	minDuration, maxDuration := time.Duration(math.MinInt64), time.Duration(math.MaxInt64)
	september := time.Date(2023, time.September, 27, 23, 59, 59, 123456789, time.UTC)
	tests := []struct {
		param    string
		extremes []eventrt.Arg
		want     int
	}{
		{"type: bool", []eventrt.Arg{eventrt.Bool(false), eventrt.Bool(true)}, 5},
		{"type: int", []eventrt.Arg{eventrt.Int(math.MinInt64), eventrt.Int(math.MaxInt64)}, 20},
		{"type: int32", []eventrt.Arg{eventrt.Int(int32(math.MinInt32)), eventrt.Int(int32(math.MaxInt32))}, 11},
		{"type: int64", []eventrt.Arg{eventrt.Int(int64(math.MinInt64))}, 20},
		{"type: uint32", []eventrt.Arg{eventrt.Uint(uint32(math.MaxUint32))}, 10},
		{"type: float64", []eventrt.Arg{eventrt.Float(-2.2250738585072014e-308), eventrt.Float(math.Inf(-1)), eventrt.Float(math.NaN()), eventrt.Float(-math.MaxFloat64)}, 24},
		{"type: float64, precision: 3", []eventrt.Arg{eventrt.Float(-math.MaxFloat64), eventrt.Float(math.Inf(-1))}, 314},
		{"type: duration", []eventrt.Arg{eventrt.Duration(minDuration), eventrt.Duration(maxDuration)}, 25},
		{"type: duration, unit: ns", []eventrt.Arg{eventrt.Duration(minDuration)}, 22},
		{"type: duration, unit: us", []eventrt.Arg{eventrt.Duration(minDuration)}, 20},
		{"type: duration, unit: h", []eventrt.Arg{eventrt.Duration(minDuration)}, 9},
		{"type: duration, round: 7ms", []eventrt.Arg{eventrt.Duration(minDuration), eventrt.Duration(maxDuration), eventrt.Duration(minDuration + 5e6)}, 25},
		{"type: time", []eventrt.Arg{eventrt.Time(september), eventrt.Time(time.Time{})}, 20},
		{"type: time, layout: RFC850", []eventrt.Arg{eventrt.Time(september)}, 33},
		{"type: time, layout: RFC3339Nano", []eventrt.Arg{eventrt.Time(september)}, 30},
		{"type: time, layout: Kitchen", []eventrt.Arg{eventrt.Time(september)}, 7},
		{"type: name", []eventrt.Arg{eventrt.String(long), eventrt.String(wide)}, 253},
		{"type: namespace", []eventrt.Arg{eventrt.String(long)}, 63},
		{"type: uid", []eventrt.Arg{eventrt.String(types.UID(long))}, 36},
		{"type: namespacedName", []eventrt.Arg{eventrt.NamespacedName(types.NamespacedName{Namespace: long, Name: long})}, 317},
		{"type: object", []eventrt.Arg{eventrt.ObjectName(longPod)}, 317},
		{"type: string", []eventrt.Arg{eventrt.String(long), eventrt.String(wide), eventrt.String(controls)}, 992},
		{"type: string, maxBytes: 7", []eventrt.Arg{eventrt.String(long), eventrt.String(wide)}, 7},
		{"type: string, maxBytes: 40, quote: true", []eventrt.Arg{eventrt.String(long), eventrt.String(strings.Repeat(`"`, 40))}, 40},
		{"type: string, sensitive: true", []eventrt.Arg{eventrt.String(long)}, 10},
		{"type: error, maxBytes: 5", []eventrt.Arg{eventrt.Error(errors.New(long)), eventrt.Error(nil)}, 5},
		{"type: quantity, maxBytes: 20", []eventrt.Arg{eventrt.Quantity(resource.MustParse("123456789012345678901234567890"))}, 20},
		{"type: strings, maxBytes: 50", []eventrt.Arg{eventrt.Strings([]string{long, long}, ", ")}, 50},
		{"type: enum, values: [ab, abcd]", []eventrt.Arg{eventrt.String("abcd"), eventrt.String(long)}, 4},
		{"type: batchv1.CompletionMode, values: [Indexed]", []eventrt.Arg{eventrt.String(long)}, len("NonIndexed")},
		{"type: batchv1.CompletionMode, values: [Indexed, AlsoIndexedTwice]", []eventrt.Arg{eventrt.String(long)}, len("AlsoIndexedTwice")},
		{"type: batchv1.CompletionMode, maxBytes: 300", []eventrt.Arg{eventrt.String(long)}, 300},
		{"type: corev1.PodPhase", []eventrt.Arg{eventrt.String(long)}, len("Succeeded")},
		{"type: float64, precision: 2, maxBytes: 20", []eventrt.Arg{eventrt.Float(-math.MaxFloat64), eventrt.Float(0.5)}, 20},
		{"type: float64, maxBytes: 7", []eventrt.Arg{eventrt.Float(-math.MaxFloat64)}, 7},
		{`type: string, maxBytes: 10, optional: true, prefix: "; "`, []eventrt.Arg{eventrt.String(long), eventrt.String("")}, 12},
	}
	for _, tt := range tests {
		t.Run(tt.param, func(t *testing.T) {
			def := only(t, `{reason: A, message: "{p}", params: [{name: p, `+tt.param+`}]}`)
			if def.MaxBytes != tt.want {
				t.Errorf("the proof claims %d bytes, want %d", def.MaxBytes, tt.want)
			}
			longest := 0
			for _, arg := range tt.extremes {
				longest = max(longest, len(message(def, arg)))
			}
			if longest != tt.want {
				t.Errorf("the longest message has %d bytes, the proof claims %d", longest, tt.want)
			}
		})
	}
}

// A message must leave at least 16 bytes for the param without a bound.
func TestLeastRest(t *testing.T) {
	for rest, fits := range map[int]bool{16: true, 15: false} {
		text := strings.Repeat("x", 992-rest)
		_, findings := build(t, catalogOf(`{reason: A, message: "`+text+`{p}", params: [p string]}`), model.ResolveNever)
		if (len(findings) == 0) != fits {
			t.Errorf("%d bytes are left: %s", rest, lines(findings))
		}
	}
}

// kinds of params for random messages, with the longest possible arguments.
var worst = []struct {
	param string
	args  []eventrt.Arg
}{
	{"type: int64", []eventrt.Arg{eventrt.Int(int64(math.MinInt64))}},
	{"type: duration", []eventrt.Arg{eventrt.Duration(math.MinInt64)}},
	{"type: name", []eventrt.Arg{eventrt.String(long), eventrt.String(wide), eventrt.String(controls)}},
	{"type: namespacedName", []eventrt.Arg{eventrt.String(long)}},
	{"type: string, maxBytes: 100", []eventrt.Arg{eventrt.String(long), eventrt.String(wide), eventrt.String(controls)}},
	{"type: string, maxBytes: 33, quote: true", []eventrt.Arg{eventrt.String(controls), eventrt.String(wide)}},
	{`type: error, maxBytes: 50, optional: true, prefix: "; why: "`, []eventrt.Arg{eventrt.Error(errors.New(long)), eventrt.Error(nil)}},
	{"type: string, sensitive: true", []eventrt.Arg{eventrt.String(long)}},
	{"type: enum, values: [a, bcd]", []eventrt.Arg{eventrt.String(long)}},
	{"type: time, layout: RFC1123Z", []eventrt.Arg{eventrt.Time(time.Date(2023, 9, 27, 12, 0, 0, 0, time.UTC))}},
	{"type: strings", []eventrt.Arg{eventrt.Strings([]string{long, wide}, ", "), eventrt.Strings([]string{controls}, "")}},
	{"type: string", []eventrt.Arg{eventrt.String(long), eventrt.String(wide), eventrt.String(controls)}},
}

// For every random message, the model either reports that it does not fit, or no argument makes it
// longer than the model's bound. That bound is never more than an event holds.
func TestProofHolds(t *testing.T) {
	placeholders := []string{"regarding.name", "regarding.namespace", "regarding.uid", "regarding.kind", "related.name", "related.uid"}
	refused, held := 0, 0
	seed.Check(t, func(rt *rapid.T) {
		var params, parts []string
		var args []eventrt.Arg
		for i := range rapid.IntRange(0, eventrt.MaxParams).Draw(rt, "params") {
			w := rapid.SampledFrom(worst).Draw(rt, "type")
			params = append(params, fmt.Sprintf("{name: p%d, %s}", i, w.param))
			args = append(args, rapid.SampledFrom(w.args).Draw(rt, "arg"))
			for range rapid.IntRange(0, 2).Draw(rt, "places") {
				parts = append(parts, fmt.Sprintf("{p%d}", i))
			}
		}
		for range rapid.IntRange(0, 3).Draw(rt, "objects") {
			parts = append(parts, "{"+rapid.SampledFrom(placeholders).Draw(rt, "object")+"}")
		}
		literal := rapid.StringMatching(`[a-zé€ ]{0,60}`).Draw(rt, "literal")
		if rapid.Bool().Draw(rt, "long") { // most of these are refused
			literal += strings.Repeat("x", rapid.IntRange(850, 992).Draw(rt, "filling"))
		}
		parts = append(parts, literal)
		text := strings.Join(rapid.Permutation(parts).Draw(rt, "order"), "-")
		event := fmt.Sprintf(`{reason: A, related: {object: Node, optional: true, prefix: " on "}, message: "%s", params: [%s]}`, text, strings.Join(params, ", "))
		set, findings := build(t, catalogOf(event), model.ResolveNever)
		if findings.HasErrors() {
			refused++
			return
		}
		held++
		def := set.Packages[0].Events[0].Methods[0].Definitions[0]
		if def.MaxBytes > 992 {
			rt.Fatalf("the model lets %d bytes pass", def.MaxBytes)
		}
		if got := len(message(def, args...)); got > def.MaxBytes {
			rt.Fatalf("%s\nhas %d bytes, and the model claims %d", event, got, def.MaxBytes)
		}
	})
	if refused == 0 || held == 0 {
		t.Errorf("%d messages were refused and %d held: the test looks at one side only", refused, held)
	}
}
