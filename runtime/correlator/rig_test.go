package correlator

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime"
)

// rig drives a correlator by hand and holds its books after each call.
type rig struct {
	t   testing.TB
	c   *Correlator
	now runtime.Instant
	// decides is what a program decides about folding, if it does.
	decides func(e runtime.Event, known bool, now runtime.Instant) bool
}

// deciding makes a rig whose program decides what folds.
func deciding(t testing.TB, opts Options, decides func(runtime.Event, bool, runtime.Instant) bool) *rig {
	t.Helper()
	r := newRig(t, opts)
	r.decides = decides
	return r
}

// wake returns when Next has something to do, if nothing is due now; ok is false for never.
func (r *rig) wake() (at time.Duration, ok bool) {
	r.t.Helper()
	var w runtime.Write
	found, at := r.c.Next(r.now, &w)
	if found {
		r.t.Fatalf("due at %v: %s", r.now.Mono, describe(&w))
	}
	return at, at != Never
}

func newRig(t testing.TB, opts Options) *rig {
	t.Helper()
	if opts.ReportingController == "" {
		opts.ReportingController, opts.ReportingInstance = "example.com/rig", "rig-0"
	}
	c, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return &rig{t: t, c: c, now: runtime.Instant{Wall: time.Unix(1_700_000_000, 0)}}
}

func (r *rig) pass(d time.Duration) {
	r.now.Mono += d
	r.now.Wall = r.now.Wall.Add(d)
}

func (r *rig) observe(e runtime.Event) runtime.Problem {
	r.t.Helper()
	e.SetTime(r.now.Wall)
	problem := r.take(&e)
	r.check()
	return problem
}

func (r *rig) take(e *runtime.Event) (problem runtime.Problem) {
	if r.decides != nil {
		if known, asks := r.c.Known(e, r.now); asks {
			problem, _ = r.c.ObserveDecided(e, r.decides(*e, known, r.now), r.now)
			return problem
		}
	}
	problem, _ = r.c.Observe(e, r.now)
	return problem
}

// record observes an event that must be taken.
func (r *rig) record(events ...runtime.Event) {
	r.t.Helper()
	for _, e := range events {
		if problem := r.observe(e); problem != runtime.NoProblem {
			r.t.Fatalf("rejected: %v", problem)
		}
	}
}

// next is the write that is due.
func (r *rig) next() *runtime.Write {
	r.t.Helper()
	var w runtime.Write
	if ok, _ := r.c.Next(r.now, &w); !ok {
		r.t.Fatalf("nothing is due at %v", r.now.Mono)
	}
	r.check()
	return &w
}

// nothingDue holds that no write is due now.
func (r *rig) nothingDue() {
	r.t.Helper()
	var w runtime.Write
	if ok, _ := r.c.Next(r.now, &w); ok {
		r.t.Fatalf("due at %v: %s", r.now.Mono, describe(&w))
	}
	r.check()
}

// nextIn holds that the next write is due in d, and takes it then.
func (r *rig) nextIn(d time.Duration) *runtime.Write {
	r.t.Helper()
	if d > 0 {
		r.pass(d - 1)
		r.nothingDue()
		r.pass(1)
	}
	return r.next()
}

func (r *rig) done(w *runtime.Write, a runtime.Answer) {
	r.t.Helper()
	r.c.Done(w, a, r.now)
	r.check()
}

func (r *rig) ok(w *runtime.Write) {
	r.t.Helper()
	r.done(w, runtime.Answer{Outcome: runtime.Done})
}

// writeAll writes everything due now, acknowledges it and returns it.
func (r *rig) writeAll() (writes []runtime.Write) {
	r.t.Helper()
	for {
		var w runtime.Write
		if ok, _ := r.c.Next(r.now, &w); !ok {
			return writes
		}
		r.ok(&w)
		writes = append(writes, w)
	}
}

// only is the record that is held, or one of them.
func (r *rig) only() *record {
	r.t.Helper()
	if len(r.c.all) == 0 {
		r.t.Fatal("nothing is held")
	}
	return r.c.all[0]
}

// check holds conservation, and the structure where that is quick.
func (r *rig) check() {
	r.t.Helper()
	s := r.c.Stats()
	if s.Recorded != s.Written+s.Pending+s.Lost.Total() {
		r.t.Fatalf("conservation: %+v", s)
	}
	if s.Identities > 64 {
		return
	}
	if err := checkStructure(r.c); err != nil {
		r.t.Fatal(err)
	}
}

// stats holds the parts of the accounting that a test names.
func (r *rig) stats(want books) {
	r.t.Helper()
	s := r.c.Stats()
	got := books{
		written: s.Written, pending: s.Pending, rejected: s.Lost.Rejected, shed: s.Lost.Shed, refused: s.Lost.Refused,
		unacknowledged: s.Lost.Unacknowledged, shutdown: s.Lost.Shutdown,
	}
	if got != want {
		r.t.Fatalf("accounts: %+v\nwant:     %+v", got, want)
	}
}

type books struct{ written, pending, rejected, shed, refused, unacknowledged, shutdown uint64 }

// testDefinition has one param, which is its message.
func testDefinition(reason, eventType string) *runtime.Definition {
	return &runtime.Definition{
		Name: reason, Reason: reason, Action: "Act", Type: eventType,
		Params:  []runtime.Param{{Name: "text"}},
		Message: []runtime.Segment{{Value: runtime.ParamValue}},
	}
}

var (
	normal  = testDefinition("Started", runtime.Normal)
	warning = testDefinition("Failed", runtime.Warning)
)

// about makes an event about an object of a name.
func about(object string, def *runtime.Definition, text string) runtime.Event {
	return runtime.NewEvent(def, objectNamed(object, "uid-of-"+object), runtime.ObjectRef{}, runtime.String(text))
}

// distinct makes n events of one {object, reason, type} with messages of their own, beginning with
// number from.
func distinct(object string, def *runtime.Definition, from, n int) (events []runtime.Event) {
	for i := range n {
		events = append(events, about(object, def, "message "+strconv.Itoa(from+i)))
	}
	return events
}

func (r *rig) notes(writes []runtime.Write) (notes []string) {
	for i := range writes {
		notes = append(notes, string(writes[i].Note))
	}
	return notes
}

// summary says of a write what most tests look at.
func summary(w *runtime.Write) string {
	op := map[runtime.Operation]string{runtime.Create: "create", runtime.Update: "update", runtime.Read: "read"}[w.Operation]
	return fmt.Sprintf("%s %s count %d version %d mark %d", op, w.Regarding.Name, w.Count, w.ResourceVersion, w.Mark)
}

func refer(o corev1.ObjectReference) runtime.ObjectRef { return runtime.ReferenceOf(&o) }

func clusterScoped() corev1.ObjectReference {
	return corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Name: "node", UID: "uid-of-node", ResourceVersion: "7"}
}

// newCorrelator returns one of whose options it is known that they can be used.
func newCorrelator(o Options) *Correlator {
	c, err := New(o)
	if err != nil {
		panic(err)
	}
	return c
}
