package correlator

import (
	"fmt"
	goruntime "runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// held says which events are held, by message and state, in the order in which they would go.
func (r *rig) held() (list []string) {
	for k, name := range []string{"idle Normal", "idle Warning", "pending Normal", "pending Warning"} {
		for i := r.c.ranked[k].first(); i != nil; i = i.ranked.following() {
			list = append(list, i.group.object.name+" "+name)
		}
	}
	return list
}

func TestTheLeastWorthGoesFirst(t *testing.T) {
	r := newRig(t, Options{MaxEvents: 8})
	r.record(about("a", warning, ""), about("b", normal, ""), about("c", warning, ""), about("d", normal, ""))
	r.writeAll()
	r.record(about("e", warning, ""), about("f", normal, ""), about("g", warning, ""), about("h", normal, ""))
	want := []string{
		"b idle Normal", "d idle Normal", "a idle Warning", "c idle Warning",
		"f pending Normal", "h pending Normal", "e pending Warning", "g pending Warning",
	}
	if diff := cmp.Diff(want, r.held()); diff != "" {
		t.Fatal(diff)
	}
	lost := []uint64{0, 0, 0, 0, 1, 2, 3, 4}
	for n := range 8 { // each newcomer is worth the most
		r.record(about("new-"+strconv.Itoa(n), warning, ""))
		want = append(want[1:], "new-"+strconv.Itoa(n)+" pending Warning")
		if diff := cmp.Diff(want, r.held()); diff != "" {
			t.Fatalf("newcomer %d: %s", n, diff)
		}
		if got := r.c.Stats().Lost.Shed; got != lost[n] {
			t.Fatalf("newcomer %d: %d lost, want %d", n, got, lost[n])
		}
	}
}

func TestARepeatMakesYounger(t *testing.T) {
	r := newRig(t, Options{MaxEvents: 2})
	r.record(about("a", normal, ""), about("b", normal, ""))
	r.writeAll()
	r.pass(minute)
	r.record(about("a", normal, ""))
	r.writeAll()
	r.record(about("c", normal, ""))
	if diff := cmp.Diff([]string{"a idle Normal", "c pending Normal"}, r.held()); diff != "" {
		t.Error(diff)
	}
}

func TestANewcomerThatIsWorthTheLeastGoesItself(t *testing.T) {
	r := newRig(t, Options{MaxEvents: 1})
	r.record(about("a", warning, ""), about("b", normal, ""))
	r.stats(books{pending: 1, shed: 1})
	if w := r.next(); w.Regarding.Name != "a" {
		t.Errorf("%s", describe(w))
	}
}

func TestWhatIsInFlightIsKept(t *testing.T) {
	r := newRig(t, Options{MaxEvents: 1})
	r.record(about("a", normal, ""))
	a := r.next()
	r.record(about("b", warning, ""))
	r.stats(books{pending: 1, shed: 1})
	r.ok(a)
	r.stats(books{written: 1, shed: 1})
	r.record(about("c", warning, ""))
	r.ok(r.next())
	r.stats(books{written: 2, shed: 1})
}

func TestSheddingLeavesTheRestOfAnObjectWritable(t *testing.T) {
	r := newRig(t, Options{MaxEvents: 3})
	r.record(about("a", normal, "1"), about("a", warning, "2"), about("a", warning, "3"))
	first := r.next()
	r.record(about("b", warning, "4")) // sheds 2, the next of a's creates
	r.ok(first)
	if diff := cmp.Diff([]string{"4", "3"}, r.notes(r.writeAll())); diff != "" {
		t.Error(diff)
	}
	r.stats(books{written: 3, shed: 1})
}

func TestSheddingAnUpdateLetsThoseBehindItGo(t *testing.T) {
	r := newRig(t, Options{MaxEvents: 3})
	events := distinct("a", normal, 0, 3)
	r.record(events...)
	r.writeAll()
	r.pass(minute)
	r.record(events...)
	first := r.next()
	r.nothingDue() // the others are set aside
	r.ok(first)    // and the second is put back
	r.record(about("b", warning, "x"), about("c", warning, "y"))
	if diff := cmp.Diff([]string{"a pending Normal", "b pending Warning", "c pending Warning"}, r.held()); diff != "" {
		t.Fatal(diff)
	}
	if got := r.notes(r.writeAll()); len(got) != 3 || r.c.Stats().Lost.Shed != 1 {
		t.Errorf("%q, and %d shed", got, r.c.Stats().Lost.Shed)
	}
}

func TestPendingOccurrencesAreCountedWhenShed(t *testing.T) {
	r := newRig(t, Options{MaxEvents: 1})
	e := about("a", normal, "")
	r.record(e, e)
	w := r.next()
	r.record(e, e, e)
	r.done(w, sink.Answer{Outcome: sink.Retry, MaybeStored: true})
	r.record(about("b", warning, ""))
	r.stats(books{pending: 1, shed: 3, unacknowledged: 2})
}

func withReference(def *eventrt.Definition, regarding, related corev1.ObjectReference) eventrt.Event {
	other := eventrt.ObjectRef{}
	if related.Kind != "" {
		other = refer(related)
	}
	return eventrt.NewEvent(def, refer(regarding), other, eventrt.String("x"))
}

func heapBytes() int64 {
	goruntime.GC()
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestManyObjectsStayWithinTheBounds(t *testing.T) {
	const n, bound = 150_000, 32 << 20
	before := heapBytes()
	r := newRig(t, Options{MaxBytes: bound})
	var w sink.Write
	for i := range n {
		name := strconv.Itoa(i)
		e := about(name, normal, "")
		r.c.Observe(&e, r.now)
		if i%4 == 0 { // a quarter is written
			if ok, _ := r.c.Next(r.now, &w); ok {
				r.c.Done(&w, sink.Answer{Outcome: sink.Done}, r.now)
			}
		}
	}
	s := r.c.Stats()
	if s.Identities != s.Objects || s.Lost.Shed == 0 || s.Bytes > bound || s.Bytes < bound*9/10 {
		t.Errorf("%+v", s)
	}
	if s.Recorded != s.Written+s.Pending+s.Lost.Total() || s.Written != n/4 {
		t.Errorf("%+v", s)
	}
	if err := checkEmpty(r.c); err != nil {
		t.Error(err)
	}
	grown := heapBytes() - before
	t.Logf("%d bytes of heap, %d accounted for", grown, s.Bytes)
	if grown > s.Bytes*5/4 {
		t.Errorf("%d bytes of heap, only %d are accounted for", grown, s.Bytes)
	}
	goruntime.KeepAlive(r)
}

func TestAnEventThatHasExpiredIsBegunAnew(t *testing.T) {
	for name, quiet := range map[string]time.Duration{"expired": time.Hour + 1, "not yet": time.Hour} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, Options{})
			r.record(about("job", normal, "x"))
			first := r.next()
			r.ok(first)
			r.pass(quiet)
			r.record(about("job", normal, "x"))
			w := r.next()
			if name == "expired" && (w.Operation != sink.Create || w.Count != 1 || w.Name != first.Name) {
				t.Errorf("%s", describe(w))
			}
			if name == "not yet" && (w.Operation != sink.Update || w.Count != 2 || w.Name != first.Name) {
				t.Errorf("%s", describe(w))
			}
		})
	}
}

func TestIdleEventsAreForgottenByAndBy(t *testing.T) {
	r := newRig(t, Options{EventTTL: time.Minute, NoAggregate: true})
	r.record(distinct("job", normal, 0, 30)...)
	r.record(distinct("job", warning, 0, 30)...)
	r.writeAll()
	r.pass(minute + 1)
	for range 15 {
		r.record(about("other", normal, "x"))
	}
	if s := r.c.Stats(); s.Identities != 1 || s.Objects != 1 {
		t.Errorf("%d events of %d objects are held", s.Identities, s.Objects)
	}
}

func TestWhatIsPendingNeverExpires(t *testing.T) {
	r := newRig(t, Options{EventTTL: time.Minute})
	r.record(about("job", normal, "x"))
	w := r.next()
	r.done(w, answer(sink.Retry))
	r.pass(24 * time.Hour)
	r.record(about("other", normal, "x"), about("job", normal, "x"))
	r.writeAll()
	r.stats(books{written: 3})
}

// TestAnEventThatIsTooLargeShedsNothing records one during an outage.
func TestAnEventThatIsTooLargeShedsNothing(t *testing.T) {
	huge := strings.Repeat("x", 9<<20)
	annotated := func() eventrt.Event {
		return eventrt.NewVerbatimEvent(testDefinition("Bulk", eventrt.Normal), objectNamed("big", "u"), eventrt.ObjectRef{}, "m", []eventrt.Annotation{{Key: "k", Value: huge}})
	}
	withRelated := testDefinition("Bulk", eventrt.Normal)
	withRelated.HasRelated = true
	forwarded := testDefinition(huge, eventrt.Normal)
	forwarded.Forwarded = true
	tests := map[string]func() eventrt.Event{
		"annotation": annotated,
		"field path": func() eventrt.Event {
			return withReference(normal, corev1.ObjectReference{Kind: "Pod", Name: "x", FieldPath: huge}, corev1.ObjectReference{})
		},
		"UID": func() eventrt.Event {
			return withReference(normal, corev1.ObjectReference{Kind: "Pod", Name: "x", UID: types.UID(huge)}, corev1.ObjectReference{})
		},
		"kind": func() eventrt.Event {
			return withReference(normal, corev1.ObjectReference{Kind: huge, Name: "x"}, corev1.ObjectReference{})
		},
		"related field path": func() eventrt.Event {
			return withReference(withRelated, corev1.ObjectReference{Kind: "Pod", Name: "x"}, corev1.ObjectReference{Kind: "Pod", Name: "y", FieldPath: huge})
		},
		"forwarded reason": func() eventrt.Event { return about("big", forwarded, "x") },
	}
	for name, make := range tests {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, Options{MaxBytes: 8 << 20})
			const pending = 5000
			for n := range pending {
				e := about(fmt.Sprint("o", n), normal, "x")
				r.c.Observe(&e, r.now)
			}
			bytes := r.c.Stats().Bytes
			if p := r.observe(make()); p != eventrt.TooLarge {
				t.Errorf("told %q", p)
			}
			r.stats(books{pending: pending, rejected: 1})
			if got := r.c.Stats().Bytes; got != bytes {
				t.Errorf("%d bytes are held, before %d", got, bytes)
			}
		})
	}
	r := newRig(t, Options{MaxBytes: 1 << 20})
	large := strings.Repeat("x", maxEventBytes-1000)
	r.record(withReference(normal, corev1.ObjectReference{Kind: "Pod", Name: "x", FieldPath: large}, corev1.ObjectReference{}))
	folds := deciding(t, Options{}, func(eventrt.Event, bool, eventrt.Instant) bool { return true })
	folds.record(about("big", testDefinition("Bulk", eventrt.Normal), "x"))
	if p := folds.observe(annotated()); p != eventrt.TooLarge {
		t.Errorf("what folds is told %q", p)
	}
}

// TestABoundIsReached without anything giving way.
func TestABoundIsReached(t *testing.T) {
	record := func(r *rig) eventrt.Stats {
		r.record(about("a", normal, "x"), about("b", normal, "x"))
		return r.c.Stats()
	}
	bytes := record(newRig(t, Options{})).Bytes
	if s := record(newRig(t, Options{MaxBytes: bytes})); s.Identities != 2 || s.Bytes != bytes {
		t.Errorf("%+v with a bound of %d bytes", s, bytes)
	}
	if s := record(newRig(t, Options{MaxEvents: 2})); s.Identities != 2 {
		t.Errorf("%+v with a bound of two identities", s)
	}
	if s := record(newRig(t, Options{MaxBytes: bytes - 1})); s.Identities != 1 {
		t.Errorf("%+v with a bound of %d bytes", s, bytes-1)
	}
}

// TestTheLargestEvent is held, and one that is a byte larger is not.
func TestTheLargestEvent(t *testing.T) {
	for more, want := range map[int]eventrt.Problem{0: eventrt.NoProblem, 1: eventrt.TooLarge} {
		r := newRig(t, Options{})
		e := withReference(normal, corev1.ObjectReference{Kind: "Pod", Name: "x"}, corev1.ObjectReference{})
		path := strings.Repeat("x", int(maxEventBytes-textBytes(&e))-textSpace+more)
		if p := r.observe(withReference(normal, corev1.ObjectReference{Kind: "Pod", Name: "x", FieldPath: path}, corev1.ObjectReference{})); p != want {
			t.Errorf("%d bytes beyond the bound: told %q", more, p)
		}
	}
}

// TestWhenAnOwnerAtRestIsWanted: a minute after the first event may have expired, at once if that
// has passed, and not at all when nothing is held.
func TestWhenAnOwnerAtRestIsWanted(t *testing.T) {
	r := newRig(t, Options{EventTTL: time.Hour})
	r.record(about("a", normal, "x"))
	r.writeAll()
	if at, ok := r.wake(); !ok || at != time.Hour+1+tidyAfter {
		t.Errorf("wanted at %v", at)
	}
	r.pass(time.Hour + 1)
	if at, ok := r.wake(); ok || r.c.Stats().Identities != 0 {
		t.Errorf("wanted at %v, with %d events", at, r.c.Stats().Identities)
	}
}
