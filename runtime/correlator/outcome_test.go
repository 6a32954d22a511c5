package correlator

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

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
			e := about("job", normal, "x")
			r.record(e)
			// an answer starts the delays anew, though more is pending by then
			for _, end := range []sink.Outcome{sink.Refused, sink.Done, sink.Done} {
				w := r.next()
				for _, d := range tt.want {
					r.done(w, fails(sink.ScopeObject))
					w = r.nextIn(d)
				}
				r.record(e)
				r.done(w, answer(end))
				r.pass(time.Hour)
			}
		})
	}
}

// TestWhatMayBeStoredIsNotRefused splits the loss of a refusal: occurrences that an earlier try may
// have stored, and the rest. Later occurrences count under another key, so that an earlier try, if
// it was stored, is not taken for them.
func TestWhatMayBeStoredIsNotRefused(t *testing.T) {
	r := newRig(t, Options{}, Writer{Tag: 1})
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
		of := &r.only().work.ledger
		of.count += uint32(min(extra, math.MaxUint32-1))
		of.pending += extra
		r.c.counts.Recorded += extra
		r.c.counts.Pending += extra
		w := r.next()
		if carried := r.only().work.carried; w.Count != tt.want || carried != tt.recorded {
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

func TestAWriteIsWhole(t *testing.T) {
	def := testDefinition("Mounted", eventrt.Warning)
	def.HasRelated, def.FieldPath = true, "spec.containers"
	def.Annotations = []eventrt.AnnotationDefinition{{Key: "example.com/b", Value: []eventrt.Segment{{Text: "b=", Value: eventrt.ParamValue}}}}
	regarding, related := clusterScoped(), clusterScoped()
	regarding.Namespace, regarding.Name, related.Name = "prod", "Web", "node-1"
	r := newRig(t, Options{}, Writer{Tag: 0xabcdef, Identity: Unique})
	e := eventrt.NewEvent(def, refer(regarding), refer(related), eventrt.String("app"))
	sent := capture{}
	eventrt.NewRecorder(&sent).WithReportingController("example.com/mounter").WithAnnotations(map[string]string{"z": "last", "example.com/a": "first"}).Emit(e)
	r.record(sent.e)
	w := r.next()
	name := fmt.Sprintf("node.%016x00abcdef", r.now.Wall.UnixNano())
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

// TestAWriteIsOverwritten fills one Write again and again, as a worker does.
func TestAWriteIsOverwritten(t *testing.T) {
	var w sink.Write
	// two correlators, which give equal names
	for _, identities := range [][]types.UID{{"a", "a", "a", "a"}, {"b"}} {
		r := newRig(t, Options{})
		for n, uid := range identities {
			ref := corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "prod", Name: "web", UID: uid, ResourceVersion: []string{"7", "7", "8", ""}[n]}
			r.record(withReference(normal, ref, corev1.ObjectReference{}))
			if ok, _ := r.c.Next(r.now, &w); !ok || w.Regarding != ref {
				t.Fatalf("%+v, want %+v", w.Regarding, ref)
			}
			r.ok(&w)
			r.pass(minute)
		}
	}
}

// TestAnswersToNothingChangeNothing, whatever is in flight.
func TestAnswersToNothingChangeNothing(t *testing.T) {
	r := newRig(t, Options{})
	r.record(about("job", normal, "x"))
	w := r.next()
	r.done(&sink.Write{Ticket: w.Ticket + 1}, done())
	r.stats(books{pending: 1})
	r.ok(w)
	r.done(w, answer(sink.Refused)) // answered already
	r.stats(books{written: 1})
}
