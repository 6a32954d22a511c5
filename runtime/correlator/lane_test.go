package correlator

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/runtime"
)

// dueNow lists what Due says, in an order of its own.
func (r *rig) dueNow() (lanes []Lane) {
	r.t.Helper()
	lanes = slices.Clone(r.c.Due(r.now.Mono))
	r.check()
	slices.SortFunc(lanes, func(a, b Lane) int { return int(slotOf(a.Door, a.Kind)) - int(slotOf(b.Door, b.Kind)) })
	return lanes
}

// nextOf is the write that is due in a lane.
func (r *rig) nextOf(l *Lane) (w *runtime.Write, more bool) {
	r.t.Helper()
	w = &runtime.Write{}
	found, more := r.c.NextIn(l, r.now, w)
	r.check()
	if !found {
		return nil, more
	}
	return w, more
}

func (l Lane) String() string { return fmt.Sprintf("%s door %d kind %d", l.Namespace, l.Door, l.Kind) }

func TestLanesAreListedOnce(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("a", normal, "x"), about("b", normal, "x"), about("b", warning, "y"), about("c", warning, "y"))
	lanes := r.dueNow()
	if diff := cmp.Diff([]string{"prod door 0 kind 0", "prod door 0 kind 1"}, []string{lanes[0].String(), lanes[1].String()}); diff != "" {
		t.Fatal(diff)
	}
	if again := r.dueNow(); len(again) > 0 {
		t.Fatalf("listed again: %v", again)
	}
	// b's first event goes with the Warnings, which it is in front of.
	for _, want := range []string{"b Started", "c Failed"} {
		w, more := r.nextOf(&lanes[0])
		if got := w.Regarding.Name + " " + w.Reason; got != want || !more {
			t.Fatalf("%s, more %v, want %s", got, more, want)
		}
		r.ok(w)
	}
	if w, more := r.nextOf(&lanes[0]); w == nil || w.Regarding.Name != "b" || more {
		t.Fatalf("%v, more %v", w, more)
	} else {
		r.ok(w)
	}
	if w, more := r.nextOf(&lanes[0]); w != nil || more {
		t.Fatalf("%v, more %v", w, more)
	}
	r.record(about("d", warning, "y"))
	if again := r.dueNow(); len(again) != 1 || again[0] != lanes[0] {
		t.Fatalf("listed %v", again)
	}
	other := lanes[1]
	other.Namespace = "elsewhere"
	if w, more := r.nextOf(&other); w != nil || more {
		t.Fatalf("a lane that is another by now: %v, more %v", w, more)
	}
}

// TestObjectsTakeTurns holds that an object with much to write does not keep others of its namespace waiting.
func TestObjectsTakeTurns(t *testing.T) {
	r := newRig(t, Options{NoAggregate: true})
	r.record(distinct("busy", normal, 0, 30)...)
	r.pass(time.Second)
	r.record(about("late", normal, "x"))
	lanes := r.dueNow()
	var order []string
	for {
		w, _ := r.nextOf(&lanes[0])
		if w == nil {
			break
		}
		order = append(order, w.Regarding.Name)
		r.ok(w)
	}
	if len(order) != 31 || slices.Index(order, "late") > 1 {
		t.Errorf("order %v", order)
	}
}

// TestRefuseHoldsNobodyUp refuses a large backlog in pieces.
func TestRefuseHoldsNobodyUp(t *testing.T) {
	r := newRig(t, Options{NoAggregate: true})
	for n := range 1000 {
		r.record(about(fmt.Sprint("o", n%300), normal, fmt.Sprint(n)))
	}
	lanes := r.dueNow()
	calls := 0
	for more := true; more; calls++ {
		before := r.c.Stats().Lost.Refused
		more = r.c.Refuse(&lanes[0], r.now)
		if n := r.c.Stats().Lost.Refused - before; n > 64 {
			t.Fatalf("%d refused at once", n)
		}
	}
	r.check()
	r.stats(books{refused: 1000})
	if calls < 1000/64 {
		t.Errorf("%d calls", calls)
	}
}

func TestWhatIsKeptIsTriedAsIfForTheFirstTime(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("a", normal, "x"), about("a", normal, "y"))
	lanes := r.dueNow()
	for range 20 {
		w, _ := r.nextOf(&lanes[0])
		if string(w.Note) != "x" {
			t.Fatalf("%s goes before what was recorded earlier", w.Note)
		}
		r.c.Conclude(w, &runtime.Answer{Outcome: runtime.Forbidden}, Kept, r.now)
		r.check()
		r.pass(time.Minute)
	}
	r.stats(books{pending: 2})
	w, _ := r.nextOf(&lanes[0])
	r.c.Conclude(w, &runtime.Answer{Outcome: runtime.Forbidden}, Refused, r.now)
	r.stats(books{pending: 1, refused: 1})
}

// TestAnUpdateThatIsRefusedStaysPending holds that its occurrences are in the next one, and lost only at the end, or when the event must
// have expired.
func TestAnUpdateThatIsRefusedStaysPending(t *testing.T) {
	e := about("job", normal, "x")
	refusals := func(r *rig, until time.Duration) {
		r.record(e)
		r.ok(r.next())
		r.record(e, e)
		for from := r.now.Mono; r.now.Mono-from < until; {
			if at, ok := r.c.Wake(); ok && at <= r.now.Mono {
				r.done(r.next(), answer(runtime.Refused))
			}
			r.pass(time.Second)
		}
	}
	r := newRig(t, Options{})
	refusals(r, 10*time.Minute)
	r.stats(books{written: 1, pending: 2})
	r.c.Drain(r.now)
	r.done(r.next(), answer(runtime.Refused))
	r.stats(books{written: 1, refused: 2})

	r = newRig(t, Options{})
	refusals(r, DefaultEventTTL+6*time.Minute)
	r.stats(books{written: 1, refused: 2})
}

// TestAnEventThatIsNeverTakenStepsAside plays a create that always fails in front of one that does not.
func TestAnEventThatIsNeverTakenStepsAside(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("a", normal, "bad"), about("a", normal, "good"))
	var tries []time.Duration
	var good time.Duration
	stuck := 0
	for r.now.Mono < 30*time.Minute {
		var w runtime.Write
		if !r.c.Next(r.now, &w) {
			r.pass(time.Second)
			continue
		}
		if string(w.Note) == "good" {
			good = r.now.Mono
			r.ok(&w)
			continue
		}
		tries = append(tries, r.now.Mono)
		if r.c.Conclude(&w, &runtime.Answer{Outcome: runtime.Retry}, Answered, r.now) {
			stuck++
		}
		r.check()
	}
	if stuck != 1 || r.c.Stats().Stuck != 1 || good != 35*time.Second {
		t.Errorf("stuck %d times, %d now; the next was written at %v", stuck, r.c.Stats().Stuck, good)
	}
	if diff := cmp.Diff(append(seconds(0, 1, 3, 7, 15, 25, 35, 45, 65), every(105*time.Second, time.Minute, 30*time.Minute)...), tries); diff != "" {
		t.Error(diff)
	}
	var w runtime.Write
	for !r.c.Next(r.now, &w) {
		r.pass(time.Second)
	}
	r.ok(&w)
	if s := r.c.Stats(); s.Stuck != 0 || s.Pending != 0 {
		t.Errorf("%+v", s)
	}
}

// every lists moments from first on.
func every(first, step, until time.Duration) (at []time.Duration) {
	for ; first < until; first += step {
		at = append(at, first)
	}
	return at
}

// TestTried says when Shutdown may give up.
func TestTried(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("a", normal, "x"), about("b", normal, "x"))
	nobody := func(string, Door) bool { return false }
	r.c.Drain(r.now)
	for range 6 {
		if r.c.Tried(3, nobody) {
			t.Fatal("not everything was tried three times")
		}
		var w runtime.Write
		for !r.c.Next(r.now, &w) {
			r.pass(time.Second)
		}
		r.done(&w, unreachable)
	}
	if !r.c.Tried(3, nobody) {
		t.Error("all was tried three times")
	}
	if r.c.Tried(9, nobody) || !r.c.Tried(9, func(ns string, d Door) bool { return ns == "prod" && d == Creates }) {
		t.Error("a lane that is excused counts as tried")
	}
}

// TestALotThatFallsDueAtOnceHoldsNobodyUp has more fall due at one moment than one call goes through.
func TestALotThatFallsDueAtOnceHoldsNobodyUp(t *testing.T) {
	r := newRig(t, Options{})
	const objects = 10 * mostAtOnce
	var want, got []string
	for round := range 2 {
		for n := range objects {
			r.record(about(fmt.Sprint("o", n), normal, ""))
			r.pass(1)
			if round > 0 {
				want = append(want, fmt.Sprint("o", n))
			}
		}
		if round == 0 {
			r.writeAll()
		}
	}
	r.pass(minute)
	for calls := 1; ; calls++ {
		lanes := r.dueNow()
		if late := r.c.held.Overdue(r.now.Mono); calls == 1 && late == nil {
			t.Fatal("one call goes through all")
		}
		for _, l := range lanes {
			for w, _ := r.nextOf(&l); w != nil; w, _ = r.nextOf(&l) {
				got = append(got, w.Regarding.Name)
				r.ok(w)
			}
		}
		at, ok := r.c.Wake()
		if !ok {
			break
		}
		if at > r.now.Mono || calls > objects {
			t.Fatalf("wakes at %v, though %d of %d are written", at, len(got), objects)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestWhatIsRefusedHereKeepsItsSchedule: an update that is refused without a call stays pending, and is due an interval later. A create is
// lost, and leaves nothing to do.
func TestWhatIsRefusedHereKeepsItsSchedule(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("a", normal, "x"))
	r.ok(r.next())
	r.record(about("a", normal, "x"))
	r.pass(10 * time.Second)
	r.c.Refuse(&r.dueNow()[0], r.now)
	r.check()
	r.stats(books{written: 1, pending: 1})
	if at, ok := r.c.Wake(); !ok || at != 12*time.Second {
		t.Errorf("the update is due at %v (%v), expected 12s", at, ok)
	}
}

// TestACreateThatIsRefusedHereIsLost, and leaves nothing to do. What follows keeps to the schedule that began with the first refusal.
func TestACreateThatIsRefusedHereIsLost(t *testing.T) {
	r := newRig(t, Options{})
	r.pass(10 * time.Second)
	for n, in := range []time.Duration{0, time.Second, time.Second} { // 10 s, 11 s, 12 s: the third interval, of 2 s, counts from 10 s as well
		r.record(about("a", normal, "x"))
		if at, ok := r.c.Wake(); !ok || at != r.now.Mono+in {
			t.Errorf("create %d is due at %v (%v), it is %v", n+1, at, ok, r.now.Mono)
		}
		r.pass(in)
		r.c.Refuse(&r.dueNow()[0], r.now)
		r.check()
		r.stats(books{refused: uint64(n + 1)})
		if at, ok := r.c.Wake(); ok || !r.only().Idle() {
			t.Errorf("create %d was refused, but something is due at %v", n+1, at)
		}
	}
}

// TestWhenAnEventStepsAside: with the fifth failure, 30 s after the first.
func TestWhenAnEventStepsAside(t *testing.T) {
	for _, c := range []struct {
		failures int
		over     time.Duration
		want     bool
	}{{4, stuckAfter, false}, {5, stuckAfter - 1, false}, {5, stuckAfter, true}} {
		r := newRig(t, Options{RetryDelay: time.Second, MaxRetryDelay: time.Second})
		r.record(about("a", normal, "x"))
		stuck := false
		for n := range c.failures {
			if n == c.failures-1 {
				r.pass(c.over - r.now.Mono)
			}
			stuck = r.c.Conclude(r.next(), &runtime.Answer{Outcome: runtime.Retry}, Answered, r.now)
			r.pass(time.Second)
		}
		if stuck != c.want {
			t.Errorf("%d failures over %v: stuck %v", c.failures, c.over, stuck)
		}
	}
}
