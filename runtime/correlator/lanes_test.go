package correlator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/sink"
)

// TestDeniedNamespacesAreRemembered though there are many: later events begin no new grace period.
func TestDeniedNamespacesAreRemembered(t *testing.T) {
	w := newWorld(t, Options{})
	w.answer = func(*sink.Write) (sink.Answer, time.Duration) { return forbidden(), 5 * ms }
	for n := range 400 {
		w.recordAt(0, fmt.Sprint("ns-", n), 1)
	}
	for second := range 2 {
		for n := range 400 {
			w.recordAt(20*minute+time.Duration(second)*time.Second, fmt.Sprint("ns-", n), 1)
		}
	}
	w.run(20*minute + 2*time.Second)
	if s := w.c.Stats(); s.Pending > 0 {
		t.Errorf("%d events wait", s.Pending)
	}
}

// TestWarningsGoFirst in a lane, together with events that must be created before them. Normal
// events have each eighth turn of the lane.
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

// TestDrainHasNoTurnsOfNormalEvents: no Normal event goes before a Warning of its lane.
func TestDrainHasNoTurnsOfNormalEvents(t *testing.T) {
	r := newRig(t, Options{})
	for n := range 20 {
		r.record(about(fmt.Sprint("n-", n), normal, ""), about(fmt.Sprint("w-", n), warning, ""))
	}
	r.c.Drain(r.now, clock.Never)
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
	r.c.Drain(r.now, clock.Never)
	if diff := cmp.Diff([]string{"w2", "w1", "w3", "n3", "n1", "n2"}, r.order()); diff != "" {
		t.Error(diff)
	}
	r.stats(books{written: 12})
	if _, ok := r.wake(); ok {
		t.Error("something is still wanted")
	}
}

// TestIdleLanesAreRemembered: a namespace that limits the rate still does after a moment without
// events.
func TestIdleLanesAreRemembered(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("first", normal, "x"))
	r.done(r.next(), sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeNamespace, Limited: true})
	r.ok(r.nextIn(time.Second))
	for n := range 10 {
		r.record(about(fmt.Sprint("o", n), normal, "x"))
	}
	r.next()
	r.nothingDue()
}
