package correlator

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
)

func writerKeyOf(tag uint64, era uint32) string {
	c := &Correlator{writer: writerOptions{Tag: tag}}
	return string(c.appendWriterKey(nil, &record{era: era}))
}

// storedBy returns the event of a write as another writer has stored it, changed.
func storedBy(w *sink.Write, change func(*corev1.Event)) sink.Answer {
	c := *w
	c.Annotations = []eventrt.Annotation{{Key: writerKeyOf(0, 1), Value: "7"}}
	e := form.Core(&c)
	e.Count, e.Annotations["example.com/a"] = 7, "b"
	e.FirstTimestamp, e.LastTimestamp = metav1.Time{Time: w.First.Add(-time.Hour)}, metav1.Time{Time: w.Last.Add(-time.Minute)}
	change(e)
	return sink.Answer{Outcome: sink.Done, ResourceVersion: 5, Mark: 2, Stored: e}
}

// TestWhatARestartFinds: a create of two occurrences finds its name taken. A third occurrence comes
// meanwhile.
func TestWhatARestartFinds(t *testing.T) {
	own := writerKeyOf(1, 0)
	for _, c := range []struct {
		name   string
		change func(*corev1.Event)
		want   string
		books  books
	}{
		{"another's count", func(*corev1.Event) {}, "update job count 10 version 5 mark 2", books{pending: 3}},
		{"its own earlier attempt", func(e *corev1.Event) { e.Count, e.Annotations[own] = 2, "2" }, "update job count 3 version 5 mark 2", books{written: 2, pending: 1}},
		{"both", func(e *corev1.Event) { e.Count, e.Annotations[own] = 9, "2" }, "update job count 10 version 5 mark 2", books{written: 2, pending: 1}},
		{"a series", func(e *corev1.Event) { e.Count, e.Series = 0, &corev1.EventSeries{Count: 4} }, "update job count 7 version 5 mark 2", books{pending: 3}},
		{"one occurrence of events.k8s.io", func(e *corev1.Event) { e.Count = 0 }, "update job count 4 version 5 mark 2", books{pending: 3}},
		{"an annotation that is no number", func(e *corev1.Event) { e.Annotations[own] = "x" }, "update job count 10 version 5 mark 2", books{pending: 3}},
		{"another reason", func(e *corev1.Event) { e.Reason = "X" }, "create job count 3 version 0 mark 0", books{pending: 3}},
		{"another action", func(e *corev1.Event) { e.Action = "X" }, "create job count 3 version 0 mark 0", books{pending: 3}},
		{"another type", func(e *corev1.Event) { e.Type = "X" }, "create job count 3 version 0 mark 0", books{pending: 3}},
		{"another controller", func(e *corev1.Event) { e.ReportingController = "X" }, "create job count 3 version 0 mark 0", books{pending: 3}},
		{"another instance", func(e *corev1.Event) { e.ReportingInstance = "X" }, "create job count 3 version 0 mark 0", books{pending: 3}},
		{"another object", func(e *corev1.Event) { e.InvolvedObject.UID = "X" }, "create job count 3 version 0 mark 0", books{pending: 3}},
		{"another version of the object", func(e *corev1.Event) { e.InvolvedObject.ResourceVersion = "X" }, "update job count 10 version 5 mark 2", books{pending: 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, Options{}, writerOptions{Tag: 1})
			e := about("job", normal, "x")
			r.record(e, e)
			w := r.next()
			r.done(w, sink.Answer{Outcome: sink.Exists, Mark: 2})
			read := r.next()
			if got := summary(read); got != "read job count 2 version 0 mark 2" || len(read.Annotations) > 0 {
				t.Fatalf("%s, annotations %v", got, read.Annotations)
			}
			r.record(e)
			r.done(read, storedBy(read, c.change))
			r.stats(c.books)
			next := r.next()
			joins := next.Operation == sink.Update // another's event leaves it a name of its own
			if got := summary(next); got != c.want || (next.Name == w.Name) != joins {
				t.Errorf("%s of %s, want %s", got, next.Name, c.want)
			}
			if diff := cmp.Diff([]eventrt.Annotation{{Key: own, Value: "3"}}, next.Annotations); diff != "" {
				t.Error(diff)
			}
			if next.Joins != joins || joins && !next.First.Equal(w.First.Add(-time.Hour)) || !next.Last.Equal(r.now.Wall) {
				t.Errorf("joins %v, first %v, last %v", next.Joins, next.First, next.Last)
			}
			r.ok(next)
			r.stats(books{written: 3})
			r.record(e)
			if last := r.nextIn(time.Second); last.Joins || last.Count != next.Count+1 {
				t.Errorf("then %s, joins %v", summary(last), last.Joins)
			}
		})
	}
}

// TestAnEventThatIsAnotherByNow: an update of another writer's event is unanswered. If the event is
// still there without this writer's count, the update was not stored. If the event has expired, and
// its writer has created it anew, nobody can tell. The same holds for a create, if the event was
// there meanwhile.
func TestAnEventThatIsAnotherByNow(t *testing.T) {
	for name, c := range map[string]struct {
		update bool      // else a create is unanswered
		uid    types.UID // of the event found then; before, it was a
		gone   bool      // this writer hears that it has expired
		books  books
	}{
		"the same":            {true, "a", false, books{pending: 1}},
		"another":             {true, "b", false, books{unacknowledged: 1}},
		"another, after none": {true, "b", true, books{unacknowledged: 1}},
		"a create":            {false, "b", true, books{unacknowledged: 1}},
	} {
		r := newRig(t, Options{}, writerOptions{Tag: 1})
		finds := func(uid types.UID) {
			read := r.next()
			r.done(read, storedBy(read, func(e *corev1.Event) { e.UID = uid }))
		}
		r.record(about("job", normal, "x"))
		if c.update {
			r.done(r.next(), answer(sink.Exists))
			finds("a")
		}
		r.done(r.next(), unanswered(0))
		r.pass(time.Second)
		if !c.update {
			r.done(r.next(), answer(sink.Exists))
		}
		if c.gone {
			r.done(r.next(), answer(sink.Gone))
			r.done(r.nextIn(2*time.Second), answer(sink.Exists))
		}
		finds(c.uid)
		t.Log(name)
		r.stats(c.books)
	}
}

// TestAnnotationsAreSummed: of 33 writers and its own, an event keeps 32.
func TestAnnotationsAreSummed(t *testing.T) {
	r := newRig(t, Options{}, writerOptions{Tag: 6})
	r.record(about("job", normal, "x"))
	r.done(r.next(), sink.Answer{Outcome: sink.Exists})
	read := r.next()
	r.done(read, storedBy(read, func(e *corev1.Event) {
		for tag := range uint64(33) {
			e.Annotations[writerKeyOf(1+5*tag, 0)] = "1"
		}
		e.Count, e.Annotations[writerKeyOf(6, 0)] = 40, "0"
	}))
	w := r.next()
	if diff := cmp.Diff([]string{writerKeyOf(0, 1), writerKeyOf(1, 0)}, w.Dropped); diff != "" || w.Count != 41 {
		t.Errorf("%s\n%s", summary(w), diff)
	}
	r.done(w, sink.Answer{Outcome: sink.Done, ResourceVersion: 6})
	r.record(about("job", normal, "x"))
	if w := r.nextIn(time.Second); len(w.Dropped) > 0 {
		t.Errorf("again: %v", w.Dropped)
	}
}

// TestAConflictMayMeanStored: a request came twice; the first copy was stored, and the second had a
// conflict. Before this writer reads the event, 32 others have written it, so that its annotation
// is gone.
func TestAConflictMayMeanStored(t *testing.T) {
	r := newRig(t, Options{}, writerOptions{Tag: 1})
	r.record(about("job", normal, "x"))
	r.ok(r.next())
	r.record(about("job", normal, "x"))
	r.done(r.nextIn(time.Second), sink.Answer{Outcome: sink.Retry, Conflict: true})
	r.pass(leastPause)
	read := r.next()
	r.done(read, storedBy(read, func(e *corev1.Event) {
		e.Count = 34
		clear(e.Annotations)
		for n := range uint64(maxWriters) {
			e.Annotations[writerKeyOf(2+n, 0)] = "1"
		}
	}))
	r.stats(books{written: 1, unacknowledged: 1})
}

// TestWriterKeysSortByAge draws pairs of writers, of a few digits and of many.
func TestWriterKeysSortByAge(t *testing.T) {
	rng := newRand(t)
	for range 10_000 {
		a, b := rng.Uint64()>>rng.IntN(64), rng.Uint64()>>rng.IntN(64)
		i, j := rng.Uint32()>>rng.IntN(32), rng.Uint32()>>rng.IntN(32)
		if rng.IntN(2) == 0 {
			a = b
		}
		if older := a < b || a == b && i < j; older != (writerKeyOf(a, i) < writerKeyOf(b, j)) {
			t.Fatalf("%s and %s, of %d, %d and %d, %d", writerKeyOf(a, i), writerKeyOf(b, j), a, i, b, j)
		}
	}
}

// TestASinkThatCantRead leaves the event under its name to itself.
func TestASinkThatCantRead(t *testing.T) {
	for name, a := range map[string]sink.Answer{"refused": answer(sink.Refused), "nothing": answer(sink.Done), "another outcome": answer(sink.Exists)} {
		r := newRig(t, Options{})
		r.record(about("job", normal, "x"))
		w := r.next()
		r.done(w, answer(sink.Exists))
		if notes := r.c.Done(r.next(), a, r.now); len(notes) > 0 {
			t.Errorf("%s: %v is logged", name, notes)
		}
		if next := r.next(); next.Operation != sink.Create || next.Name == w.Name || next.Count != 1 {
			t.Errorf("%s: %s, name %s", name, summary(next), next.Name)
		}
	}
}
