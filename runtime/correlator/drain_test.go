package correlator

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// answerAll takes everything due, one write after the other, and acknowledges each. No time passes.
func (r *rig) order() (names []string) {
	r.t.Helper()
	for _, w := range r.writeAll() {
		names = append(names, w.Regarding.Name)
	}
	return names
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

func TestDrainKeepsTheOrderOfFirstCreates(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("plain", normal, ""))
	r.record(about("job", normal, "1"), about("job", normal, "2"), about("job", warning, "3"))
	r.c.Drain(r.now, Never)
	var got []string
	for _, w := range r.writeAll() {
		got = append(got, w.Regarding.Name+string(w.Note))
	}
	// The Warning takes those with it that come before it, and only those.
	if diff := cmp.Diff([]string{"job1", "job2", "job3", "plain"}, got); diff != "" {
		t.Error(diff)
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

func TestWhatComesAfterDrainIsRejected(t *testing.T) {
	for name, end := range map[string]func(*rig){
		"drain": func(r *rig) { r.c.Drain(r.now, Never) },
		"abandon": func(r *rig) {
			for r.c.Abandon(2) {
			}
		},
	} {
		r := newRig(t, Options{})
		r.record(about("a", normal, ""))
		r.writeAll()
		end(r)
		if got := r.observe(about("a", normal, "")); got != eventrt.Ended {
			t.Errorf("%s: %v", name, got)
		}
		if got := r.observe(eventrt.Event{}); got != eventrt.NoDefinition {
			t.Errorf("%s: %v", name, got)
		}
		r.stats(books{written: 1, rejected: 2})
		r.nothingDue()
	}
}

func TestAbandonCountsWhatIsLeft(t *testing.T) {
	tests := []struct {
		name string
		make func(r *rig)
		want books
	}{
		{"nothing", func(*rig) {}, books{}},
		{"what waits", func(r *rig) { r.record(about("a", normal, ""), about("a", normal, "")) }, books{shutdown: 2}},
		{"what is in flight, and came since", func(r *rig) {
			e := about("a", normal, "")
			r.record(e, e, e)
			r.next()
			r.record(e)
		}, books{unacknowledged: 3, shutdown: 1}},
		{"what may be stored", func(r *rig) {
			e := about("a", normal, "")
			r.record(e, e)
			r.done(r.next(), sink.Answer{Outcome: sink.Retry, MaybeStored: true})
			r.record(e)
		}, books{unacknowledged: 2, shutdown: 1}},
		{"what is not stored", func(r *rig) {
			r.record(about("a", normal, ""))
			r.done(r.next(), answer(sink.Retry))
		}, books{shutdown: 1}},
		{"an update in flight", func(r *rig) { r.updateInFlight() }, books{written: 1, unacknowledged: 2, shutdown: 1}},
		{"what waits behind it", func(r *rig) {
			r.record(about("a", normal, "1"), about("a", normal, "2"))
			r.next()
		}, books{unacknowledged: 1, shutdown: 1}},
	}
	for _, tt := range tests {
		for _, drained := range []bool{false, true} {
			t.Run(tt.name, func(t *testing.T) {
				r := newRig(t, Options{})
				tt.make(r)
				if drained {
					r.c.Drain(r.now, Never)
				}
				for r.c.Abandon(2) {
				}
				r.stats(tt.want)
				r.pass(time.Hour)
				var w sink.Write
				if ok, _ := r.c.Next(r.now, &w); ok {
					t.Errorf("still handed out: %s", describe(&w))
				}
				for r.c.Abandon(2) {
				} // once more
				r.stats(tt.want)
				if s := r.c.Stats(); s.InFlight != 0 {
					t.Errorf("%d in flight", s.InFlight)
				}
			})
		}
	}
}

func TestAnAnswerAfterAbandonChangesNothing(t *testing.T) {
	for outcome := sink.Outcome(0); outcome <= sink.Refused; outcome++ {
		r := newRig(t, Options{})
		w := r.updateInFlight()
		r.c.Drain(r.now, Never)
		for r.c.Abandon(2) {
		}
		before := r.c.Stats()
		r.c.Done(w, answer(outcome), r.now)
		if after := r.c.Stats(); after != before {
			t.Errorf("%v: %+v, was %+v", outcome, after, before)
		}
	}
}
