package correlator

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/runtime/sink"
)

func TestOneWriteOfAnObjectIsInFlight(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("a", normal, "1"), about("a", warning, "2"), about("b", normal, "3"))
	first, other := r.next(), r.next()
	if string(first.Note) != "1" || string(other.Note) != "3" {
		t.Fatalf("in flight: %q and %q", first.Note, other.Note)
	}
	r.nothingDue()
	r.ok(other)
	r.nothingDue()
	r.ok(first)
	if w := r.next(); string(w.Note) != "2" {
		t.Errorf("%s", describe(w))
	}
	r.nothingDue()
}

func TestFirstCreatesKeepTheirOrder(t *testing.T) {
	r := newRig(t, Options{})
	r.record(distinct("job", normal, 0, 5)...)
	r.record(about("job", normal, "message 0")) // repeats change nothing
	r.record(distinct("job", warning, 5, 3)...)
	var want []string
	for _, e := range append(distinct("job", normal, 0, 5), distinct("job", warning, 5, 3)...) {
		want = append(want, e.Message())
	}
	if diff := cmp.Diff(want, r.notes(r.writeAll())); diff != "" {
		t.Error(diff)
	}
}

func TestARetryingCreateHoldsItsSuccessorsOnly(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("a", normal, "known"), about("b", normal, "known"))
	r.writeAll()
	r.pass(minute)
	r.record(about("a", normal, "first"), about("a", normal, "second"), about("a", normal, "known"), about("b", normal, "other"))
	first := r.next()
	if string(first.Note) != "first" {
		t.Fatalf("%s", describe(first))
	}
	r.done(first, answer(sink.Retry))
	got := r.notes(r.writeAll())
	slices.Sort(got)
	if diff := cmp.Diff([]string{"known", "other"}, got); diff != "" {
		t.Errorf("while the create waits: %s", diff)
	}
	r.done(r.nextIn(time.Second), answer(sink.Retry))
	r.nothingDue()
	r.pass(2 * time.Second)
	if diff := cmp.Diff([]string{"first", "second"}, r.notes(r.writeAll())); diff != "" {
		t.Error(diff)
	}
}

func TestARefusedCreateLetsItsSuccessorsGo(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("a", normal, "first"), about("a", normal, "second"))
	r.done(r.next(), answer(sink.Refused))
	if w := r.next(); string(w.Note) != "second" {
		t.Errorf("%s", describe(w))
	}
}

func TestARefusedCreateIsTriedAgainBehindTheOthers(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("a", normal, "first"), about("a", normal, "second"), about("a", normal, "third"))
	w := r.next()
	r.record(about("a", normal, "first"))
	r.done(w, answer(sink.Refused))
	r.pass(time.Second)
	if diff := cmp.Diff([]string{"second", "third", "first"}, r.notes(r.writeAll())); diff != "" {
		t.Error(diff)
	}
}
