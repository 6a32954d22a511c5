package correlator

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime/correlator/internal/dispatch"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/notice"
	"github.com/event-gen/event-gen/runtime/sink"
)

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
			w.drain(earliest, clock.Never)
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

// TestADenialKeepsWritesAsTheyAre: writes that wait for a right keep their order. When the denial
// is over, they are tried as if for the first time.
func TestADenialKeepsWritesAsTheyAre(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("a", normal, "x"), about("a", normal, "y"))
	w := r.next()
	for range 20 {
		r.done(w, forbidden())
		if w = r.nextIn(time.Second); string(w.Note) != "x" {
			t.Fatalf("%s goes before what was recorded earlier", w.Note)
		}
	}
	r.done(w, fails(sink.ScopeObject))
	r.ok(r.nextIn(time.Second))
	if w := r.next(); string(w.Note) != "y" {
		t.Errorf("%s is written twice", w.Note)
	}
}

// TestConfirmedDenialsCostNoCall: creates are lost; updates go into a new event if a right is
// missing, five minutes apart, else they stay pending until their next tick. A call probes from
// time to time. Once a probe succeeds, the other events are written too.
func TestConfirmedDenialsCostNoCall(t *testing.T) {
	for name, c := range map[string]struct {
		answer sink.Answer
		asks   time.Duration
	}{"no right": {forbidden(), probeDenied}, "no namespace": {gone(), goneFor}} {
		for _, update := range []bool{false, true} {
			r := newRig(t, Options{})
			if update {
				r.record(about("a", normal, "x"))
				r.ok(r.next())
				r.pass(minute)
			}
			r.record(about("a", normal, "x"))
			w := r.next()
			for range sink.ForbiddenProbe / time.Second {
				r.done(w, c.answer)
				w = r.nextIn(time.Second)
			}
			r.done(w, c.answer)
			if update && c.asks == probeDenied { // a right
				if w := r.next(); w.Operation != sink.Create || w.Count != 1 {
					t.Errorf("%s: %s", name, summary(w))
				} else {
					r.ok(w)
				}
				r.record(about("a", normal, "x"))
				if w := r.nextIn(defaultMaxInterval); w.Operation != sink.Update || w.Count != 2 {
					t.Errorf("%s: the last event is not tried: %s", name, summary(w))
				}
				continue
			}
			r.pass(c.asks - 1)
			if update {
				r.record(about("a", normal, "x"))
				r.nothingDue()
				r.stats(books{written: 1, pending: 2})
				r.pass(10 * time.Second)
			} else {
				r.record(about("b", normal, "x"), about("c", normal, "x"))
				r.nothingDue()
				r.stats(books{refused: 3})
				r.pass(1)
				r.record(about("d", normal, "x"), about("e", normal, "x"))
			}
			written := uint64(0)
			for _, w := range r.writeAll() {
				written += uint64(w.Count)
			}
			if want := map[bool]uint64{false: 2, true: 3}[update]; written != want || r.c.Stats().Pending != 0 {
				t.Errorf("%s, update %t: %d written, want %d: %+v", name, update, written, want, r.c.Stats())
			}
		}
	}
}

// TestAnotherAnswerBeginsTheGraceAnew: between two refusals the server takes events. Nothing is
// lost.
func TestAnotherAnswerBeginsTheGraceAnew(t *testing.T) {
	w := newWorld(t, Options{})
	w.answer = func(*sink.Write) (sink.Answer, time.Duration) {
		if w.now < time.Second || w.now >= 40*time.Second && w.now < 45*time.Second {
			return forbidden(), 5 * ms
		}
		return done(), 5 * ms
	}
	for s := range 60 {
		w.recordAt(time.Duration(s)*time.Second, "prod", 1)
	}
	w.run(90 * time.Second)
	w.expectNothingLost(60)
}

// TestAnOutageBeginsEveryDenialAnew: a server refuses a hundred lanes. Each lane has a call only
// each 20 s, so most do not see the server restart. Nothing is lost within 30 s of the restart.
func TestAnOutageBeginsEveryDenialAnew(t *testing.T) {
	w := newWorld(t, Options{})
	w.answer = func(*sink.Write) (sink.Answer, time.Duration) {
		switch {
		case w.now >= 54*time.Second:
			return done(), 5 * ms
		case w.now >= 25*time.Second && w.now < 26*time.Second:
			return unreachable, 5 * ms
		}
		return forbidden(), 5 * ms
	}
	for n := range 100 {
		w.recordAt(time.Duration(n)*ms, fmt.Sprint("ns-", n), 1)
	}
	w.run(3 * time.Minute)
	w.expectNothingLost(100)
}

// TestAnswersAboutOneObjectEndADenial: a starting server refused a lane, or refused it for so long
// that the denial is confirmed. The next answer concerns one object, or its scope is unknown. The
// lane's other objects do not wait for it.
func TestAnswersAboutOneObjectEndADenial(t *testing.T) {
	for _, scope := range []sink.Scope{sink.ScopeObject, sink.ScopeUnknown} {
		for _, refuses := range []time.Duration{300 * ms, 45 * time.Second} {
			w := newWorld(t, Options{})
			w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
				switch {
				case w.now < refuses:
					return forbidden(), 5 * ms
				case strings.HasPrefix(write.Regarding.Name, "bad"):
					return fails(scope), 5 * ms
				}
				return done(), 5 * ms
			}
			w.at(0, func() { w.record("prod", "bad", "x") })
			w.at(2*refuses-time.Second, func() { w.record("prod", "bad-2", "x") })
			w.recordAt(2*refuses, "prod", 3)
			w.run(2*refuses + 10*time.Second)
			w.expectWithin("prod", 2*refuses, 1500*ms, 3)
		}
	}
}

// TestAnswersAboutANamespaceEndTheDoubt: when the server is back, forty webhooks are down, or
// namespaces gone. Their answers show that the server is there.
func TestAnswersAboutANamespaceEndTheDoubt(t *testing.T) {
	for _, name := range []string{"webhook", "404"} {
		w := newWorld(t, Options{})
		w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
			switch {
			case w.now < 10*time.Second:
				return done(), 5 * ms
			case w.now < time.Minute:
				return unreachable, 5 * ms
			case write.Namespace != "good":
				return sicknesses[name]()
			}
			return done(), 5 * ms
		}
		for n := range 40 {
			w.recordAt(time.Second, fmt.Sprint("bad-", n), 1)
			w.recordAt(20*time.Second+time.Duration(n)*ms, fmt.Sprint("bad-", n), 1)
		}
		w.recordAt(time.Second, "good", 1)
		w.recordAt(20*time.Second, "good", 1)
		w.run(time.Minute + 3*time.Second)
		if _, n := w.slowest("good", 0); n != 2 {
			t.Errorf("%s: %d of 2 are stored 3 s after the server is back", name, n)
		}
	}
}

// TestAnAnswerAboutAnObjectEndsTheDoubt, unless the server itself has answered that it takes
// nothing: an answer about an object then comes from admission, though the storage is away.
func TestAnAnswerAboutAnObjectEndsTheDoubt(t *testing.T) {
	for scope, doubts := range map[sink.Scope]bool{sink.ScopeUnknown: false, sink.ScopeGroup: false, sink.ScopeServer: true} {
		r := newRig(t, Options{})
		for n := range doubtAfter + 1 {
			r.record(about(fmt.Sprint("o", n), normal, "x"))
		}
		for range doubtAfter {
			r.done(r.next(), fails(scope))
			r.pass(2 * time.Second)
		}
		if !r.c.d.Look().InDoubt {
			t.Fatalf("%v: %d failures in a row are no doubt", scope, doubtAfter)
		}
		if r.done(r.next(), fails(sink.ScopeObject)); r.c.d.Look().InDoubt != doubts {
			t.Errorf("%v: in doubt: %t", scope, !doubts)
		}
	}
}

// TestAnswersAboutObjectsTakeNoTurns: while the storage is away, admission still answers for the
// objects of a namespace. Its calls are not the only ones that find out that the storage is back.
func TestAnswersAboutObjectsTakeNoTurns(t *testing.T) {
	const away, back = 10 * time.Second, 60 * time.Second
	w := newWorld(t, Options{})
	w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
		switch {
		case write.Namespace == "odd" && w.now > away+20*time.Second:
			return fails(sink.ScopeObject), 5 * ms
		case w.now >= away && w.now < back:
			return fails(sink.ScopeServer), 5 * ms
		}
		return done(), 5 * ms
	}
	for n := range 85 {
		w.at(time.Duration(n)*time.Second, func() {
			for i := range 10 {
				w.record("odd", fmt.Sprint("odd-", n, "-", i), "text")
			}
		})
		w.recordAt(time.Duration(n)*time.Second+500*ms, "prod", 1)
	}
	w.run(90 * time.Second)
	w.expectWithin("prod", back-500*ms, 2*time.Second, 26)
	w.expectNamed("prod-", back-away+3*time.Second, 85)
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

// TestManyThatRecoverAtOnce: a missing right or a broken webhook is repaired for all. Though all
// share five tries a second, two hundred namespaces are written within ten seconds.
func TestManyThatRecoverAtOnce(t *testing.T) {
	for _, name := range []string{"403", "webhook"} {
		w := newWorld(t, Options{})
		w.answer = func(*sink.Write) (sink.Answer, time.Duration) {
			if w.now < 25*time.Second {
				return sicknesses[name]()
			}
			return done(), 5 * ms
		}
		for n := range 200 {
			w.recordAt(0, fmt.Sprint("sick-", n), 3)
		}
		w.run(35 * time.Second)
		w.expectNothingLost(600)
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
	w.drain(w.now, clock.Never)
	w.run(2 * time.Second)
	if s := w.c.Stats(); s.Pending != 0 || s.Lost.Refused != 3000 {
		t.Errorf("%d are pending, lost: %+v, after %d calls", s.Pending, s.Lost, len(w.calls))
	}
}
