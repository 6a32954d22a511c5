package correlator

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

func limited(reason, eventType string, limit *eventrt.Limit) *eventrt.Definition {
	def := testDefinition(reason, eventType)
	def.Correlation = eventrt.Correlation{Limit: limit, NoAggregate: true}
	return def
}

// fiveASecond holds two tokens, and lets nobody wait for longer than a minute.
func fiveASecond() *eventrt.Limit {
	return &eventrt.Limit{Name: "five", Every: 200 * time.Millisecond, Burst: 2, Wait: minute}
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
	limit := fiveASecond()
	low, high := limited("Low", eventrt.Normal, limit), limited("High", eventrt.Warning, limit)
	for n := range 3 {
		r.record(about(fmt.Sprint("a", n), low, fmt.Sprint("low ", n)))
	}
	early := r.written(0)
	for n := range 2 {
		r.record(about(fmt.Sprint("b", n), high, fmt.Sprint("high ", n)))
	}
	r.record(about("c", normal, "free"))
	// the Warnings have the next tokens
	want := []string{"0s low 0", "0s low 1", "0s free", "200ms high 0", "400ms high 1", "600ms low 2"}
	if diff := cmp.Diff(want, append(early, r.written(time.Second)...)); diff != "" {
		t.Error(diff)
	}
	r.pass(10 * time.Second) // the bucket holds two again, and no more
	for n := range 3 {
		r.record(about(fmt.Sprint("d", n), low, fmt.Sprint("again ", n)))
	}
	want = []string{"10.6s again 0", "10.6s again 1", "10.8s again 2"}
	if diff := cmp.Diff(want, r.written(12*time.Second)); diff != "" {
		t.Error(diff)
	}
}

func TestARetryNeedsNoToken(t *testing.T) {
	r := newRig(t, Options{})
	limit := fiveASecond()
	limit.Every, limit.Burst = 10*time.Second, 1
	def := limited("Low", eventrt.Normal, limit)
	r.record(about("a", def, "one"))
	r.done(r.next(), sink.Answer{Outcome: sink.Exists})
	r.done(r.next(), sink.Answer{Outcome: sink.Retry})
	r.record(about("b", def, "two"))
	r.nothingDue()
	if w := r.nextIn(time.Second); string(w.Note) != "one" || w.Operation != sink.Read {
		t.Errorf("%s", summary(w))
	} else {
		r.done(w, sink.Answer{Outcome: sink.Gone})
		r.ok(r.nextIn(2 * time.Second))
	}
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
	limit := fiveASecond()
	limit.Burst, limit.Every = 1, 30*time.Second
	def := limited("Low", eventrt.Normal, limit)
	r.record(about("other", def, "first"), about("job", def, "waits"), about("job", normal, "behind"), about("job", normal, "last"))
	want := []string{"0s first", "0s behind", "0s last", "30s waits"}
	if diff := cmp.Diff(want, r.written(minute)); diff != "" {
		t.Error(diff)
	}
}

// TestWhatWasAsideIsNotForgotten has two updates fall due while a write of their object is in
// flight, of which the first has to wait.
func TestWhatWasAsideIsNotForgotten(t *testing.T) {
	r := newRig(t, Options{})
	limit := fiveASecond()
	limit.Burst, limit.Every = 2, 40*time.Second
	slow, free := limited("Low", eventrt.Normal, limit), testDefinition("Free", eventrt.Normal)
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
	limit := fiveASecond()
	limit.Every, limit.Burst = 10*minute, 1
	def := limited("Low", eventrt.Normal, limit)
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
	if w := r.next(); w.Count != 1 { // what was lost counts no more
		t.Errorf("%s", summary(w))
	}
}

func TestALimitMayWaitForEver(t *testing.T) {
	r := newRig(t, Options{})
	limit := &eventrt.Limit{Every: 5 * time.Hour, Burst: 1}
	def := limited("Low", eventrt.Normal, limit)
	r.record(about("a", def, "one"), about("b", def, "two"))
	if diff := cmp.Diff([]string{"0s one", "5h0m0s two"}, r.written(6*time.Hour)); diff != "" {
		t.Error(diff)
	}
}

func TestShutdownLiftsLimits(t *testing.T) {
	r := newRig(t, Options{})
	limit := fiveASecond()
	limit.Every = time.Hour
	def, high := limited("Low", eventrt.Normal, limit), limited("High", eventrt.Warning, limit)
	for n := range 5 {
		r.record(about(fmt.Sprint("a", n), def, fmt.Sprint("low ", n)))
	}
	r.written(0)
	r.record(about("b", high, "high"))
	r.nothingDue()
	r.c.Drain(r.now, Never)
	if diff := cmp.Diff([]string{"0s high", "0s low 2", "0s low 3", "0s low 4"}, r.written(0)); diff != "" {
		t.Error(diff)
	}
}

func TestAbandonGivesUpWhatWaits(t *testing.T) {
	r := newRig(t, Options{})
	limit := fiveASecond()
	def := limited("Low", eventrt.Normal, limit)
	for n := range 3 {
		r.record(about(fmt.Sprint("a", n), def, "low"))
	}
	r.writeAll()
	r.c.Abandon(10)
	r.stats(books{written: 2, shutdown: 1})
	if n := r.c.bucketOf(limit).queue.Len(); n != 0 {
		t.Errorf("%d still wait", n)
	}
}

func TestWhatIsShedWaitsNoMore(t *testing.T) {
	r := newRig(t, Options{MaxEvents: 2})
	limit := fiveASecond()
	limit.Burst = 1
	def := limited("Low", eventrt.Normal, limit)
	r.record(about("a", def, "one"), about("b", def, "two"))
	r.writeAll()
	r.record(about("c", def, "three"), about("d", def, "four"), about("e", def, "five"))
	for range 5 {
		r.writeAll()
		r.pass(200 * time.Millisecond)
	}
	if s := r.c.Stats(); s.Lost.Shed == 0 || s.Pending != 0 || r.c.bucketOf(limit).queue.Len() != 0 {
		t.Errorf("%+v", s)
	}
}

func TestWhoWaitsLongestIsNext(t *testing.T) {
	r := newRig(t, Options{})
	limit := fiveASecond()
	limit.Burst = 1
	def := limited("Low", eventrt.Normal, limit)
	var want []string
	for n := range 6 {
		r.record(about(fmt.Sprint("o", n), def, fmt.Sprint("note ", n)))
		r.writeAll()
		r.pass(10 * time.Millisecond)
		if n > 0 {
			want = append(want, fmt.Sprintf("%v note %d", time.Duration(n)*200*time.Millisecond, n))
		}
	}
	if diff := cmp.Diff(want, r.written(2*time.Second)); diff != "" {
		t.Error(diff)
	}
}

// TestWakeTellsTheEarliest of what is due and what may get a token.
func TestWakeTellsTheEarliest(t *testing.T) {
	limit := &eventrt.Limit{Name: "slow", Every: 20 * time.Second, Burst: 1}
	for _, c := range []struct {
		interval, want time.Duration // of an event that was written just now
	}{{5 * time.Second, 5 * time.Second}, {minute, 20 * time.Second}} {
		r := newRig(t, Options{FirstInterval: c.interval})
		for _, name := range []string{"a", "b"} {
			r.record(about(name, limited("Slow", eventrt.Normal, limit), name))
		}
		r.record(about("c", normal, "x"))
		r.writeAll()
		r.nothingDue()
		if at, ok := r.wake(); !ok || at != 20*time.Second {
			t.Errorf("a token comes at %v (%v)", at, ok)
		}
		r.record(about("c", normal, "x"))
		if at, ok := r.wake(); !ok || at != c.want {
			t.Errorf("woken at %v (%v), expected %v", at, ok, c.want)
		}
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
		r.pass(at - r.now.Mono - 1)
		r.nothingDue()
		if lost := r.c.Stats().Lost.Limited; lost != uint64(n) {
			t.Errorf("%d are lost before %v", lost, at)
		}
		r.pass(1)
		r.nothingDue()
		if lost := r.c.Stats().Lost.Limited; lost != uint64(n+1) {
			t.Errorf("%d are lost at %v", lost, at)
		}
	}
}

// TestEventsWithALimitHaveAnAggregateOfTheirOwn, though another definition has their reason: what
// folds into that waits for no token.
func TestEventsWithALimitHaveAnAggregateOfTheirOwn(t *testing.T) {
	r := newRig(t, Options{Threshold: 1})
	slow := testDefinition("Rare", eventrt.Normal)
	slow.Correlation.Limit = fiveASecond()
	for n, def := range []*eventrt.Definition{slow, testDefinition("Rare", eventrt.Normal), testDefinition("Rare", eventrt.Normal)} {
		def.Action = fmt.Sprint("Act", n)
		r.record(distinct("job", def, 0, 3)...)
	}
	writes := map[bool]int{}
	for _, w := range r.writeAll() {
		writes[w.Aggregate]++
	}
	// The last two share what the first has alone.
	if want := (map[bool]int{false: 2, true: 2}); !cmp.Equal(writes, want) {
		t.Errorf("writes, by whether they are aggregates: %v, want %v", writes, want)
	}
}
