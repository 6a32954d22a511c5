package correlator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime/sink"
)

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

// TestUpdatesAreRefused for an hour, by admission or because a right is missing: nothing is lost,
// and each tick of the schedule makes one event from half a minute on. Then one is updated again.
func TestUpdatesAreRefused(t *testing.T) {
	for name, refusal := range map[string]sink.Answer{"admission": {Outcome: sink.Refused, Scope: sink.ScopeObject}, "a right": forbidden()} {
		w := newWorld(t, Options{})
		counts, refused := map[string]int{}, 0
		w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
			if write.Operation != sink.Create && w.now < time.Hour {
				refused++
				return refusal, 5 * ms
			}
			counts[write.Name] = int(write.Count)
			return done(), 5 * ms
		}
		for n := range 7200 {
			w.at(time.Duration(n)*500*ms, func() { w.record("prod", "o", "same") })
		}
		w.run(time.Hour + time.Second)
		events := len(counts)
		w.run(2 * time.Hour)
		w.expectNothingLost(7200)
		if w.c.all[0].replaced {
			t.Errorf("%s: the next refusal would make a new event at once", name)
		}
		sum := 0
		for _, n := range counts {
			sum += n
		}
		t.Logf("%s: %d events, %d refusals", name, events, refused)
		if sum != 7200 || events > 11+12 || events < 12 || len(counts) > events || refused > 150 {
			t.Errorf("%s: %d events stand for %d; after an hour there were %d, and %d refusals", name, len(counts), sum, events, refused)
		}
	}
}

// TestUpdatesAreRefusedAtShutdown: pending occurrences go into new events, without waiting half a
// minute.
func TestUpdatesAreRefusedAtShutdown(t *testing.T) {
	for name, refusal := range map[string]sink.Answer{"admission": {Outcome: sink.Refused, Scope: sink.ScopeObject}, "a right": forbidden()} {
		w := newWorld(t, Options{})
		w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
			if write.Operation != sink.Create {
				return refusal, 5 * ms
			}
			return done(), 5 * ms
		}
		for n := range 50 {
			w.at(0, func() { w.record("prod", fmt.Sprint("o-", n), "same") })
			w.at(10*time.Second, func() { w.record("prod", fmt.Sprint("o-", n), "same") })
		}
		w.drain(10*time.Second, 20*time.Second)
		w.run(20 * time.Second)
		t.Log(name)
		w.expectNothingLost(100)
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

// TestADenialWhileDraining lasts five seconds: a control plane that restarts refuses for a moment.
func TestADenialWhileDraining(t *testing.T) {
	w := newWorld(t, Options{})
	w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
		if write.Namespace == "bad" || w.now < 1300*ms {
			return forbidden(), 5 * ms
		}
		return done(), 5 * ms
	}
	w.recordAt(time.Second, "bad", 5)
	w.recordAt(time.Second, "good", 5)
	w.drain(time.Second, Never)
	w.run(5900 * ms)
	if s := w.c.Stats(); s.Written != 5 || s.Pending != 5 {
		t.Errorf("before the denial is confirmed: %+v", s)
	}
	w.run(7500 * ms)
	if s := w.c.Stats(); s.Written != 5 || s.Pending != 0 || s.Lost.Refused != 5 {
		t.Errorf("after the denial is confirmed: %+v", s)
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
