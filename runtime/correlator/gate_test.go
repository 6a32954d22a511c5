package correlator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/tuning"
	"github.com/event-gen/event-gen/runtime/sink"
)

// TestRetriesOfObjectsAreTrials: many objects of a healthy namespace are never taken. Their retries
// fail 20 times a second at most, four at a time, and the other objects do not wait.
func TestRetriesOfObjectsAreTrials(t *testing.T) {
	w := newWorld(t, Options{})
	w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
		if strings.HasPrefix(write.Regarding.Name, "bad") {
			return fails(sink.ScopeObject), 5 * ms
		}
		return done(), 5 * ms
	}
	for n := range 1000 {
		w.at(0, func() { w.record("prod", fmt.Sprint("bad-", n), "x") })
	}
	w.recordAt(100*time.Second, "prod", 100)
	w.run(2 * minute)
	if n := w.failedIn(30*time.Second, 2*minute); n > 21*90 {
		t.Errorf("%d calls fail in 90 s", n)
	}
	w.expectNamed("prod", time.Second, 100)
}

// TestFailuresBeforeAnySuccess: the first fifteen calls fail. That is no outage, and costs seconds
// only.
func TestFailuresBeforeAnySuccess(t *testing.T) {
	w := newWorld(t, Options{})
	calls := 0
	w.answer = func(*sink.Write) (sink.Answer, time.Duration) {
		if calls++; calls <= 15 {
			return fails(sink.ScopeUnknown), 5 * ms
		}
		return done(), 5 * ms
	}
	for n := range 300 {
		w.recordAt(time.Duration(n)*50*ms, "prod", 1)
	}
	w.run(2 * minute)
	w.expectWithin("prod", 0, 3500*ms, 300)
}

// TestADoubtByChance: twenty calls fail in a row, and the next would succeed.
func TestADoubtByChance(t *testing.T) {
	w := newWorld(t, Options{})
	failed := 0
	w.answer = func(*sink.Write) (sink.Answer, time.Duration) {
		if w.now > time.Second && failed < 20 {
			failed++
			return fails(sink.ScopeUnknown), 5 * ms
		}
		return done(), 5 * ms
	}
	for n := range 400 {
		w.recordAt(time.Duration(n)*10*ms, fmt.Sprint("ns-", n%40), 1)
	}
	w.run(20 * time.Second)
	w.expectNothingLost(400)
	w.expectNamed("ns-", 2*time.Second, 400)
}

// TestARateIsUsed: a namespace takes five events a second, and answers 429 to more. The correlator
// uses that rate, and few calls are in vain.
func TestARateIsUsed(t *testing.T) {
	w := newWorld(t, Options{})
	tokens, last := 20.0, time.Duration(0)
	w.answer = func(*sink.Write) (sink.Answer, time.Duration) {
		tokens, last = min(20, tokens+5*(w.now-last).Seconds()), w.now
		if tokens < 1 {
			return sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeNamespace, Limited: true}, 3 * ms
		}
		tokens--
		return done(), 5 * ms
	}
	w.recordAt(0, "slow", 2000)
	w.run(time.Minute)
	if n, failed := w.c.Stats().Written, w.failedIn(0, time.Minute); n < 250 || failed > 90 {
		t.Errorf("%d written at 5 a second in a minute, %d calls failed", n, failed)
	}
	for _, r := range w.c.all {
		if r.work != nil && r.work.Look().Failed {
			t.Fatal("a limited write counts as failed")
		}
	}
}

// TestARateIsRaised after one answer of 429: a minute and a half later as many calls are in flight
// as before.
func TestARateIsRaised(t *testing.T) {
	for _, scope := range []sink.Scope{sink.ScopeNamespace, sink.ScopeServer} {
		w := newWorld(t, Options{})
		once := true
		w.answer = func(*sink.Write) (sink.Answer, time.Duration) {
			if once {
				once = false
				return limitedTo(scope), 5 * ms
			}
			return done(), 800 * ms
		}
		w.recordAt(0, "prod", 1)
		w.recordAt(10*time.Second, "prod", 8)
		w.run(20 * time.Second)
		if w.most["prod"] > 2 {
			t.Errorf("%v: %d calls are in flight a moment after a 429", scope, w.most["prod"])
		}
		w.recordAt(90*time.Second, "prod", 50)
		w.run(2 * time.Minute)
		if w.most["prod"] != tuning.Defaults.MaxInFlight/2 {
			t.Errorf("%v: %d calls are in flight a minute and a half later", scope, w.most["prod"])
		}
	}
}

// TestHangingNamespacesWhileTheServerLimits: namespaces begin to hang soon after the server has
// limited the rate, when it has a call at a time, or a few. The others have their events within
// seconds.
func TestHangingNamespacesWhileTheServerLimits(t *testing.T) {
	const ended, onset = 8 * time.Second, 11 * time.Second
	w := newWorld(t, Options{})
	w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
		switch {
		case w.now < ended && w.rng.IntN(2) == 0:
			return limitedTo(sink.ScopeServer), 5 * ms
		case strings.HasPrefix(write.Namespace, "bad") && w.now >= onset:
			return hangs()
		}
		return done(), 10 * ms
	}
	for n := range 40 * 60 {
		name := fmt.Sprint("good-", n%40)
		if n%40 < 7 {
			name = fmt.Sprint("bad-", n%40)
		}
		w.recordAt(time.Duration(n)*25*ms, name, 1)
	}
	w.run(90 * time.Second)
	longest := time.Duration(0)
	for _, s := range w.stored {
		if strings.HasPrefix(s.namespace, "good") && s.at >= onset {
			longest = max(longest, s.after)
		}
	}
	t.Logf("a healthy namespace waits %v at most", longest)
	if longest > 3*time.Second {
		t.Errorf("a healthy namespace waits %v", longest)
	}
}

// TestOneCallInFlight: a sink that takes one call at a time gets no other, though the first hangs.
func TestOneCallInFlight(t *testing.T) {
	r := newRig(t, Options{tuning: tuning.Tuning{MaxInFlight: 1}})
	r.record(about("a", normal, "x"), eventrt.NewEvent(normal, refer(clusterScoped()), eventrt.ObjectRef{}, eventrt.String("x")))
	w := r.next()
	r.pass(minute)
	r.nothingDue()
	r.ok(w)
	r.next()
}

// TestANamespaceHoldsHalfTheSlots though all its calls succeed, slowly.
func TestANamespaceHoldsHalfTheSlots(t *testing.T) {
	w := newWorld(t, Options{})
	w.answer = func(*sink.Write) (sink.Answer, time.Duration) { return done(), 800 * ms }
	w.recordAt(0, "slow", 50)
	w.run(10 * time.Second)
	if w.expectNothingLost(50); w.most["slow"] != tuning.Defaults.MaxInFlight/2 {
		t.Errorf("one namespace has %d calls in flight, of %d that may be", w.most["slow"], tuning.Defaults.MaxInFlight)
	}
}

// TestCallsInAllAreBounded though none comes back, and each gives its slot to another.
func TestCallsInAllAreBounded(t *testing.T) {
	r := newRig(t, Options{tuning: tuning.Tuning{MaxInFlight: 2}})
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

// TestOutagesBeginADenialAnew: a server that restarts again and again, and refuses everybody for a
// while each time, loses nothing. Neither does a server that was away for a moment while a right
// was denied.
func TestOutagesBeginADenialAnew(t *testing.T) {
	for n := range 11 {
		w := newWorld(t, Options{})
		upTo := func(most time.Duration) time.Duration { return time.Duration(1 + w.rng.Int64N(int64(most))) }
		away, refuses, serves := time.Second+upTo(5*time.Second), upTo(6*time.Second), 1100*ms+upTo(2*time.Second)
		if n == 1 {
			serves = 0
		}
		begins, over, end := time.Duration(0), away+refuses+serves, 2*time.Minute
		if n == 0 { // a denial that an outage interrupts once
			begins, away, refuses, over, end = 10*time.Second, time.Second, time.Hour, 2*time.Hour, 36*time.Second
		}
		w.answer = func(*sink.Write) (sink.Answer, time.Duration) {
			switch at := (w.now - begins) % over; {
			case w.now >= end:
				return done(), 5 * ms
			case at < 0, at >= away && at < away+refuses:
				return forbidden(), 5 * ms
			case at < away:
				return unreachable, 5 * ms
			}
			return done(), 5 * ms
		}
		for n := range 120 {
			w.recordAt(time.Duration(n)*250*ms, fmt.Sprint("ns-", n%2), 1)
		}
		w.run(5 * time.Minute)
		w.expectNothingLost(120)
	}
}
