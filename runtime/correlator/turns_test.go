package correlator

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/notice"
	"github.com/event-gen/event-gen/runtime/sink"
)

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

// TestAnEventThatIsNeverTakenStepsAside after five tries, and 30 s. The next event of its object
// goes, and its own tries go on, a minute apart at most.
func TestAnEventThatIsNeverTakenStepsAside(t *testing.T) {
	for delay, aside := range map[time.Duration]time.Duration{0: 35 * time.Second, 20 * time.Second: 80 * time.Second} {
		r := newRig(t, Options{RetryDelay: delay, MaxRetryDelay: delay})
		r.record(about("a", normal, "bad"), about("a", normal, "good"))
		var tries []time.Duration
		var notes []notice.Notice
		good := time.Duration(-1)
		for ; r.now.Mono < 260*minute; r.pass(time.Second) {
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
		if good != aside || len(notes) != 1 || notes[0].Type != notice.SteppedAside || r.c.Stats().Failing != 1 {
			t.Errorf("delays of %v: the next was written at %v, %v, %d are aside", delay, good, notes, r.c.Stats().Failing)
		}
		for n := 12; n < len(tries); n++ {
			if gap := tries[n] - tries[n-1]; gap != minute {
				t.Errorf("delays of %v: tries %d and the one before are %v apart", delay, n, gap)
			}
		}
		r.pass(minute)
		r.ok(r.next())
		if s := r.c.Stats(); s.Failing != 0 || s.Pending != 0 {
			t.Errorf("in the end: %+v", s)
		}
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

// TestCallsInAllAreBounded though none comes back, and each gives its slot to another.
func TestCallsInAllAreBounded(t *testing.T) {
	r := newRig(t, Options{MaxInFlight: 2})
	for n := range 50 {
		pod := corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: fmt.Sprint("ns-", n), Name: "o"}
		r.record(eventrt.NewEvent(normal, refer(pod), eventrt.ObjectRef{}, eventrt.String("x")))
	}
	calls := 0
	for range 120 {
		for ok := true; ok; {
			var w sink.Write
			if ok, _ = r.c.Next(r.now, &w); ok {
				calls++
			}
		}
		r.pass(time.Second)
	}
	if want := 8; calls != want {
		t.Errorf("%d calls are in flight, expected %d", calls, want)
	}
}
