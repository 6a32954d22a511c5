package correlator

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime/correlator/internal/dispatch"
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

// TestAmongManyFailures of other namespaces, a failure shows little: no event steps aside, and
// retries that succeed make room for others. Once the others succeed, an event steps aside.
func TestAmongManyFailures(t *testing.T) {
	ahead, samples := time.Duration(0), time.Duration(0)
	for seed := range uint64(5) {
		w := drawnWorld(t, Options{}, rand.New(rand.NewPCG(seed, 1)))
		w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
			if write.Namespace == "bad" || w.now < 100*time.Second && w.rng.IntN(2) == 0 {
				return fails(sink.ScopeUnknown), 5 * ms
			}
			return done(), 5 * ms
		}
		for n := range 4000 {
			w.recordAt(time.Duration(n)*50*ms, fmt.Sprint("ns-", n%50), 1)
		}
		w.at(10*time.Second, func() { w.record("bad", "o", "x") })
		for at := 10 * time.Second; at < 100*time.Second; at += 50 * ms {
			w.at(at, func() {
				ahead += w.c.d.Look().Ahead
				samples++
			})
		}
		w.run(100 * time.Second)
		if n := w.c.Stats().Failing; n > 0 {
			t.Errorf("while many fail, %d events are aside", n)
		}
		w.run(200 * time.Second)
		if n := w.c.Stats().Failing; n != 1 {
			t.Errorf("once the others succeed, %d events are aside", n)
		}
	}
	if mean := ahead / samples; mean > 400*ms {
		t.Errorf("trials are reserved %v ahead", mean)
	} else {
		t.Logf("trials are reserved %v ahead", mean)
	}
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

// TestALaneAmongManyFailures pauses for little, though twelve of its calls fail in a row.
func TestALaneAmongManyFailures(t *testing.T) {
	w := newWorld(t, Options{})
	calls := 0
	w.answer = func(*sink.Write) (sink.Answer, time.Duration) {
		if calls++; calls > 300 && calls <= 312 || w.rng.IntN(2) == 0 {
			return fails(sink.ScopeUnknown), 5 * ms
		}
		return done(), 5 * ms
	}
	longest := time.Duration(0)
	for n := range 2000 {
		w.at(time.Duration(n)*10*ms, func() {
			w.record("prod", fmt.Sprint("o-", n), "x")
			if !w.c.d.Look().InDoubt {
				longest = max(longest, w.c.d.PauseOf("prod", dispatch.Creates))
			}
		})
	}
	w.run(minute)
	if longest > 400*ms {
		t.Errorf("the lane pauses for %v", longest)
	}
}

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

// TestASlowCallCountsOnce: eight calls of the only namespace have no answer, and then fail.
func TestASlowCallCountsOnce(t *testing.T) {
	w := newWorld(t, Options{})
	w.answer = func(*sink.Write) (sink.Answer, time.Duration) { return hangs() }
	w.recordAt(0, "prod", 8)
	w.run(10*time.Second + ms)
	if s := w.c.d.Look(); s.Failures < 8 || s.InDoubt {
		t.Errorf("%d failures", s.Failures)
	}
}
