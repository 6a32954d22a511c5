package correlator

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
)

func limited(reason, eventType string, limit *runtime.Limit) *runtime.Definition {
	def := testDefinition(reason, eventType)
	def.Correlation = runtime.Correlation{Limit: limit, NoAggregate: true}
	return def
}

// fiveASecond holds two tokens, and lets nobody wait for longer than a minute.
func fiveASecond() *runtime.Limit {
	return &runtime.Limit{Name: "five", Every: 200 * time.Millisecond, Burst: 2, Wait: minute}
}

// written acknowledges all writes until a moment, and lists when each began, and its note.
func (r *rig) written(until time.Duration) (out []string) {
	r.t.Helper()
	for {
		for _, w := range r.writeAll() {
			out = append(out, fmt.Sprintf("%v %s", r.now.Mono, w.Note))
		}
		at, ok := r.c.Wake()
		if !ok || at > until {
			return out
		}
		r.pass(max(at-r.now.Mono, 0))
	}
}

func TestALimitSpreadsWrites(t *testing.T) {
	r := newRig(t, Options{})
	limit := fiveASecond()
	low, high := limited("Low", runtime.Normal, limit), limited("High", runtime.Warning, limit)
	for n := range 3 {
		r.record(about(fmt.Sprint("a", n), low, fmt.Sprint("low ", n)))
	}
	for n := range 2 {
		r.record(about(fmt.Sprint("b", n), high, fmt.Sprint("high ", n)))
	}
	r.record(about("c", normal, "free"))
	want := []string{"0s low 0", "0s low 1", "0s free", "200ms high 0", "400ms high 1", "600ms low 2"} // the Warnings have the next tokens
	if diff := cmp.Diff(want, r.written(time.Second)); diff != "" {
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
	def := limited("Low", runtime.Normal, limit)
	r.record(about("a", def, "one"))
	r.done(r.next(), runtime.Answer{Outcome: runtime.Exists})
	r.done(r.next(), runtime.Answer{Outcome: runtime.Retry})
	r.record(about("b", def, "two"))
	r.nothingDue()
	if w := r.nextIn(2 * time.Second); string(w.Note) != "one" {
		t.Errorf("%s", summary(w))
	} else {
		r.ok(w)
	}
	if w := r.nextIn(8 * time.Second); string(w.Note) != "two" {
		t.Errorf("%s", summary(w))
	}
	r.record(about("a", def, "one")) // an update takes a token of its own
	if w := r.nextIn(10 * time.Second); w.Operation != runtime.Update || string(w.Note) != "one" {
		t.Errorf("%s", summary(w))
	}
}

func TestWhoWaitsForATokenHoldsUpNobody(t *testing.T) {
	r := newRig(t, Options{})
	limit := fiveASecond()
	limit.Burst, limit.Every = 1, 30*time.Second
	def := limited("Low", runtime.Normal, limit)
	r.record(about("other", def, "first"), about("job", def, "waits"), about("job", normal, "behind"), about("job", warning, "last"))
	want := []string{"0s first", "0s behind", "0s last", "30s waits"}
	if diff := cmp.Diff(want, r.written(minute)); diff != "" {
		t.Error(diff)
	}
}

// TestWhatWasAsideIsNotForgotten has two updates fall due while a write of their object is in flight, of which the first has to wait.
func TestWhatWasAsideIsNotForgotten(t *testing.T) {
	r := newRig(t, Options{})
	limit := fiveASecond()
	limit.Burst, limit.Every = 2, 40*time.Second
	slow, free := limited("Low", runtime.Normal, limit), testDefinition("Free", runtime.Normal)
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
	def := limited("Low", runtime.Normal, limit)
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
	limit := &runtime.Limit{Every: 5 * time.Hour, Burst: 1}
	def := limited("Low", runtime.Normal, limit)
	r.record(about("a", def, "one"), about("b", def, "two"))
	if diff := cmp.Diff([]string{"0s one", "5h0m0s two"}, r.written(6*time.Hour)); diff != "" {
		t.Error(diff)
	}
}

func TestShutdownLiftsLimits(t *testing.T) {
	r := newRig(t, Options{})
	limit := fiveASecond()
	limit.Every = time.Hour
	def, high := limited("Low", runtime.Normal, limit), limited("High", runtime.Warning, limit)
	for n := range 5 {
		r.record(about(fmt.Sprint("a", n), def, fmt.Sprint("low ", n)))
	}
	r.written(0)
	r.record(about("b", high, "high"))
	r.nothingDue()
	r.c.Drain(r.now)
	if diff := cmp.Diff([]string{"0s high", "0s low 2", "0s low 3", "0s low 4"}, r.written(0)); diff != "" {
		t.Error(diff)
	}
}

func TestAbandonGivesUpWhatWaits(t *testing.T) {
	r := newRig(t, Options{})
	limit := fiveASecond()
	def := limited("Low", runtime.Normal, limit)
	for n := range 3 {
		r.record(about(fmt.Sprint("a", n), def, "low"))
	}
	r.writeAll()
	r.c.Abandon()
	r.stats(books{written: 2, shutdown: 1})
	if n := len(r.c.opts.Buckets.of(limit).queue); n != 0 {
		t.Errorf("%d still wait", n)
	}
}

// TestShardsShareABucket has two correlators wait for one token: who waits longest gets it, whoever asks.
func TestShardsShareABucket(t *testing.T) {
	opts := Options{Buckets: NewBuckets(nil)}
	a, b := newRig(t, opts), newRig(t, opts)
	limit := fiveASecond()
	limit.Burst = 1
	def, high := limited("Low", runtime.Normal, limit), limited("High", runtime.Warning, limit)
	a.record(about("a", def, "first"))
	a.writeAll()
	b.record(about("b", def, "second"))
	b.nothingDue()
	for _, r := range []*rig{a, b} {
		r.pass(100 * time.Millisecond)
	}
	a.record(about("c", def, "fourth"), about("d", high, "third"))
	a.nothingDue()
	for _, r := range []*rig{a, b} {
		r.pass(100 * time.Millisecond)
	}
	if at, ok := a.c.Wake(); !ok || at > a.now.Mono {
		t.Errorf("a looks at %v, %v", at, ok)
	}
	if w := a.next(); string(w.Note) != "third" {
		t.Errorf("%q", w.Note)
	} else {
		a.ok(w)
	}
	b.nothingDue()
	for _, r := range []*rig{a, b} {
		r.pass(200 * time.Millisecond)
	}
	a.nothingDue() // and hands the token over
	if at, ok := b.c.Wake(); !ok || at > b.now.Mono {
		t.Errorf("b looks at %v, %v", at, ok)
	}
	if w := b.next(); string(w.Note) != "second" {
		t.Errorf("%q", w.Note)
	}
}

func TestWhatIsShedWaitsNoMore(t *testing.T) {
	r := newRig(t, Options{MaxIdentities: 2})
	limit := fiveASecond()
	limit.Burst = 1
	def := limited("Low", runtime.Normal, limit)
	r.record(about("a", def, "one"), about("b", def, "two"))
	r.writeAll()
	r.record(about("c", def, "three"), about("d", def, "four"), about("e", def, "five"))
	for range 5 {
		r.writeAll()
		r.pass(200 * time.Millisecond)
	}
	if s := r.c.Stats(); s.Lost.Shed == 0 || s.Pending != 0 || len(r.c.opts.Buckets.of(limit).queue) != 0 {
		t.Errorf("%+v", s)
	}
}

func TestWhoWaitsLongestIsNext(t *testing.T) {
	r := newRig(t, Options{})
	limit := fiveASecond()
	limit.Burst = 1
	def := limited("Low", runtime.Normal, limit)
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

func TestANewcomerTakesNoTokenFromWhoWaits(t *testing.T) {
	opts := Options{Buckets: NewBuckets(nil)}
	a, b := newRig(t, opts), newRig(t, opts)
	limit := fiveASecond()
	limit.Burst = 1
	def := limited("Low", runtime.Normal, limit)
	a.record(about("a", def, "first"))
	a.writeAll()
	b.record(about("b", def, "waits"))
	b.nothingDue()
	a.pass(200 * time.Millisecond)
	b.pass(200 * time.Millisecond)
	a.record(about("c", def, "newcomer")) // there is a token, and b has not looked yet
	a.nothingDue()
	if w := b.next(); string(w.Note) != "waits" {
		t.Errorf("%q", w.Note)
	}
}

// TestWakeTellsTheEarliest of what is due and what may get a token.
func TestWakeTellsTheEarliest(t *testing.T) {
	limit := &runtime.Limit{Name: "slow", Every: 20 * time.Second, Burst: 1}
	for _, c := range []struct {
		interval, want time.Duration // of an event that was written just now
	}{{5 * time.Second, 5 * time.Second}, {minute, 20 * time.Second}} {
		r := newRig(t, Options{FirstInterval: c.interval})
		for _, name := range []string{"a", "b"} {
			r.record(about(name, limited("Slow", runtime.Normal, limit), name))
		}
		r.record(about("c", normal, "x"))
		r.writeAll()
		r.nothingDue()
		if at, ok := r.c.Wake(); !ok || at != 20*time.Second {
			t.Errorf("a token comes at %v (%v)", at, ok)
		}
		r.record(about("c", normal, "x"))
		if at, ok := r.c.Wake(); !ok || at != c.want {
			t.Errorf("woken at %v (%v), expected %v", at, ok, c.want)
		}
	}
}

// TestWhoHasATokenKeepsItsTurn: a write gets its token while another of its object is in flight. Once that is answered, it goes before a Warning
// that fell due meanwhile.
func TestWhoHasATokenKeepsItsTurn(t *testing.T) {
	r := newRig(t, Options{})
	def := limited("Slow", runtime.Normal, &runtime.Limit{Name: "slow", Every: 10 * time.Second, Burst: 1})
	r.record(about("z", def, "takes the token"))
	r.ok(r.next())
	r.record(about("o", def, "waits"))
	r.nothingDue()
	r.record(about("o", normal, "is in flight"))
	w := r.next()
	r.pass(10 * time.Second)
	r.nothingDue()
	r.pass(time.Second)
	r.record(about("x", warning, "came later"))
	r.pass(time.Second)
	r.ok(w)
	for _, want := range []string{"waits", "came later"} {
		w := r.next()
		if string(w.Note) != want {
			t.Errorf("%s goes before %s", w.Note, want)
		}
		r.ok(w)
	}
}

// TestWaitersAreCountedByLimit, and a limit that nobody waits for is not kept.
func TestWaitersAreCountedByLimit(t *testing.T) {
	var w waiting
	a, b := fiveASecond(), fiveASecond()
	for _, l := range []*runtime.Limit{a, b, a, b, a} {
		w.count(l, 1)
	}
	if want := []waitedFor{{a, 3}, {b, 2}}; !slices.Equal(w.limits, want) {
		t.Errorf("%v, expected %v", w.limits, want)
	}
	for _, l := range []*runtime.Limit{b, a, a, b} {
		w.count(l, -1)
	}
	if want := []waitedFor{{a, 1}}; !slices.Equal(w.limits, want) {
		t.Errorf("%v, expected %v", w.limits, want)
	}
	if w.count(a, -1); len(w.limits) > 0 {
		t.Errorf("%v are kept", w.limits)
	}
}

// TestATokenOfWhatIsGoneIsLost: another shard gives a token to an identity that its own shard sheds before it knows.
func TestATokenOfWhatIsGoneIsLost(t *testing.T) {
	buckets := NewBuckets(nil)
	own, other := newRig(t, Options{Buckets: buckets}), newRig(t, Options{Buckets: buckets})
	def := limited("Slow", runtime.Normal, &runtime.Limit{Name: "slow", Every: 10 * time.Second, Burst: 1})
	own.record(about("o", def, "takes the token"))
	own.ok(own.next())
	own.record(about("o", def, "is shed"))
	own.nothingDue()
	other.record(about("p", def, "waits"))
	other.nothingDue()
	for _, r := range []*rig{own, other} {
		r.pass(10 * time.Second)
	}
	other.nothingDue() // it is not its turn
	own.c.shed(own.c.held.Oldest(store.PendingNormal))
	own.record(about("o", def, "comes last"))
	own.nothingDue()
	for _, r := range []*rig{own, other} {
		r.pass(10 * time.Second)
	}
	own.nothingDue()
	if w := other.next(); string(w.Note) != "waits" {
		t.Errorf("%s has the second token", w.Note)
	}
	if w := own.nextIn(10 * time.Second); string(w.Note) != "comes last" {
		t.Errorf("%s has the third token", w.Note)
	}
	own.stats(books{written: 1, pending: 1, shed: 1})
}

// TestWhoMayWaitForLessIsLostFirst, whoever began to wait first.
func TestWhoMayWaitForLessIsLostFirst(t *testing.T) {
	r := newRig(t, Options{})
	for _, wait := range []time.Duration{minute, 30 * time.Second, 45 * time.Second} {
		def := limited("Slow", runtime.Normal, &runtime.Limit{Name: wait.String(), Every: time.Hour, Burst: 1, Wait: wait})
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

// TestEventsWithALimitHaveAnAggregateOfTheirOwn, though another definition has their reason: what folds into that waits for no token.
func TestEventsWithALimitHaveAnAggregateOfTheirOwn(t *testing.T) {
	r := newRig(t, Options{Threshold: 1})
	slow := testDefinition("Rare", runtime.Normal)
	slow.Correlation.Limit = fiveASecond()
	for _, def := range []*runtime.Definition{slow, testDefinition("Rare", runtime.Normal), testDefinition("Rare", runtime.Normal)} {
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
