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
	"github.com/event-gen/event-gen/runtime/internal/problems"
)

// held lists the held events, by message and state, in the order of eviction.
func (r *rig) held() (list []string) {
	for k, name := range []string{"idle Normal", "idle Warning", "pending Normal", "pending Warning"} {
		for i := r.c.ranked[k].First(); i != nil; i = i.ranked.Following() {
			list = append(list, i.group.object.name+" "+name)
		}
	}
	return list
}

func TestTheLeastWorthGoesFirst(t *testing.T) {
	r := newRig(t, Options{MaxEvents: 8})
	r.record(about("b", normal, ""), about("a", warning, ""), about("c", warning, ""), about("d", normal, ""))
	r.writeAll()
	r.pass(minute)
	r.record(about("b", normal, "")) // a repeat makes younger
	r.writeAll()
	r.record(about("e", warning, ""), about("h", normal, ""), about("f", normal, ""), about("g", warning, ""), about("h", normal, ""))
	want := []string{
		"d idle Normal", "b idle Normal", "a idle Warning", "c idle Warning",
		"f pending Normal", "h pending Normal", "e pending Warning", "g pending Warning",
	}
	if diff := cmp.Diff(want, r.held()); diff != "" {
		t.Fatal(diff)
	}
	lost := []uint64{0, 0, 0, 0, 1, 3, 4, 5}
	for n := range 8 { // each newcomer is worth the most
		r.record(about("new-"+strconv.Itoa(n), warning, ""))
		want = append(want[1:], "new-"+strconv.Itoa(n)+" pending Warning")
		if diff := cmp.Diff(want, r.held()); diff != "" {
			t.Fatalf("newcomer %d: %s", n, diff)
		}
		if got := r.c.Stats().Lost.Evicted; got != lost[n] {
			t.Fatalf("newcomer %d: %d lost, want %d", n, got, lost[n])
		}
	}
	r.record(about("new-8", normal, "")) // it is worth the least
	if diff := cmp.Diff(want, r.held()); diff != "" {
		t.Error(diff)
	}
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

func TestIdleEventsAreForgottenByAndBy(t *testing.T) {
	r := newRig(t, Options{EventTTL: time.Minute, Burst: -1})
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

// TestAnEventThatIsTooLargeEvictsNothing records some during an outage.
func TestAnEventThatIsTooLargeEvictsNothing(t *testing.T) {
	huge := strings.Repeat("x", 9<<20)
	withRelated := testDefinition("Bulk", eventrt.Normal)
	withRelated.HasRelated, withRelated.RelatedOptional = true, true
	forwarded := testDefinition(huge, eventrt.Normal)
	forwarded.Forwarded = true
	pod := func(change func(*corev1.ObjectReference)) corev1.ObjectReference {
		o := corev1.ObjectReference{Kind: "Pod", Name: "x"}
		change(&o)
		return o
	}
	withPath, none := pod(func(o *corev1.ObjectReference) { o.FieldPath = huge }), corev1.ObjectReference{}
	annotated := internals.NewVerbatimEvent(withRelated, objectNamed("big", "u"), eventrt.ObjectRef{}, "m", []eventrt.Annotation{{Key: "k", Value: huge}})
	r := newRig(t, Options{MaxBytes: 8 << 20})
	const pending = 5000
	for n := range pending {
		e := about(fmt.Sprint("o", n), normal, "x")
		r.c.Observe(&e, r.now)
	}
	bytes, rejected := r.c.Stats().Bytes, uint64(0)
	for name, e := range map[string]eventrt.Event{
		"annotation":         annotated,
		"field path":         withReference(normal, withPath, none),
		"UID":                withReference(normal, pod(func(o *corev1.ObjectReference) { o.UID = types.UID(huge) }), none),
		"kind":               withReference(normal, pod(func(o *corev1.ObjectReference) { o.Kind = huge }), none),
		"related field path": withReference(withRelated, clusterScoped(), withPath),
		"forwarded reason":   about("big", forwarded, "x"),
	} {
		if p := r.observe(e); p != problems.TooLarge {
			t.Errorf("%s: told %q", name, p)
		}
		rejected++
		r.stats(books{pending: pending, rejected: rejected})
		if got := r.c.Stats().Bytes; got != bytes {
			t.Errorf("%s: %d bytes are held, before %d", name, got, bytes)
		}
	}
	r.c.opts.tuning.Aggregate = func(eventrt.Event, bool) bool { return true }
	if p := r.observe(annotated); p != problems.TooLarge {
		t.Errorf("what is aggregated is told %q", p)
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
	for more, want := range map[int]eventrt.Problem{0: eventrt.NoProblem, 1: problems.TooLarge} {
		ref := corev1.ObjectReference{Kind: "Pod", Name: "x"}
		e := withReference(normal, ref, corev1.ObjectReference{})
		ref.FieldPath = strings.Repeat("x", int(maxEventBytes-textBytes(&e))-textSpace+more)
		if p := newRig(t, Options{MaxBytes: 1 << 20}).observe(withReference(normal, ref, corev1.ObjectReference{})); p != want {
			t.Errorf("%d bytes beyond the bound: told %q", more, p)
		}
	}
}

// TestWhenAnOwnerAtRestIsWanted: the owner is wanted a minute after the first event may have
// expired, at once if that time has passed, and not at all if no event is held.
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
