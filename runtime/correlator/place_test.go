package correlator

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/sink"
)

// TestObjectsTakeTurns: an object with much to write does not keep others of its namespace waiting.
func TestObjectsTakeTurns(t *testing.T) {
	r := newRig(t, Options{Burst: -1})
	r.record(distinct("busy", normal, 0, 30)...)
	r.record(about("late", normal, "x"))
	if order := r.order(); len(order) != 31 || slices.Index(order, "late") > 1 {
		t.Errorf("written %v", order)
	}
}

func TestARetryingCreateHoldsItsSuccessorsOnly(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("a", normal, "known"), about("b", normal, "known"))
	r.writeAll()
	r.pass(minute)
	r.record(about("a", normal, "first"), about("a", normal, "second"), about("a", normal, "known"), about("b", normal, "other"))
	first := r.next()
	if string(first.Note) != "first" {
		t.Fatalf("%s", describe(first))
	}
	r.done(first, answer(sink.Retry))
	got := r.notes(r.writeAll())
	slices.Sort(got)
	if diff := cmp.Diff([]string{"known", "other"}, got); diff != "" {
		t.Errorf("while the create waits: %s", diff)
	}
	r.done(r.nextIn(time.Second), answer(sink.Retry))
	r.nothingDue()
	r.pass(2 * time.Second)
	if diff := cmp.Diff([]string{"first", "second"}, r.notes(r.writeAll())); diff != "" {
		t.Error(diff)
	}
}

func TestARefusedCreateIsTriedAgainBehindTheOthers(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("a", normal, "first"), about("a", normal, "second"), about("a", normal, "third"))
	w := r.next()
	r.record(about("a", normal, "first"))
	r.done(w, answer(sink.Refused))
	r.pass(time.Second)
	if diff := cmp.Diff([]string{"second", "third", "first"}, r.notes(r.writeAll())); diff != "" {
		t.Error(diff)
	}
}

// TestWhatIsRefusedHoldsUpNoEventOfItsObject: one reason of an object is recorded each second, and
// is never stored. The object's other events do not wait for its next try.
func TestWhatIsRefusedHoldsUpNoEventOfItsObject(t *testing.T) {
	for name, answer := range map[string]sink.Answer{
		"a policy":     {Outcome: sink.Refused, Scope: sink.ScopeObject},
		"invalid":      {Outcome: sink.Refused, Scope: sink.ScopeWrite, Invalid: true},
		"not for long": {Outcome: sink.Retry, Scope: sink.ScopeWrite, RetryAfter: 2 * minute},
		"never taken":  fails(sink.ScopeObject), // it steps aside after 30 s
		"limited":      {Outcome: sink.Retry, Scope: sink.ScopeWrite, Limited: true, RetryAfter: 2 * minute},
	} {
		w := newWorld(t, Options{})
		w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
			if string(write.Note) == "bad" {
				return answer, 5 * ms
			}
			return done(), 5 * ms
		}
		for n := range 15 * 60 {
			w.at(time.Duration(n)*time.Second, func() { w.record("prod", "o", "bad") })
		}
		for n := range 30 {
			w.at(time.Duration(n)*30*time.Second+100*ms, func() { w.record("prod", "o", fmt.Sprint("good ", n)) })
		}
		w.run(16 * minute)
		t.Log(name)
		if name == "never taken" {
			w.expectWithin("prod", minute, 10*ms, 28)
			continue
		}
		w.expectWithin("prod", 0, 10*ms, 30)
	}
}

func TestEvictingAnUpdateLetsThoseBehindItGo(t *testing.T) {
	r := newRig(t, Options{MaxEvents: 3})
	events := distinct("a", normal, 0, 3)
	r.record(events...)
	r.writeAll()
	r.pass(minute)
	r.record(events...)
	first := r.next()
	r.nothingDue() // the others are set aside
	r.ok(first)    // and the second is put back
	r.record(about("b", warning, "x"), about("c", warning, "y"))
	if diff := cmp.Diff([]string{"a pending Normal", "b pending Warning", "c pending Warning"}, r.held()); diff != "" {
		t.Fatal(diff)
	}
	if got := r.notes(r.writeAll()); len(got) != 3 || r.c.Stats().Lost.Evicted != 1 {
		t.Errorf("%q, and %d evicted", got, r.c.Stats().Lost.Evicted)
	}
}

func TestDrainLiftsScheduleAndWaitsForWhatIsInFlight(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("a", normal, "1"))
	r.ok(r.next())
	r.record(about("a", normal, "1"), about("a", normal, "2"))
	w := r.next()
	r.record(about("a", normal, "2"))
	r.c.Drain(r.now, clock.Never)
	r.nothingDue()
	r.ok(w)
	if got := r.writeAll(); len(got) != 2 {
		t.Errorf("%q", r.notes(got))
	}
	r.stats(books{written: 4})
}
