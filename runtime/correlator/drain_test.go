package correlator

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// order writes everything due, one write after the other, and returns the objects of the writes.
func (r *rig) order() (names []string) {
	r.t.Helper()
	for _, w := range r.writeAll() {
		names = append(names, w.Regarding.Name)
	}
	return names
}

// TestDrainHasNoTurnsOfNormalEvents: no Normal event goes before a Warning of its lane.
func TestDrainHasNoTurnsOfNormalEvents(t *testing.T) {
	r := newRig(t, Options{})
	for n := range 20 {
		r.record(about(fmt.Sprint("n-", n), normal, ""), about(fmt.Sprint("w-", n), warning, ""))
	}
	r.c.Drain(r.now, Never)
	for n, name := range r.order() {
		if isWarning := name[0] == 'w'; isWarning != (n < 20) {
			t.Errorf("%s is written as number %d", name, n+1)
		}
	}
}

func TestDrainWritesWarningsFirstThenTheOldest(t *testing.T) {
	r := newRig(t, Options{})
	events := []eventrt.Event{
		about("n1", normal, ""), about("w1", warning, ""), about("n2", normal, ""), about("w2", warning, ""), about("n3", normal, ""), about("w3", warning, ""),
	}
	for _, e := range events {
		r.record(e)
		r.pass(time.Millisecond)
	}
	r.writeAll()
	for _, n := range []int{3, 4, 1, 0, 5, 2} { // none of these is due before a second is over
		r.record(events[n])
		r.pass(time.Millisecond)
	}
	r.nothingDue()
	r.c.Drain(r.now, Never)
	if diff := cmp.Diff([]string{"w2", "w1", "w3", "n3", "n1", "n2"}, r.order()); diff != "" {
		t.Error(diff)
	}
	r.stats(books{written: 12})
	if _, ok := r.wake(); ok {
		t.Error("something is still wanted")
	}
}

func TestDrainLiftsScheduleAndWaitsForWhatIsInFlight(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("a", normal, "1"))
	r.ok(r.next())
	r.record(about("a", normal, "1"), about("a", normal, "2"))
	w := r.next()
	r.record(about("a", normal, "2"))
	r.c.Drain(r.now, Never)
	r.nothingDue()
	r.ok(w)
	if got := r.writeAll(); len(got) != 2 {
		t.Errorf("%q", r.notes(got))
	}
	r.stats(books{written: 4})
}

// TestAbandonCountsWhatIsLeft, drained before or not, and ends recording.
func TestAbandonCountsWhatIsLeft(t *testing.T) {
	e := about("a", normal, "")
	tests := []struct {
		name string
		make func(r *rig)
		want books
	}{
		{"nothing", func(*rig) {}, books{}},
		{"what waits", func(r *rig) { r.record(e, e) }, books{shutdown: 2}},
		{"what is in flight, and came since", func(r *rig) {
			r.record(e, e, e)
			r.next()
			r.record(e)
		}, books{unacknowledged: 3, shutdown: 1}},
		{"what may be stored", func(r *rig) {
			r.record(e, e)
			r.done(r.next(), unanswered(0))
			r.record(e)
		}, books{unacknowledged: 2, shutdown: 1}},
		{"what is not stored", func(r *rig) {
			r.record(e)
			r.done(r.next(), answer(sink.Retry))
		}, books{shutdown: 1}},
		{"an update in flight", func(r *rig) { r.updateInFlight() }, books{written: 1, unacknowledged: 2, shutdown: 1}},
		{"what waits behind it", func(r *rig) {
			r.record(about("a", normal, "1"), about("a", normal, "2"))
			r.next()
		}, books{unacknowledged: 1, shutdown: 1}},
		{"what waits for a token", func(r *rig) {
			def := limited("Low", eventrt.Normal, tokens(1, time.Second))
			r.record(about("a", def, ""), about("b", def, ""))
			r.writeAll()
		}, books{written: 1, shutdown: 1}},
	}
	for _, tt := range tests {
		for _, drained := range []bool{false, true} {
			t.Run(tt.name, func(t *testing.T) {
				r := newRig(t, Options{})
				tt.make(r)
				if drained {
					r.c.Drain(r.now, Never)
				}
				for range 2 { // a second call changes nothing
					for r.c.Abandon(2) {
					}
					r.stats(tt.want)
					r.pass(time.Hour)
					r.nothingDue()
				}
				if s := r.c.Stats(); s.InFlight != 0 {
					t.Errorf("%d in flight", s.InFlight)
				}
				if p := r.observe(e); p != eventrt.Ended {
					t.Errorf("what comes after it is told %q", p)
				}
			})
		}
	}
}
