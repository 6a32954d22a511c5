package correlator

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/sink"
)

// rig drives a correlator by hand and holds its books after each call.
type rig struct {
	t   testing.TB
	c   *Correlator
	now clock.Instant
}

// wake returns when Next has something to do, if nothing is due now; ok is false for never.
func (r *rig) wake() (at time.Duration, ok bool) {
	r.t.Helper()
	var w sink.Write
	found, at := r.c.Next(r.now, &w)
	if found {
		r.t.Fatalf("due at %v: %s", r.now.Mono, describe(&w))
	}
	return at, at != clock.Never
}

func newRig(t testing.TB, opts Options, writer ...writerOptions) *rig {
	t.Helper()
	who := oneOf(writer)
	if who.ReportingController == "" {
		who.ReportingController, who.ReportingInstance = "example.com/rig", "rig-0"
	}
	c, err := New(opts, who)
	if err != nil {
		t.Fatal(err)
	}
	return &rig{t: t, c: c, now: clock.Instant{Wall: time.Unix(1_700_000_000, 0)}}
}

func (r *rig) pass(d time.Duration) {
	r.now.Mono += d
	r.now.Wall = r.now.Wall.Add(d)
}

func (r *rig) observe(e eventrt.Event) eventrt.Problem {
	r.t.Helper()
	internals.SetTime(&e, r.now.Wall)
	problem, _ := r.c.Observe(&e, r.now)
	r.check()
	return problem
}

// record observes an event that must be taken.
func (r *rig) record(events ...eventrt.Event) {
	r.t.Helper()
	for _, e := range events {
		if problem := r.observe(e); problem != eventrt.NoProblem {
			r.t.Fatalf("rejected: %v", problem)
		}
	}
}

// next is the write that is due.
func (r *rig) next() *sink.Write {
	r.t.Helper()
	var w sink.Write
	if ok, _ := r.c.Next(r.now, &w); !ok {
		r.t.Fatalf("nothing is due at %v", r.now.Mono)
	}
	r.check()
	return &w
}

// nothingDue holds that no write is due now.
func (r *rig) nothingDue() {
	r.t.Helper()
	var w sink.Write
	if ok, _ := r.c.Next(r.now, &w); ok {
		r.t.Fatalf("due at %v: %s", r.now.Mono, describe(&w))
	}
	r.check()
}

// nextIn holds that the next write is due in d, and takes it then.
func (r *rig) nextIn(d time.Duration) *sink.Write {
	r.t.Helper()
	if d > 0 {
		r.pass(d - 1)
		r.nothingDue()
		r.pass(1)
	}
	return r.next()
}

func (r *rig) done(w *sink.Write, a sink.Answer) {
	r.t.Helper()
	r.c.Done(w, a, r.now)
	r.check()
}

func (r *rig) ok(w *sink.Write) {
	r.t.Helper()
	r.done(w, sink.Answer{Outcome: sink.Done})
}

// writeAll writes everything due now, acknowledges it and returns it.
func (r *rig) writeAll() (writes []sink.Write) {
	r.t.Helper()
	for {
		var w sink.Write
		if ok, _ := r.c.Next(r.now, &w); !ok {
			return writes
		}
		r.ok(&w)
		writes = append(writes, w)
	}
}

// only returns the held record, or one of several.
func (r *rig) only() *record {
	r.t.Helper()
	if len(r.c.all) == 0 {
		r.t.Fatal("nothing is held")
	}
	return r.c.all[0]
}

// check holds conservation.
func (r *rig) check() {
	r.t.Helper()
	s := r.c.Stats()
	if s.Recorded != s.Written+s.Pending+s.Lost.Total() {
		r.t.Fatalf("conservation: %+v", s)
	}
}

// stats holds the parts of the accounting that a test names.
func (r *rig) stats(want books) {
	r.t.Helper()
	s := r.c.Stats()
	got := books{
		written: s.Written, pending: s.Pending, rejected: s.Lost.Rejected, evicted: s.Lost.Evicted, refused: s.Lost.Refused,
		unacknowledged: s.Lost.Unacknowledged, shutdown: s.Lost.Shutdown,
	}
	if got != want {
		r.t.Fatalf("accounts: %+v\nwant:     %+v", got, want)
	}
}

type books struct{ written, pending, rejected, evicted, refused, unacknowledged, shutdown uint64 }

// testDefinition has one param, which is its message.
func testDefinition(reason, eventType string) *eventrt.Definition {
	return &eventrt.Definition{
		Name: reason, Reason: reason, Action: "Act", Type: eventType,
		Params:  []eventrt.Param{{Name: "text"}},
		Message: []eventrt.Segment{{Value: eventrt.ParamValue}},
	}
}

var (
	normal  = testDefinition("Started", eventrt.Normal)
	warning = testDefinition("Failed", eventrt.Warning)
)

func objectNamed(name, uid string) eventrt.ObjectRef {
	return refer(corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job", Namespace: "prod", Name: name, UID: types.UID(uid)})
}

// about makes an event about an object of a name.
func about(object string, def *eventrt.Definition, text string) eventrt.Event {
	return eventrt.NewEvent(def, objectNamed(object, "uid-of-"+object), eventrt.ObjectRef{}, eventrt.String(text))
}

// distinct makes n events of one {object, reason, type} with messages of their own, beginning with
// number from.
func distinct(object string, def *eventrt.Definition, from, n int) (events []eventrt.Event) {
	for i := range n {
		events = append(events, about(object, def, "message "+strconv.Itoa(from+i)))
	}
	return events
}

func (r *rig) notes(writes []sink.Write) (notes []string) {
	for i := range writes {
		notes = append(notes, string(writes[i].Note))
	}
	return notes
}

// summary shows the parts of a write that most tests compare.
func summary(w *sink.Write) string {
	op := map[sink.Operation]string{sink.Create: "create", sink.Update: "update", sink.Read: "read"}[w.Operation]
	return fmt.Sprintf("%s %s count %d version %d mark %d", op, w.Regarding.Name, w.Count, w.ResourceVersion, w.Mark)
}

func refer(o corev1.ObjectReference) eventrt.ObjectRef { return eventrt.ReferenceOf(&o) }

func clusterScoped() corev1.ObjectReference {
	return corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Name: "node", UID: "uid-of-node", ResourceVersion: "7"}
}

// newCorrelator returns a correlator. Its options must be usable. oneOf is the writer of a test
// that names one.
func oneOf(writer []writerOptions) (w writerOptions) {
	for _, w = range writer {
	}
	return w
}

func newCorrelator(o Options, writer ...writerOptions) *Correlator {
	c, err := New(o, oneOf(writer))
	if err != nil {
		panic(err)
	}
	return c
}

// order writes everything due, one write after the other, and returns the objects of the writes.
func (r *rig) order() (names []string) {
	r.t.Helper()
	for _, w := range r.writeAll() {
		names = append(names, w.Regarding.Name)
	}
	return names
}
