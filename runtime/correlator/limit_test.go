package correlator

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/sink"
)

func limited(reason, eventType string, limit *eventrt.Limit) *eventrt.Definition {
	def := testDefinition(reason, eventType)
	def.Correlation = eventrt.Correlation{Limit: limit, NoAggregate: true}
	return def
}

// tokens makes a limit that holds so many tokens, and lets nobody wait for longer than a minute.
func tokens(burst int, every time.Duration) *eventrt.Limit {
	return &eventrt.Limit{Name: "tokens", Every: every, Burst: burst, Wait: minute}
}

// written acknowledges all writes until a moment, and lists when each began, and its note.
func (r *rig) written(until time.Duration) (out []string) {
	r.t.Helper()
	for {
		for _, w := range r.writeAll() {
			out = append(out, fmt.Sprintf("%v %s", r.now.Mono, w.Note))
		}
		at, ok := r.wake()
		if !ok || at > until {
			return out
		}
		r.pass(max(at-r.now.Mono, 0))
	}
}

func TestALimitSpreadsWrites(t *testing.T) {
	r := newRig(t, Options{})
	limit := tokens(2, 200*ms)
	low, high := limited("Low", eventrt.Normal, limit), limited("High", eventrt.Warning, limit)
	for n := range 3 {
		r.record(about(fmt.Sprint("a", n), low, fmt.Sprint("low ", n)))
	}
	early := r.written(0)
	r.pass(10 * ms)
	r.record(about("a3", low, "low 3"))
	for n := range 2 {
		r.record(about(fmt.Sprint("b", n), high, fmt.Sprint("high ", n)))
	}
	r.record(about("c", normal, "free"))
	// the Warnings have the next tokens, then the event that waits longest
	want := []string{"0s low 0", "0s low 1", "10ms free", "200ms high 0", "400ms high 1", "600ms low 2", "800ms low 3"}
	if diff := cmp.Diff(want, append(early, r.written(time.Second)...)); diff != "" {
		t.Error(diff)
	}
	r.pass(10 * time.Second) // the bucket holds two again, and no more
	for n := range 3 {
		r.record(about(fmt.Sprint("d", n), low, fmt.Sprint("again ", n)))
	}
	want = []string{"10.8s again 0", "10.8s again 1", "11s again 2"}
	if diff := cmp.Diff(want, r.written(12*time.Second)); diff != "" {
		t.Error(diff)
	}
}

func TestARetryNeedsNoToken(t *testing.T) {
	r := newRig(t, Options{})
	def := limited("Low", eventrt.Normal, tokens(1, 10*time.Second))
	r.record(about("a", def, "one"))
	r.done(r.next(), sink.Answer{Outcome: sink.Exists})
	r.done(r.next(), sink.Answer{Outcome: sink.Retry})
	r.record(about("b", def, "two"))
	r.nothingDue()
	w := r.nextIn(time.Second)
	if string(w.Note) != "one" || w.Operation != sink.Read {
		t.Errorf("%s", summary(w))
	}
	r.done(w, answer(sink.Gone))
	r.ok(r.nextIn(2 * time.Second))
	if w := r.nextIn(7 * time.Second); string(w.Note) != "two" {
		t.Errorf("%s", summary(w))
	}
	r.record(about("a", def, "one")) // an update takes a token of its own
	if w := r.nextIn(10 * time.Second); w.Operation != sink.Update || string(w.Note) != "one" {
		t.Errorf("%s", summary(w))
	}
}

func TestWhoWaitsForATokenHoldsUpNobody(t *testing.T) {
	r := newRig(t, Options{})
	def := limited("Low", eventrt.Normal, tokens(1, 30*time.Second))
	r.record(about("other", def, "first"), about("job", def, "waits"), about("job", normal, "behind"), about("job", normal, "last"))
	want := []string{"0s first", "0s behind", "0s last", "30s waits"}
	if diff := cmp.Diff(want, r.written(minute)); diff != "" {
		t.Error(diff)
	}
}

// TestWhatWasAsideIsNotForgotten: two updates fall due while a write of their object is in flight.
// The first of them has to wait.
func TestWhatWasAsideIsNotForgotten(t *testing.T) {
	r := newRig(t, Options{})
	slow, free := limited("Low", eventrt.Normal, tokens(2, 40*time.Second)), testDefinition("Free", eventrt.Normal)
	r.record(about("job", slow, "limited"), about("job", free, "free"), about("job", normal, "holds"), about("other", slow, "takes a token"))
	r.writeAll()
	r.record(about("job", normal, "holds"))
	r.pass(time.Second)
	held := r.next()
	r.record(about("job", slow, "limited"), about("job", free, "free"))
	r.nothingDue()
	r.ok(held)
	want := []string{"1s free", "40s limited"}
	if diff := cmp.Diff(want, r.written(minute)); diff != "" {
		t.Error(diff)
	}
}

func TestWhatWaitsTooLongIsLostAsLimited(t *testing.T) {
	r := newRig(t, Options{})
	def := limited("Low", eventrt.Normal, tokens(1, 10*minute))
	r.record(about("a", def, "one"), about("b", def, "two"))
	r.written(0)
	r.pass(30 * time.Second)
	r.record(about("b", def, "two"))
	r.written(minute - 1)
	r.stats(books{written: 1, pending: 2})
	r.written(minute)
	if s := r.c.Stats(); s.Lost.Limited != 2 || s.Pending != 0 || s.Lost.Total() != 2 {
		t.Errorf("%+v", s)
	}
	r.pass(9 * minute)
	r.record(about("b", def, "two"))
	if w := r.next(); w.Count != 1 { // lost occurrences no longer count
		t.Errorf("%s", summary(w))
	}
}

func TestShutdownLiftsLimits(t *testing.T) {
	r := newRig(t, Options{})
	limit := tokens(2, time.Hour)
	def, high := limited("Low", eventrt.Normal, limit), limited("High", eventrt.Warning, limit)
	for n := range 5 {
		r.record(about(fmt.Sprint("a", n), def, fmt.Sprint("low ", n)))
	}
	r.written(0)
	r.record(about("b", high, "high"))
	r.nothingDue()
	r.c.Drain(r.now, clock.Never)
	if diff := cmp.Diff([]string{"0s high", "0s low 2", "0s low 3", "0s low 4"}, r.written(0)); diff != "" {
		t.Error(diff)
	}
}

// TestWhoMayWaitForLessIsLostFirst, whoever began to wait first.
func TestWhoMayWaitForLessIsLostFirst(t *testing.T) {
	r := newRig(t, Options{})
	for _, wait := range []time.Duration{minute, 30 * time.Second, 45 * time.Second} {
		def := limited("Slow", eventrt.Normal, &eventrt.Limit{Name: wait.String(), Every: time.Hour, Burst: 1, Wait: wait})
		def.Action = wait.String()
		r.record(about("o", def, "takes the token"))
		r.ok(r.next())
		r.record(about("p", def, wait.String()))
		r.nothingDue()
	}
	for n, at := range []time.Duration{30 * time.Second, 45 * time.Second, minute} {
		for _, before := range []time.Duration{1, 0} {
			r.pass(at - r.now.Mono - before)
			r.nothingDue()
			if lost := r.c.Stats().Lost.Limited; lost != uint64(n+1)-uint64(before) {
				t.Errorf("%d are lost at %v", lost, r.now.Mono)
			}
		}
	}
}

// TestWaitingForTokensTakesNoMemory: an event waits for a token without end, while others come and
// go before it.
func TestWaitingForTokensTakesNoMemory(t *testing.T) {
	r := newRig(t, Options{})
	limit := &eventrt.Limit{Name: "tokens", Every: time.Second, Burst: 1}
	low, high := limited("Low", eventrt.Normal, limit), limited("High", eventrt.Warning, limit)
	r.record(about("a", high, "first"), about("b", low, "waits"))
	r.writeAll()
	for n := range 1000 {
		r.record(about("a", high, fmt.Sprint(n)))
		r.pass(time.Second)
		r.writeAll()
	}
	if waiting := r.c.d.Look().Waiting; waiting != 1 {
		t.Errorf("%d are remembered as waiting, 1 is", waiting)
	}
}
