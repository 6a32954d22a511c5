package correlator

import (
	"testing"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// TestFoldDecides has a function fold the second event, and then an occurrence of the first that is
// held already.
func TestFoldDecides(t *testing.T) {
	var asked []bool
	folds := []bool{false, true, false, true}
	r := deciding(t, Options{Threshold: 1, Burst: 1}, func(_ eventrt.Event, known bool, _ eventrt.Instant) bool {
		asked = append(asked, known)
		return folds[len(asked)-1]
	})
	def := testDefinition("Failed", eventrt.Warning)
	event := func(text string) eventrt.Event {
		return eventrt.NewEvent(def, objectNamed("web", "u"), eventrt.ObjectRef{}, eventrt.String(text))
	}
	r.record(event("a"), event("b"), event("a"), event("a"))
	if want := []bool{false, false, true, true}; len(asked) != 4 || asked[0] != want[0] || asked[1] != want[1] || asked[2] != want[2] || asked[3] != want[3] {
		t.Errorf("known: %v, want %v", asked, want)
	}
	counts := map[string]int32{}
	for _, w := range r.writeAll() {
		counts[string(w.Note)] = w.Count
	}
	if len(counts) != 2 || counts["a"] != 2 || counts[eventrt.AggregatePrefix+"a"] != 2 {
		t.Errorf("written: %v", counts)
	}
}

// TestForwardedSpecsOfSeveralControllers keeps apart what several report in the same words.
func TestForwardedDefinitionsOfSeveralControllers(t *testing.T) {
	r := newRig(t, Options{Threshold: 1})
	record := func(controller, text string) {
		def := testDefinition("Failed", eventrt.Warning)
		def.Forwarded, def.ReportingController = true, controller
		r.record(eventrt.NewEvent(def, objectNamed("web", "u"), eventrt.ObjectRef{}, eventrt.String(text)))
	}
	for _, text := range []string{"a", "b", "b"} {
		record("one", text)
		record("two", text)
	}
	counts := map[string]int32{}
	for _, w := range r.writeAll() {
		counts[w.ReportingController+": "+string(w.Note)] = w.Count
	}
	for _, controller := range []string{"one", "two"} {
		if counts[controller+": a"] != 1 || counts[controller+": "+eventrt.AggregatePrefix+"b"] != 2 {
			t.Errorf("written: %v", counts)
		}
	}
}

// TestFoldIsAskedAboutWhatIsTaken only.
func TestFoldIsAskedAboutWhatIsTaken(t *testing.T) {
	good, unfit := about("a", normal, "x"), unfitEvent()
	nobody := eventrt.NewEvent(normal, eventrt.ObjectRef{}, eventrt.ObjectRef{}, eventrt.String("x"))
	for name, c := range map[string]struct {
		event            eventrt.Event
		recorded, ended  bool
		wantKnown, wants bool
	}{
		"new":              {event: good, wants: true},
		"known":            {event: good, recorded: true, wantKnown: true, wants: true},
		"after the end":    {event: good, ended: true},
		"no object":        {event: nobody},
		"not to be stored": {event: unfit},
	} {
		r := newRig(t, Options{})
		if c.recorded {
			r.record(c.event)
		}
		if c.ended {
			r.c.Drain(r.now, Never)
		}
		known, asks := false, false
		r.c.ObserveFolding(&c.event, r.now, func(k bool) bool { known, asks = k, true; return false })
		if known != c.wantKnown || asks != c.wants {
			t.Errorf("%s: known %v, asked %v", name, known, asks)
		}
	}
}
