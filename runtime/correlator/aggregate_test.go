package correlator

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/tuning"
	"github.com/event-gen/event-gen/runtime/sink"
)

const prefix = "(combined from similar events): "

// single counts the writes that are no aggregates.
func single(writes []sink.Write) (n int) {
	for i := range writes {
		if !writes[i].Aggregate {
			n++
		}
	}
	return n
}

func policy(c eventrt.Correlation) *eventrt.Definition {
	def := testDefinition("Started", eventrt.Normal)
	def.Correlation = c
	return def
}

func TestDistinctMessagesAreAggregatedBeyondThresholdAndBudget(t *testing.T) {
	tests := []struct {
		name   string
		opts   Options
		policy eventrt.Correlation
		events int
		want   int // events of their own
	}{
		{"up to the threshold", Options{}, eventrt.Correlation{}, 10, 10},
		{"beyond the threshold", Options{}, eventrt.Correlation{}, 11, 10},
		{"another threshold", Options{tuning: tuning.Tuning{Threshold: 3}}, eventrt.Correlation{}, 20, 3},
		{"the spec's threshold", Options{tuning: tuning.Tuning{Threshold: 3}}, eventrt.Correlation{Threshold: 5}, 20, 5},
		{"the budget", Options{tuning: tuning.Tuning{Threshold: 1000}}, eventrt.Correlation{}, 30, 25},
		{"another budget", Options{Burst: 7, tuning: tuning.Tuning{Threshold: 1000}}, eventrt.Correlation{}, 30, 7},
		{"the spec's budget", Options{Burst: 7, tuning: tuning.Tuning{Threshold: 1000}}, eventrt.Correlation{Burst: 9}, 30, 9},
		{"the spec aggregates nothing", Options{}, eventrt.Correlation{NoAggregate: true}, 100, 100},
		{"nothing aggregates", Options{Burst: -1}, eventrt.Correlation{Threshold: 1}, 100, 100},
		{"no threshold to speak of", Options{}, eventrt.Correlation{Threshold: math.MaxInt}, 30, 25},
		{"no limits to speak of", Options{}, eventrt.Correlation{Threshold: math.MaxInt, Burst: math.MaxInt32}, 60, 60},
		{"no limits of any kind", Options{Burst: math.MaxInt, Every: math.MaxInt64, tuning: tuning.Tuning{Threshold: math.MaxInt}}, eventrt.Correlation{}, 60, 60},
		{"a budget that is hardly ever earned", Options{Burst: 2, Every: math.MaxInt64, tuning: tuning.Tuning{Threshold: 1000}}, eventrt.Correlation{}, 30, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, tt.opts)
			r.record(distinct("job", policy(tt.policy), 0, tt.events)...)
			writes := r.writeAll()
			if got := single(writes); got != tt.want {
				t.Errorf("%d events of their own, want %d", got, tt.want)
			}
			aggregates := len(writes) - single(writes)
			if aggregated := tt.events > tt.want; aggregated != (aggregates == 1) || aggregates > 1 {
				t.Errorf("%d aggregates", aggregates)
			}
			r.stats(books{written: uint64(tt.events)})
		})
	}
}

func TestTheBudgetIsEarnedBack(t *testing.T) {
	r := newRig(t, Options{tuning: tuning.Tuning{Threshold: 1000}})
	r.record(distinct("job", normal, 0, 30)...)
	r.writeAll()
	tests := []struct {
		after time.Duration
		want  int
	}{
		{5*minute - 1, 0}, {1, 1}, {0, 0}, {12 * minute, 2}, {3 * minute, 1}, {1000 * time.Hour, 25},
	}
	for n, tt := range tests {
		r.pass(tt.after)
		r.record(distinct("job", normal, 100*(n+1), 30)...)
		if got := single(r.writeAll()); got != tt.want {
			t.Errorf("step %d, at %v: %d events of their own, want %d", n, r.now.Mono, got, tt.want)
		}
	}
}

func TestTheThresholdCountsAWindow(t *testing.T) {
	for said, window := range map[time.Duration]time.Duration{0: 10 * minute, minute: minute} {
		r := newRig(t, Options{})
		for n, c := range []struct {
			after        time.Duration
			events, want int
		}{{0, 12, 10}, {window - 1, 1, 0}, {1, 12, 10}} {
			r.pass(c.after)
			r.record(distinct("job", policy(eventrt.Correlation{Window: said, Burst: 1000}), 100*n, c.events)...)
			if got := single(r.writeAll()); got != c.want {
				t.Errorf("a window of %v, step %d: %d events of their own, want %d", window, n, got, c.want)
			}
		}
	}
}

// TestWhoSharesLimits records events of several definitions in turn, with a distinct message each.
// A group has one event of its own, and an aggregate.
func TestWhoSharesLimits(t *testing.T) {
	of := func(reason, eventType, action string, c eventrt.Correlation) *eventrt.Definition {
		def := testDefinition(reason, eventType)
		def.Action, def.Correlation = action, c
		return def
	}
	plain := of("Rare", eventrt.Normal, "A", eventrt.Correlation{})
	forwardedBy := func(controller string) *eventrt.Definition {
		def := of("Rare", eventrt.Normal, "A", eventrt.Correlation{})
		def.Forwarded, def.ReportingController = true, controller
		return def
	}
	every, limit := eventrt.Correlation{Interval: minute}, eventrt.Correlation{Limit: tokens(2, 200*ms)}
	for name, c := range map[string]struct {
		first, second *eventrt.Definition
		object        string // of the second
		groups        int
	}{
		"another object":                 {plain, plain, "other", 2},
		"another reason":                 {plain, of("Other", eventrt.Normal, "A", eventrt.Correlation{}), "job", 2},
		"another type":                   {plain, of("Rare", eventrt.Warning, "A", eventrt.Correlation{}), "job", 2},
		"another action":                 {plain, of("Rare", eventrt.Normal, "B", eventrt.Correlation{}), "job", 1},
		"forwarded by two":               {forwardedBy("one"), forwardedBy("two"), "job", 2},
		"forwarded by one":               {forwardedBy("one"), forwardedBy("one"), "job", 1},
		"an interval":                    {of("Rare", eventrt.Normal, "B", every), plain, "job", 2},
		"intervals, of two declarations": {of("Rare", eventrt.Normal, "A", every), of("Rare", eventrt.Normal, "B", every), "job", 2},
		"a limit":                        {of("Rare", eventrt.Normal, "B", limit), plain, "job", 2},
	} {
		r := newRig(t, Options{tuning: tuning.Tuning{Threshold: 1}})
		for n := range 3 {
			r.record(about("job", c.first, fmt.Sprint("first ", n)), about(c.object, c.second, fmt.Sprint("second ", n)))
		}
		if writes := r.writeAll(); single(writes) != c.groups || len(writes) != 2*c.groups {
			t.Errorf("%s: %d events, %d of their own", name, len(writes), single(writes))
		}
	}
}

func TestAnAggregateStandsForWhatIsAggregated(t *testing.T) {
	r := newRig(t, Options{tuning: tuning.Tuning{Threshold: 1}})
	def := policy(eventrt.Correlation{})
	def.Annotations = []eventrt.AnnotationDefinition{{Key: "example.com/text", Value: def.Message}, {Key: "a", Value: def.Message}}
	r.record(distinct("job", def, 0, 4)...)
	writes := r.writeAll()
	if len(writes) != 2 {
		t.Fatalf("%v", r.notes(writes))
	}
	first := writes[1]
	want := []eventrt.Annotation{
		{Key: "a", Value: "message 1"},
		{Key: "event-gen.github.io/distinct-messages", Value: "3"},
		{Key: "event-gen.github.io/last-message", Value: "message 3"},
		{Key: writerKeyOf(0, 0), Value: "3"},
		{Key: "example.com/text", Value: "message 1"},
	}
	if diff := cmp.Diff(want, first.Annotations); diff != "" {
		t.Error(diff)
	}
	if string(first.Note) != prefix+"message 3" || first.Count != 3 || first.Operation != sink.Create || !first.Aggregate {
		t.Errorf("%s", describe(&first))
	}
	if first.ReportingController != "example.com/rig" || first.ReportingInstance != "rig-0" || first.Action != "Act" {
		t.Errorf("reported by %q %q, action %q", first.ReportingController, first.ReportingInstance, first.Action)
	}

	r.record(about("job", def, "message 1"), about("job", def, "message 9"), about("job", def, "message 2"))
	second := r.nextIn(time.Second)
	want[1].Value, want[2].Value, want[3].Value = "4", "message 2", "6"
	if diff := cmp.Diff(want, second.Annotations); diff != "" {
		t.Error(diff)
	}
	if string(second.Note) != prefix+"message 2" || second.Count != 6 || second.Operation != sink.Update || !second.Aggregate || second.Name != first.Name {
		t.Errorf("%s", describe(second))
	}
}

func TestTheNoteOfAnAggregateFits(t *testing.T) {
	r := newRig(t, Options{tuning: tuning.Tuning{Threshold: 1}})
	r.record(about("job", normal, "x"), about("job", normal, strings.Repeat("y", 3000)))
	w := r.writeAll()[1]
	if len(w.Note) != 1024 || !strings.HasPrefix(string(w.Note), prefix) || !strings.HasSuffix(string(w.Note), "…") {
		t.Errorf("%d bytes: %q", len(w.Note), w.Note)
	}
	if last := w.Annotations[1].Value; len(last) != 992 {
		t.Errorf("last message of %d bytes", len(last))
	}
}

func TestAnAggregateTellsApartUpToABound(t *testing.T) {
	for n, want := range map[int]string{1: "1", 1023: "1023", 1024: "1024+", 5000: "1024+"} {
		r := newRig(t, Options{tuning: tuning.Tuning{Threshold: 1}})
		r.record(distinct("job", normal, 0, 1+n)...)
		if got := r.writeAll()[1]; got.Annotations[0].Value != want || int(got.Count) != n {
			t.Errorf("%d: %q, count %d", n, got.Annotations[0].Value, got.Count)
		}
		if bytes := r.c.Stats().Bytes; bytes > 64<<10 {
			t.Errorf("%d: an aggregate of %d bytes", n, bytes)
		}
	}
}

func TestAnAggregateOfConstantTexts(t *testing.T) {
	plain := func(name string) *eventrt.Definition {
		return &eventrt.Definition{Name: name, Reason: "Same", Type: eventrt.Normal, Message: []eventrt.Segment{{Text: name}}}
	}
	r := newRig(t, Options{tuning: tuning.Tuning{Threshold: 1}})
	for _, name := range []string{"one", "two", "three"} {
		r.record(eventrt.NewEvent(plain(name), objectNamed("job", "u"), eventrt.ObjectRef{}))
	}
	if got := r.notes(r.writeAll()); !cmp.Equal(got, []string{"one", prefix + "three"}) {
		t.Errorf("%q", got)
	}
}

func TestTheLimitsOutliveWhatWasCounted(t *testing.T) {
	r := newRig(t, Options{MaxEvents: 2, tuning: tuning.Tuning{Threshold: 2}})
	r.record(distinct("job", normal, 0, 2)...)
	r.writeAll()
	r.record(about("job", normal, "message 2")) // the aggregate, for which message 0 has to go
	r.writeAll()
	r.record(about("job", normal, "message 0"))
	if got := r.notes([]sink.Write{*r.nextIn(time.Second)}); got[0] != prefix+"message 0" {
		t.Errorf("%q: forgetting one event has made room in the window", got)
	}
}

// TestAggregateDecides: a function aggregates the second event, and then an occurrence of the
// first, which is held already.
func TestAggregateDecides(t *testing.T) {
	var known, aggregates bool
	r := newRig(t, Options{Burst: 1, tuning: tuning.Tuning{Threshold: 1, Aggregate: func(_ eventrt.Event, isKnown bool) bool {
		known = isKnown
		return aggregates
	}}})
	for n, c := range []struct {
		text              string
		known, aggregates bool
	}{{"a", false, false}, {"b", false, true}, {"a", true, false}, {"a", true, true}} {
		aggregates = c.aggregates
		if r.record(about("web", warning, c.text)); known != c.known {
			t.Errorf("%d: known %v", n, known)
		}
	}
	counts := map[string]int32{}
	for _, w := range r.writeAll() {
		counts[string(w.Note)] = w.Count
	}
	if diff := cmp.Diff(map[string]int32{"a": 2, prefix + "a": 2}, counts); diff != "" {
		t.Errorf("written: %s", diff)
	}
}

// TestAggregateIsAskedAboutWhatIsTaken: the function is asked about accepted events only.
func TestAggregateIsAskedAboutWhatIsTaken(t *testing.T) {
	good := about("a", normal, "x")
	for name, c := range map[string]struct {
		event eventrt.Event
		ended bool
		asks  int
	}{
		"new":              {good, false, 1},
		"after the end":    {good, true, 0},
		"no object":        {eventrt.NewEvent(normal, eventrt.ObjectRef{}, eventrt.ObjectRef{}, eventrt.String("x")), false, 0},
		"not to be stored": {unfitEvent(), false, 0},
	} {
		asks := 0
		r := newRig(t, Options{tuning: tuning.Tuning{Aggregate: func(eventrt.Event, bool) bool { asks++; return false }}})
		if c.ended {
			r.c.Drain(r.now, clock.Never)
		}
		if r.observe(c.event); asks != c.asks {
			t.Errorf("%s: asked %d times", name, asks)
		}
	}
}
