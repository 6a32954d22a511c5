package correlator

import (
	"fmt"
	"slices"
	"testing"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/dispatch"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/problems"
	"github.com/event-gen/event-gen/runtime/sink"
)

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
					r.c.Drain(r.now, clock.Never)
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
				if p := r.observe(e); p != problems.Ended {
					t.Errorf("what comes after it is told %q", p)
				}
			})
		}
	}
}

// TestNoCallGoesThroughMany: writes that fall due at once, are refused without a call, or are given
// up are handled in small steps, in their order.
func TestNoCallGoesThroughMany(t *testing.T) {
	const objects = 3*dispatch.MostAtOnce + 1
	r := newRig(t, Options{})
	record := func(def *eventrt.Definition, text string) (want []string) {
		for n := range objects {
			r.record(about(fmt.Sprint("o", n), def, text))
			want = append(want, fmt.Sprint("o", n))
		}
		return want
	}
	want := record(normal, "x")
	r.writeAll()
	record(normal, "x")
	r.pass(minute)
	w := r.next()
	if n := objects - r.c.d.Look().Later; n > dispatch.MostAtOnce {
		t.Errorf("%d fall due in one call", n)
	}
	r.ok(w)
	if got := append([]string{w.Regarding.Name}, r.order()...); !slices.Equal(got, want) {
		t.Errorf("written in another order: %v", got)
	}
	r.record(about("denied", warning, "y"))
	for r.c.Stats().Lost.Refused == 0 {
		r.pass(time.Second)
		if ok, _ := r.c.Next(r.now, w); ok {
			r.done(w, forbidden())
		}
	}
	record(warning, "y")
	for refused := uint64(1); refused <= objects; {
		ok, wake := r.c.Next(r.now, w)
		n := r.c.Stats().Lost.Refused - refused
		if refused += n; ok || n == 0 || n > dispatch.MostAtOnce || refused <= objects && wake > r.now.Mono {
			t.Fatalf("%d are refused in one call, and Next is wanted at %v, it is %v", n, wake, r.now.Mono)
		}
	}
	record(normal, "z")
	for lost, more := uint64(100), true; more; lost += 100 {
		if more = r.c.Abandon(100); r.c.Stats().Lost.Shutdown != min(lost, objects) {
			t.Fatalf("%d are given up, expected %d", r.c.Stats().Lost.Shutdown, lost)
		}
	}
}

// TestAnswersToNothingChangeNothing, whatever is in flight.
func TestAnswersToNothingChangeNothing(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("job", normal, "x"))
	w := r.next()
	r.done(&sink.Write{Ticket: w.Ticket + 1}, done())
	r.stats(books{pending: 1})
	r.ok(w)
	r.done(w, answer(sink.Refused)) // answered already
	r.stats(books{written: 1})
}
