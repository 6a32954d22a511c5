package correlator

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/internal/notice"
	"github.com/event-gen/event-gen/runtime/sink"
)

// TestRetryAfterConcernsItsWrite answers one write with a Retry-After of ten minutes. Nothing else
// waits, and Shutdown does not.
func TestRetryAfterConcernsItsWrite(t *testing.T) {
	for _, limited := range []bool{false, true} {
		w := newWorld(t, Options{})
		answered := false
		w.answer = func(*sink.Write) (sink.Answer, time.Duration) {
			if w.now > 2*time.Second && !answered {
				answered = true
				a := fails(sink.ScopeServer)
				a.Limited, a.MaybeStored, a.RetryAfter = limited, !limited, 600*time.Second
				return a, 5 * ms
			}
			return done(), 5 * ms
		}
		for s := range 200 {
			w.recordAt(time.Duration(s)*100*ms, "prod", 1)
		}
		w.run(21 * time.Second)
		slowest, n := w.slowest("prod", 0)
		t.Logf("limited %v: %d stored, the slowest after %v", limited, n, slowest)
		if n != 199 || slowest > 2*time.Second {
			t.Errorf("%d stored, the slowest after %v", n, slowest)
		}
		begun := w.now
		w.drain(w.now, Never)
		w.run(begun + time.Second)
		w.expectNothingLost(200)
	}
}

// TestTroubleIsReportedAfterFiveSeconds of failures, and not before, for the server and for a
// namespace; at once while draining.
func TestTroubleIsReportedAfterFiveSeconds(t *testing.T) {
	for scope, latest := range map[sink.Scope]time.Duration{
		sink.ScopeServer:    16 * time.Second,
		sink.ScopeNamespace: 21 * time.Second, // it is tried seldom by then
		sink.ScopeUnknown:   14 * time.Second, // while draining
	} {
		w := newWorld(t, Options{})
		w.answer = func(*sink.Write) (sink.Answer, time.Duration) {
			if w.now >= 10*time.Second {
				return fails(scope), 5 * ms
			}
			return done(), 5 * ms
		}
		for n := range 260 {
			w.recordAt(time.Duration(n)*50*ms, "prod", 1)
		}
		earliest := 15 * time.Second
		if scope == sink.ScopeUnknown {
			earliest = 13 * time.Second
			w.drain(earliest, Never)
		}
		w.run(earliest - ms)
		if len(w.notes) > 0 {
			t.Errorf("%v: reported before %v: %+v", scope, earliest, w.notes)
		}
		w.run(latest)
		if len(w.notes) != 1 || w.notes[0].Type != notice.Opened {
			t.Errorf("%v: reported by %v: %+v", scope, latest, w.notes)
		}
	}
}

// TestShutdownWithANamespaceThatIsGone ends within 2 s, whatever the number of events on one
// object.
func TestShutdownWithANamespaceThatIsGone(t *testing.T) {
	w := newWorld(t, Options{})
	w.answer = func(*sink.Write) (sink.Answer, time.Duration) { return gone(), 5 * ms }
	w.at(0, func() {
		for n := range 3000 {
			w.record("prod", "o", fmt.Sprint("text ", n))
		}
	})
	w.run(time.Second)
	w.drain(w.now, Never)
	w.run(2 * time.Second)
	if s := w.c.Stats(); s.Pending != 0 || s.Lost.Refused != 3000 {
		t.Errorf("%d are pending, lost: %+v, after %d calls", s.Pending, s.Lost, len(w.calls))
	}
}

// TestRightsThatComeBackForAMomentAreUsed while at most ten lanes are denied.
func TestRightsThatComeBackForAMomentAreUsed(t *testing.T) {
	w := newWorld(t, Options{})
	w.answer = func(*sink.Write) (sink.Answer, time.Duration) {
		if w.now < 20*time.Second || w.now > 23*time.Second {
			return forbidden(), 5 * ms
		}
		return done(), 5 * ms
	}
	for n := range 10 {
		w.recordAt(time.Duration(n)*100*ms, fmt.Sprint("ns-", n), 5)
	}
	w.run(time.Minute)
	w.expectNothingLost(50)
}

// TestAnUpdateThatBecomesInvalid goes into a new event, which counts only pending occurrences.
func TestAnUpdateThatBecomesInvalid(t *testing.T) {
	w := newWorld(t, Options{})
	counts := map[string]int32{}
	w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
		if write.Operation == sink.Update && w.now < 15*time.Second {
			return sink.Answer{Outcome: sink.Refused, Invalid: true, Scope: sink.ScopeWrite, Err: fmt.Errorf("422")}, 5 * ms
		}
		counts[write.Name] = write.Count
		return done(), 5 * ms
	}
	for n := range 100 {
		w.at(time.Duration(n)*time.Second, func() { w.record("prod", "o", "same") })
	}
	w.run(10 * time.Minute)
	w.expectNothingLost(100)
	sum := int32(0)
	for _, n := range counts {
		sum += n
	}
	if sum != 100 || len(counts) < 2 || len(counts) > 6 {
		t.Errorf("the events %v stand for %d", counts, sum)
	}
}

// TestShutdownTriesAgainSoon while other calls succeed: half of all calls fail, or their answers
// get lost.
func TestShutdownTriesAgainSoon(t *testing.T) {
	for _, lost := range []bool{false, true, false, true, false, true} {
		w := newWorld(t, Options{})
		stored := map[string]*corev1.Event{}
		w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
			// if none of the first calls succeeds, this is an outage
			fault := w.now > time.Second && w.rng.IntN(2) == 0
			switch {
			case fault && !lost:
				return fails(sink.ScopeUnknown), 5 * ms
			case write.Operation == sink.Read && !fault:
				return apiserver.Read(stored[write.Name]), 5 * ms
			case write.Operation == sink.Create && stored[write.Name] != nil && !fault:
				return sink.Answer{Outcome: sink.Exists, Mark: 1}, 5 * ms
			}
			if stored[write.Name] == nil {
				stored[write.Name] = form.Core(write)
			}
			if fault {
				return fails(sink.ScopeServer), 5 * ms
			}
			return done(), 5 * ms
		}
		for n := range 300 {
			w.at(time.Duration(n)*25*ms, func() { w.record("prod", fmt.Sprint("o-", n%30), fmt.Sprint("text ", n/30)) })
		}
		w.run(7500 * ms)
		before := w.c.Stats().Written
		w.drain(w.now, Never)
		w.run(7500*ms + 20*time.Second) // with delays of up to 10 s it takes more than a minute
		last := w.calls[len(w.calls)-1].ended - 7500*ms
		t.Logf("lost answers %t: %d of 300 are written before, the last after %v", lost, before, last)
		w.expectNothingLost(300)
	}
}

// TestWhatIsGivenUpAfterAnswers: each try was answered, so that nothing can be stored.
func TestWhatIsGivenUpAfterAnswers(t *testing.T) {
	w := newWorld(t, Options{})
	w.answer = func(*sink.Write) (sink.Answer, time.Duration) {
		return sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeObject}, 5 * ms
	}
	w.recordAt(0, "prod", 3)
	w.run(5 * time.Second)
	for w.c.Abandon(1) {
	}
	if lost := w.c.Stats().Lost; lost != (eventrt.Lost{Shutdown: 3}) {
		t.Errorf("lost: %+v", lost)
	}
}
