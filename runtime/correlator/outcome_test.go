package correlator

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

func answer(o sink.Outcome) sink.Answer { return sink.Answer{Outcome: o} }

// TestAnswersToACreate answers a create of one occurrence; another came while it was in flight.
func TestAnswersToACreate(t *testing.T) {
	tests := []struct {
		name   string
		answer sink.Answer
		in     time.Duration // when the next write is due
		want   string
		books  books
		counts string
		rename bool
	}{
		{name: "done", answer: sink.Answer{Outcome: sink.Done, ResourceVersion: 8, Mark: 2},
			in: time.Second, want: "update job count 2 version 8 mark 2", books: books{written: 1, pending: 1}, counts: "1 creates, 0 updates, 0 retries, 0 failures"},
		{name: "done without version", answer: answer(sink.Done),
			in: time.Second, want: "update job count 2 version 0 mark 0", books: books{written: 1, pending: 1}, counts: "1 creates, 0 updates, 0 retries, 0 failures"},
		{name: "retry", answer: sink.Answer{Outcome: sink.Retry, Mark: 2},
			in: time.Second, want: "create job count 2 version 0 mark 0", books: books{pending: 2}, counts: "0 creates, 0 updates, 1 retries, 0 failures"},
		{name: "retry after a while", answer: sink.Answer{Outcome: sink.Retry, RetryAfter: 7 * time.Second},
			in: 7 * time.Second, want: "create job count 2 version 0 mark 0", books: books{pending: 2}, counts: "0 creates, 0 updates, 1 retries, 0 failures"},
		{name: "retry after less than the delay", answer: sink.Answer{Outcome: sink.Retry, RetryAfter: time.Millisecond},
			in: time.Second, want: "create job count 2 version 0 mark 0", books: books{pending: 2}, counts: "0 creates, 0 updates, 1 retries, 0 failures"},
		{name: "retry after an age", answer: sink.Answer{Outcome: sink.Retry, RetryAfter: math.MaxInt64},
			in: 5 * minute, want: "create job count 2 version 0 mark 0", books: books{pending: 2}, counts: "0 creates, 0 updates, 1 retries, 0 failures"},
		{name: "retry of what may be stored", answer: sink.Answer{Outcome: sink.Retry, MaybeStored: true, Mark: 2},
			in: time.Second, want: "create job count 2 version 0 mark 2", books: books{pending: 2}, counts: "0 creates, 0 updates, 1 retries, 0 failures"},
		{name: "exists", answer: sink.Answer{Outcome: sink.Exists, Mark: 2},
			in: 0, want: "read job count 2 version 0 mark 2", books: books{pending: 2}, counts: "0 creates, 0 updates, 1 retries, 0 failures"},
		{name: "gone", answer: answer(sink.Gone),
			in: 0, want: "create job count 2 version 0 mark 0", books: books{pending: 2}, counts: "0 creates, 0 updates, 1 retries, 0 failures"},
		{name: "refused", answer: answer(sink.Refused),
			in: time.Second, want: "create job count 1 version 0 mark 0", books: books{refused: 1, pending: 1}, counts: "0 creates, 0 updates, 0 retries, 1 failures"},
		{name: "forbidden, a denial not yet confirmed", answer: answer(sink.Forbidden),
			in: time.Second, want: "create job count 2 version 0 mark 0", books: books{pending: 2}, counts: "0 creates, 0 updates, 1 retries, 0 failures"},
		{name: "an answer that is none", answer: sink.Answer{},
			in: time.Second, want: "create job count 1 version 0 mark 0", books: books{refused: 1, pending: 1}, counts: "0 creates, 0 updates, 0 retries, 1 failures"},
		{name: "an outcome that is none", answer: answer(200),
			in: time.Second, want: "create job count 1 version 0 mark 0", books: books{refused: 1, pending: 1}, counts: "0 creates, 0 updates, 0 retries, 1 failures"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, Options{})
			e := about("job", normal, "x")
			r.record(e)
			w := r.next()
			if got := summary(w); got != "create job count 1 version 0 mark 0" {
				t.Fatalf("first %s", got)
			}
			r.record(e)
			r.done(w, tt.answer)
			r.holdsAfter(tt.books, tt.counts)
			next := r.nextIn(tt.in)
			if got := summary(next); got != tt.want || (next.Name != w.Name) != tt.rename {
				t.Errorf("next %s, want %s; name %s, was %s", got, tt.want, next.Name, w.Name)
			}
		})
	}
}

func (r *rig) holdsAfter(want books, counts string) {
	r.t.Helper()
	r.stats(want)
	s := r.c.Stats()
	if got := fmt.Sprintf("%d creates, %d updates, %d retries, %d failures", s.Creates, s.Updates, s.Retries, s.Failures); got != counts {
		r.t.Errorf("counted %s, want %s", got, counts)
	}
	if s.InFlight != 0 {
		r.t.Errorf("%d in flight", s.InFlight)
	}
}

// TestAnswersToAnUpdate answers an update from 1 to 3; another occurrence came while it was in
// flight.
func TestAnswersToAnUpdate(t *testing.T) {
	tests := []struct {
		name   string
		answer sink.Answer
		rename bool
		in     time.Duration
		want   string
		books  books
		counts string
	}{
		{name: "done", answer: sink.Answer{Outcome: sink.Done, ResourceVersion: 8, Mark: 3},
			in: 2 * time.Second, want: "update job count 4 version 8 mark 3", books: books{written: 3, pending: 1}, counts: "1 creates, 1 updates, 0 retries, 0 failures"},
		{name: "retry", answer: answer(sink.Retry),
			in: time.Second, want: "update job count 4 version 7 mark 3", books: books{written: 1, pending: 3}, counts: "1 creates, 0 updates, 1 retries, 0 failures"},
		{name: "retry of what may be stored", answer: sink.Answer{Outcome: sink.Retry, MaybeStored: true, Mark: 3},
			in: time.Second, want: "read job count 4 version 0 mark 3", books: books{written: 1, pending: 3}, counts: "1 creates, 0 updates, 1 retries, 0 failures"},
		{name: "conflict", answer: sink.Answer{Outcome: sink.Retry, Conflict: true},
			in: 0, want: "read job count 4 version 0 mark 3", books: books{written: 1, pending: 3}, counts: "1 creates, 0 updates, 1 retries, 0 failures"},
		{name: "gone", answer: answer(sink.Gone),
			in: 0, want: "create job count 4 version 0 mark 3", books: books{written: 1, pending: 3}, counts: "1 creates, 0 updates, 1 retries, 0 failures"},
		{name: "refused, so that a new event counts what is pending", answer: answer(sink.Refused), rename: true,
			in: 2 * time.Second, want: "create job count 3 version 0 mark 0", books: books{written: 1, pending: 3}, counts: "1 creates, 0 updates, 0 retries, 1 failures"},
		{name: "forbidden, a denial not yet confirmed", answer: answer(sink.Forbidden),
			in: time.Second, want: "update job count 4 version 7 mark 3", books: books{written: 1, pending: 3}, counts: "1 creates, 0 updates, 1 retries, 0 failures"},
		{name: "refused quietly, a denial not yet confirmed", answer: answer(sink.RefusedQuietly),
			in: time.Second, want: "update job count 4 version 7 mark 3", books: books{written: 1, pending: 3}, counts: "1 creates, 0 updates, 1 retries, 0 failures"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, Options{})
			w := r.updateInFlight()
			r.done(w, tt.answer)
			r.holdsAfter(tt.books, tt.counts)
			next := r.nextIn(tt.in)
			if got := summary(next); got != tt.want || (next.Name != w.Name) != tt.rename {
				t.Errorf("next %s, want %s; name %s, was %s", got, tt.want, next.Name, w.Name)
			}
		})
	}
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

// unreachable says nothing of the write.
var unreachable = sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeServer}

func TestRetriesSlowDown(t *testing.T) {
	tests := []struct {
		name string
		opts Options
		want []time.Duration
	}{
		{"defaults", Options{}, seconds(1, 2, 4, 8, 10, 10, 10)},
		{"others", Options{RetryDelay: 3 * time.Second, MaxRetryDelay: 15 * time.Second}, seconds(3, 6, 12, 15, 15)},
		{"a delay beyond the most", Options{RetryDelay: minute}, seconds(10, 10)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, tt.opts)
			r.record(about("job", normal, "x"))
			for range 2 { // a success lets the delays begin anew
				w := r.next()
				for _, d := range tt.want {
					r.done(w, fails(sink.ScopeObject))
					w = r.nextIn(d)
				}
				r.ok(w)
				r.pass(time.Hour)
				r.record(about("job", normal, "x"))
			}
		})
	}
}

func TestRetriesGoOnForever(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("job", normal, "x"))
	w := r.next()
	for range 1000 {
		r.done(w, unreachable)
		at, ok := r.wake()
		if !ok || at > r.now.Mono+10*time.Second {
			t.Fatalf("tried again at %v, it is %v", at, r.now.Mono)
		}
		w = r.nextIn(at - r.now.Mono)
	}
	r.ok(w)
	r.stats(books{written: 1})
}

// TestWhatMayBeStoredIsNotRefused splits what a refusal loses into what an earlier try may have
// stored, and the rest. What comes after it is counted under another key, so that the earlier try,
// if it was stored, is not taken for it.
func TestWhatMayBeStoredIsNotRefused(t *testing.T) {
	r := newRig(t, Options{Tag: 1})
	e := about("job", normal, "x")
	r.record(e, e)
	r.done(r.next(), sink.Answer{Outcome: sink.Retry, MaybeStored: true})
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

func TestCountsSaturate(t *testing.T) {
	tests := []struct {
		recorded uint64
		want     int32
	}{
		{math.MaxInt32 - 1, math.MaxInt32 - 1}, {math.MaxInt32, math.MaxInt32}, {math.MaxInt32 + 1, math.MaxInt32}, {math.MaxUint64 / 2, math.MaxInt32},
	}
	for _, tt := range tests {
		r := newRig(t, Options{})
		r.record(about("job", normal, "x"))
		extra := tt.recorded - 1
		r.only().add(uint32(min(extra, math.MaxUint32)))
		r.only().work.pending += extra
		r.c.counts.Recorded += extra
		r.c.counts.Pending += extra
		w := r.next()
		if carried := r.c.calls[0].carried; w.Count != tt.want || carried != tt.recorded {
			t.Errorf("%d recorded: count %d, carried %d", tt.recorded, w.Count, carried)
		}
		r.ok(w)
		r.stats(books{written: tt.recorded})
		r.record(about("job", normal, "x"))
		if w := r.nextIn(time.Second); w.Count != int32(min(tt.recorded+1, math.MaxInt32)) {
			t.Errorf("%d recorded: next count %d", tt.recorded+1, w.Count)
		}
	}
}

func TestAnswersToNothingChangeNothing(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("job", normal, "x"))
	w := r.next()
	before := r.c.Stats()
	for _, ticket := range []uint64{0, w.Ticket + 1, math.MaxUint64} {
		r.done(&sink.Write{Ticket: ticket}, answer(sink.Done))
	}
	if after := r.c.Stats(); after != before {
		t.Errorf("%+v, was %+v", after, before)
	}
	r.ok(w)
	r.done(w, answer(sink.Refused)) // answered already
	r.stats(books{written: 1})
}

func TestAWriteIsWhole(t *testing.T) {
	def := testDefinition("Mounted", eventrt.Warning)
	def.HasRelated, def.FieldPath = true, "spec.containers"
	def.Annotations = []eventrt.AnnotationDefinition{{Key: "example.com/b", Value: []eventrt.Segment{{Text: "b=", Value: eventrt.ParamValue}}}}
	regarding, related := clusterScoped(), clusterScoped()
	regarding.Namespace, regarding.Name, related.Name = "prod", "web", "node-1"
	r := newRig(t, Options{Tag: 0xabcdef, Identity: Unique})
	e := eventrt.NewEvent(def, refer(regarding), refer(related), eventrt.String("app"))
	sent := capture{}
	eventrt.NewRecorder(&sent).WithReportingController("example.com/mounter").WithAnnotations(map[string]string{"z": "last", "example.com/a": "first"}).Emit(e)
	r.record(sent.e)
	w := r.next()
	name := fmt.Sprintf("web.%016x00abcdef", r.now.Wall.UnixNano())
	regarding.FieldPath = "spec.containers{app}"
	want := &sink.Write{
		Operation: sink.Create, Namespace: "prod", Name: name,
		Type: "Warning", Reason: "Mounted", Action: "Act", ReportingController: "example.com/mounter", ReportingInstance: "rig-0",
		Note: []byte("app"), Regarding: regarding, Related: related, HasRelated: true,
		Annotations: []eventrt.Annotation{{Key: "example.com/a", Value: "first"}, {Key: "example.com/b", Value: "b=app"}, {Key: "z", Value: "last"}},
		Count:       1, First: r.now.Wall, Last: r.now.Wall,
		Timeout: defaultWriteTimeout, Ticket: w.Ticket,
	}
	if diff := cmp.Diff(want, w); diff != "" {
		t.Error(diff)
	}
	r.done(w, sink.Answer{Outcome: sink.Done, ResourceVersion: 5})
	r.record(sent.e)
	r.pass(time.Second)
	again := r.next()
	want.Operation, want.Count, want.ResourceVersion, want.Annotations = sink.Update, 2, 5, nil
	want.Ticket = again.Ticket
	if diff := cmp.Diff(want, again); diff != "" {
		t.Error(diff)
	}
}

// capture is a Publisher that keeps the last event.
type capture struct{ e eventrt.Event }

func (c *capture) Publish(e eventrt.Event) { c.e = e }

// TestAnAnswerEndsTheRowOfFailures has an occurrence come in flight, so that the identity stays
// pending.
func TestAnAnswerEndsTheRowOfFailures(t *testing.T) {
	for _, o := range []sink.Outcome{sink.Done, sink.Refused} {
		r := newRig(t, Options{})
		e := about("job", normal, "x")
		r.record(e)
		w := r.next()
		for _, d := range seconds(1, 2, 4) {
			r.done(w, answer(sink.Retry))
			w = r.nextIn(d)
		}
		r.record(e)
		r.done(w, answer(o))
		r.done(r.nextIn(time.Second), answer(sink.Retry))
		if at, _ := r.wake(); at != r.now.Mono+time.Second {
			t.Errorf("%v: the next try is in %v", o, at-r.now.Mono)
		}
	}
}

// TestAWriteIsOverwritten fills one Write again and again, as a worker does.
func TestAWriteIsOverwritten(t *testing.T) {
	const a, b = "00000000-0000-0000-0000-00000000000a", "00000000-0000-0000-0000-00000000000b"
	var w sink.Write
	write := func(c *Correlator, now eventrt.Instant, uid, version string) {
		t.Helper()
		ref := corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "prod", Name: "web", UID: types.UID(uid), ResourceVersion: version}
		e := eventrt.NewEvent(normal, refer(ref), eventrt.ObjectRef{}, eventrt.String("x"))
		c.Observe(&e, now)
		if ok, _ := c.Next(now, &w); !ok || w.Regarding != ref {
			t.Fatalf("%+v, want %+v", w.Regarding, ref)
		}
		c.Done(&w, answer(sink.Done), now)
	}
	now := eventrt.Instant{Wall: time.Unix(1, 0)}
	c := newRig(t, Options{}).c
	write(c, now, a, "7")
	now.Mono += minute
	write(c, now, a, "7")
	now.Mono += minute
	write(c, now, a, "8")
	now.Mono += minute
	write(c, now, a, "")
	other := newRig(t, Options{}).c // which gives equal names
	write(other, now, b, "")
}

// TestAnUpdateThatIsRefusedIsLostOnceItsEventHasExpired, and stays pending until then.
func TestAnUpdateThatIsRefusedIsLostOnceItsEventHasExpired(t *testing.T) {
	for late, want := range map[time.Duration]books{0: {written: 1, pending: 1}, 1: {written: 1, refused: 1}} {
		r := newRig(t, Options{EventTTL: time.Hour})
		r.record(about("a", normal, "x"))
		r.ok(r.next())
		r.record(about("a", normal, "x"))
		r.pass(time.Second)
		w := r.next()
		r.pass(time.Hour - time.Second + late) // since the occurrence
		r.done(w, answer(sink.Refused))
		r.stats(want)
	}
}
