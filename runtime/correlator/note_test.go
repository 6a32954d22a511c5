package correlator

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// latest is an event whose note follows the occurrences; its param is no part of the identity.
func latest() *eventrt.Definition {
	def := testDefinition("Blocked", eventrt.Normal)
	def.Params[0].Optional = true
	def.Correlation = eventrt.Correlation{Merged: 1, LatestNote: true}
	return def
}

func TestTheNoteIsTheLatest(t *testing.T) {
	r := newRig(t, Options{})
	def := latest()
	say := func(texts ...string) {
		for _, text := range texts {
			r.record(about("job", def, text))
		}
	}
	var got []string
	write := func(w *sink.Write) {
		got = append(got, string(w.Note))
		if !w.LatestNote || w.Aggregate || len(w.Annotations) > 1 {
			t.Errorf("%s: latest note %v, aggregate %v, annotations %v", summary(w), w.LatestNote, w.Aggregate, w.Annotations)
		}
	}
	say("one")
	w := r.next()
	write(w)
	say("two", "three") // while it is in flight
	r.done(w, sink.Answer{Outcome: sink.Retry})
	w = r.nextIn(time.Second) // what is tried again shows what is latest now
	write(w)
	r.ok(w)
	say("four", "one")
	w = r.nextIn(time.Second)
	write(w)
	r.done(w, sink.Answer{Outcome: sink.Gone})
	w = r.next()
	write(w)
	r.ok(w)
	say("") // an absent argument is one, too
	w = r.nextIn(2 * time.Second)
	write(w)
	r.ok(w)
	if diff := cmp.Diff([]string{"one", "three", "one", "one", ""}, got); diff != "" {
		t.Error(diff)
	}
}

func TestTheNoteStaysTheFirst(t *testing.T) {
	r := newRig(t, Options{})
	def := latest()
	def.Correlation.LatestNote = false
	r.record(about("job", def, "one"), about("job", def, "two"))
	r.ok(r.next())
	r.record(about("job", def, "three"))
	if w := r.nextIn(time.Second); string(w.Note) != "one" || w.LatestNote {
		t.Errorf("%s: note %q", summary(w), w.Note)
	}
}

func TestAnAggregateShowsWhatFoldedLast(t *testing.T) {
	r := newRig(t, Options{Threshold: 1})
	def := latest()
	def.Params = append(def.Params, eventrt.Param{Name: "other"})
	event := func(text, other string) eventrt.Event {
		return eventrt.NewEvent(def, objectNamed("job", "uid-of-job"), eventrt.ObjectRef{}, eventrt.String(text), eventrt.String(other))
	}
	r.record(event("one", "a"), event("two", "b"), event("three", "b"))
	for _, w := range r.writeAll() {
		if w.Aggregate == w.LatestNote {
			t.Errorf("%s: aggregate %v, latest note %v", summary(&w), w.Aggregate, w.LatestNote)
		}
	}
	r.record(event("four", "b"))
	if w := r.nextIn(time.Second); w.LatestNote || !w.Aggregate {
		t.Errorf("%s: note %q", summary(w), w.Note)
	}
}
