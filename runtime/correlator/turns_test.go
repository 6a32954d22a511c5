package correlator

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// TestWarningsGoFirst in a lane, with what must be created before them. Its Normal events have each
// eighth turn.
func TestWarningsGoFirst(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("both", normal, "b"))
	for n := range 16 {
		r.record(about(fmt.Sprint("n", n), normal, "n"))
	}
	for n := range 13 {
		r.record(about(fmt.Sprint("w", n), warning, "w"))
	}
	r.record(about("both", warning, "c"))
	want := "wwwwwwwn" + "wwwwwwbn" + "c" + strings.Repeat("n", 14)
	if got := strings.Join(r.notes(r.writeAll()), ""); got != want {
		t.Errorf("written %s, expected %s", got, want)
	}
}

// TestObjectsTakeTurns: an object with much to write does not keep others of its namespace waiting.
func TestObjectsTakeTurns(t *testing.T) {
	r := newRig(t, Options{NoAggregate: true})
	r.record(distinct("busy", normal, 0, 30)...)
	r.record(about("late", normal, "x"))
	if order := r.order(); len(order) != 31 || slices.Index(order, "late") > 1 {
		t.Errorf("written %v", order)
	}
}

// TestANamespaceHoldsHalfTheSlots though all its calls succeed, slowly.
func TestANamespaceHoldsHalfTheSlots(t *testing.T) {
	w := newWorld(t, Options{})
	w.answer = func(*sink.Write) (sink.Answer, time.Duration) { return done(), 800 * ms }
	w.recordAt(0, "slow", 50)
	w.run(10 * time.Second)
	if w.expectNothingLost(50); w.most["slow"] != defaultMaxInFlight/2 {
		t.Errorf("one namespace has %d calls in flight, of %d that may be", w.most["slow"], defaultMaxInFlight)
	}
}

// TestOneCallInFlight: a sink that takes one call at a time gets no other, though the first hangs.
func TestOneCallInFlight(t *testing.T) {
	r := newRig(t, Options{MaxInFlight: 1})
	r.record(about("a", normal, "x"), eventrt.NewEvent(normal, refer(clusterScoped()), eventrt.ObjectRef{}, eventrt.String("x")))
	w := r.next()
	r.pass(minute)
	r.nothingDue()
	r.ok(w)
	r.next()
}

// TestAnEventThatIsNeverTakenStepsAside after five tries, and 30 s. The next of its object goes,
// and its own tries go on, a minute apart at most.
func TestAnEventThatIsNeverTakenStepsAside(t *testing.T) {
	for delay, aside := range map[time.Duration]time.Duration{0: 35 * time.Second, 20 * time.Second: 80 * time.Second} {
		r := newRig(t, Options{RetryDelay: delay, MaxRetryDelay: delay})
		r.record(about("a", normal, "bad"), about("a", normal, "good"))
		var tries []time.Duration
		var notes []Notice
		good := time.Duration(-1)
		for ; r.now.Mono < 10*minute; r.pass(time.Second) {
			for w := (sink.Write{}); ; {
				ok, _ := r.c.Next(r.now, &w)
				if !ok {
					break
				}
				a := fails(sink.ScopeObject)
				if string(w.Note) == "good" {
					good, a = r.now.Mono, done()
				} else {
					tries = append(tries, r.now.Mono)
				}
				notes = append(notes, r.c.Done(&w, a, r.now)...)
				r.check()
			}
		}
		if good != aside || len(notes) != 1 || notes[0].Type != SteppedAside || r.c.Stats().Stuck != 1 {
			t.Errorf("delays of %v: the next was written at %v, %v, %d are aside", delay, good, notes, r.c.Stats().Stuck)
		}
		if gap := tries[len(tries)-1] - tries[len(tries)-2]; gap != minute {
			t.Errorf("the last tries %v are %v apart", tries, gap)
		}
		r.pass(minute)
		r.ok(r.next())
		if s := r.c.Stats(); s.Stuck != 0 || s.Pending != 0 {
			t.Errorf("in the end: %+v", s)
		}
	}
}
