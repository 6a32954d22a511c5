package correlator

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

func answer(o sink.Outcome) sink.Answer { return sink.Answer{Outcome: o} }

// TestAnswers answers a create of one occurrence, or an update from 1 to 3; another occurrence came
// while it was in flight.
func TestAnswers(t *testing.T) {
	type counts struct{ creates, updates, retries, failures uint64 }
	retried, refused := counts{retries: 1}, counts{failures: 1}
	tests := []struct {
		name   string
		answer sink.Answer
		in     time.Duration // when the next write is due
		want   string
		books  books
		counts counts
	}{
		{"create: done", sink.Answer{Outcome: sink.Done, ResourceVersion: 8, Mark: 2}, time.Second, "update job count 2 version 8 mark 2", books{written: 1, pending: 1}, counts{creates: 1}},
		{"create: done without version", answer(sink.Done), time.Second, "update job count 2 version 0 mark 0", books{written: 1, pending: 1}, counts{creates: 1}},
		{"create: retry", sink.Answer{Outcome: sink.Retry, Mark: 2}, time.Second, "create job count 2 version 0 mark 0", books{pending: 2}, retried},
		{"create: retry after a while", retryAfter(7 * time.Second), 7 * time.Second, "create job count 2 version 0 mark 0", books{pending: 2}, retried},
		{"create: retry after less than the delay", retryAfter(ms), time.Second, "create job count 2 version 0 mark 0", books{pending: 2}, retried},
		{"create: retry after an age", retryAfter(math.MaxInt64), 5 * minute, "create job count 2 version 0 mark 0", books{pending: 2}, retried},
		{"create: retry of what may be stored", unanswered(2), time.Second, "create job count 2 version 0 mark 2", books{pending: 2}, retried},
		{"create: exists", sink.Answer{Outcome: sink.Exists, Mark: 2}, 0, "read job count 2 version 0 mark 2", books{pending: 2}, retried},
		{"create: gone", answer(sink.Gone), 0, "create job count 2 version 0 mark 0", books{pending: 2}, retried},
		{"create: refused", answer(sink.Refused), time.Second, "create job count 1 version 0 mark 0", books{refused: 1, pending: 1}, refused},
		{"create: forbidden, not yet confirmed", answer(sink.Forbidden), time.Second, "create job count 2 version 0 mark 0", books{pending: 2}, retried},
		{"create: an answer that is none", sink.Answer{}, time.Second, "create job count 1 version 0 mark 0", books{refused: 1, pending: 1}, refused},
		{"create: an outcome that is none", answer(200), time.Second, "create job count 1 version 0 mark 0", books{refused: 1, pending: 1}, refused},

		{"update: done", sink.Answer{Outcome: sink.Done, ResourceVersion: 8, Mark: 3}, 2 * time.Second, "update job count 4 version 8 mark 3", books{written: 3, pending: 1}, counts{updates: 1}},
		{"update: retry", answer(sink.Retry), time.Second, "update job count 4 version 7 mark 3", books{written: 1, pending: 3}, retried},
		{"update: retry of what may be stored", unanswered(3), time.Second, "read job count 4 version 0 mark 3", books{written: 1, pending: 3}, retried},
		{"update: conflict", sink.Answer{Outcome: sink.Retry, Conflict: true}, 0, "read job count 4 version 0 mark 3", books{written: 1, pending: 3}, retried},
		{"update: gone", answer(sink.Gone), 0, "create job count 4 version 0 mark 3", books{written: 1, pending: 3}, retried},
		{"update: refused, and tried again", answer(sink.Refused), 2 * time.Second, "update job count 4 version 7 mark 3", books{written: 1, pending: 3}, refused},
		{"update: invalid, a new event counts what is pending", sink.Answer{Outcome: sink.Refused, Invalid: true}, 0, "create job count 3 version 0 mark 0", books{written: 1, pending: 3}, refused},
		{"update: forbidden, not yet confirmed", answer(sink.Forbidden), time.Second, "update job count 4 version 7 mark 3", books{written: 1, pending: 3}, retried},
		{"update: refused quietly, not yet confirmed", answer(sink.RefusedQuietly), time.Second, "update job count 4 version 7 mark 3", books{written: 1, pending: 3}, retried},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, Options{})
			var w *sink.Write
			if strings.HasPrefix(tt.name, "update") {
				w = r.updateInFlight()
				tt.counts.creates++
			} else {
				r.record(about("job", normal, "x"))
				w = r.next()
				r.record(about("job", normal, "x"))
			}
			r.done(w, tt.answer)
			r.stats(tt.books)
			s := r.c.Stats()
			if got := (counts{s.Creates, s.Updates, s.Retries, s.Failures}); got != tt.counts || s.InFlight != 0 {
				t.Errorf("counted %+v, want %+v; %d in flight", got, tt.counts, s.InFlight)
			}
			if tt.answer.Conflict {
				r.pass(leastPause) // or less
			}
			next := r.nextIn(tt.in)
			if renamed := w.Operation == sink.Update && tt.answer.Invalid; renamed == (next.Name == w.Name) {
				t.Errorf("next name %s, was %s", next.Name, w.Name)
			}
			if got := summary(next); got != tt.want {
				t.Errorf("next %s, want %s", got, tt.want)
			}
		})
	}
}

func retryAfter(d time.Duration) sink.Answer {
	return sink.Answer{Outcome: sink.Retry, RetryAfter: d}
}

// unanswered is the answer to a write that may be stored.
func unanswered(mark uint8) sink.Answer {
	return sink.Answer{Outcome: sink.Retry, MaybeStored: true, Mark: mark}
}

// updateInFlight is an update from count 1 to 3, of version 7 and mark 3; a fourth occurrence
// waits.
func (r *rig) updateInFlight() *sink.Write {
	r.t.Helper()
	e := about("job", normal, "x")
	r.record(e)
	r.done(r.next(), sink.Answer{Outcome: sink.Done, ResourceVersion: 7, Mark: 3})
	r.record(e, e)
	w := r.nextIn(time.Second)
	if got := summary(w); got != "update job count 3 version 7 mark 3" {
		r.t.Fatalf("%s", got)
	}
	r.record(e)
	return w
}

// unreachable is an answer that tells nothing about the write.
var unreachable = sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeServer}

// TestWhatMayBeStoredIsNotRefused splits the loss of a refusal: occurrences that an earlier try may
// have stored, and the rest. Later occurrences count under another key, so that an earlier try, if
// it was stored, is not taken for them.
func TestWhatMayBeStoredIsNotRefused(t *testing.T) {
	r := newRig(t, Options{}, writerOptions{Tag: 1})
	e := about("job", normal, "x")
	r.record(e, e)
	r.done(r.next(), unanswered(0))
	r.record(e, e, e)
	w := r.nextIn(time.Second)
	r.record(e)
	r.done(w, answer(sink.Refused))
	r.stats(books{unacknowledged: 2, refused: 3, pending: 1})
	r.pass(time.Minute)
	w = r.next()
	if key := writerKeyOf(1, 1); len(w.Annotations) != 1 || w.Annotations[0] != (eventrt.Annotation{Key: key, Value: "1"}) {
		t.Errorf("annotations %v, want %s: 1", w.Annotations, key)
	}
	r.done(w, sink.Answer{Outcome: sink.Exists})
	read := r.next()
	r.done(read, storedBy(read, func(e *corev1.Event) {
		e.Count, e.Annotations = 2, map[string]string{writerKeyOf(1, 0): "2"}
	}))
	if w := r.next(); summary(w) != "update job count 3 version 5 mark 2" {
		t.Errorf("%s joins the two that were stored", summary(w))
	}
}

func (c *capture) Publish(e eventrt.Event) { c.e = e }

// TestAnUpdateIntoNoNamespaceIsLostOnceItsEventHasExpired, and stays pending until then.
func TestAnUpdateIntoNoNamespaceIsLostOnceItsEventHasExpired(t *testing.T) {
	r := newRig(t, Options{EventTTL: time.Hour})
	r.record(about("a", normal, "x"))
	r.ok(r.next())
	r.record(about("a", normal, "x"))
	until := func(end time.Duration) {
		for w := (sink.Write{}); r.now.Mono < end; r.pass(minute) {
			for ok := true; ok; {
				if ok, _ = r.c.Next(r.now, &w); ok {
					r.done(&w, gone())
				}
			}
		}
	}
	until(time.Hour)
	r.stats(books{written: 1, pending: 1})
	until(time.Hour + 10*minute)
	r.stats(books{written: 1, refused: 1})
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
