package sinktest

import (
	"bytes"
	"context"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
)

// testContract holds the sink to what sink.Sink demands of every sink.
func testContract(t *testing.T, newHarness func(t *testing.T) Harness) {
	t.Run("a write is lent", func(t *testing.T) { testLent(t, newHarness(t)) })
	t.Run("an ended context", func(t *testing.T) { testEndedContext(t, newHarness(t)) })
	t.Run("concurrent writes", func(t *testing.T) { testConcurrent(t, newHarness(t)) })
	t.Run("errors hold no text of the event", func(t *testing.T) { testRedacted(t, newHarness(t)) })
	t.Run("reads", func(t *testing.T) { testReads(t, newHarness(t)) })
	t.Run("the API itself", func(t *testing.T) {
		h := newHarness(t)
		if h.CreateCore == nil || h.CreateEvents == nil {
			return // as Harness says
		}
		t.Run("an event of the other form", func(t *testing.T) { testOtherForm(t, h) })
		t.Run("random events", func(t *testing.T) { testRandom(t, h) })
	})
}

// testLent overwrites the buffers of a write after it was done.
func testLent(t *testing.T, h Harness) {
	st := &state{h: &h, write: newWrite(&h)}
	aggregate("note", "value")(&st.write)
	labels("v")(&st.write)
	w := cloneWrite(&st.write)
	if a := h.Sink.Write(t.Context(), &w); a.Outcome != sink.Done {
		t.Fatalf("answer %+v", a)
	}
	if diff := cmp.Diff(st.write, w); diff != "" {
		t.Errorf("the sink changed the write:\n%s", diff)
	}
	copy(w.Note, bytes.Repeat([]byte("!"), len(w.Note)))
	w.Annotations[0] = eventrt.Annotation{Key: "overwritten", Value: "!"}
	w.Labels[0] = eventrt.Annotation{Key: "overwritten", Value: "!"}
	checkStored(t, "after the buffers were used again", &h, w.Namespace, w.Name, expect(h.form(), nil, &st.write))
}

func testEndedContext(t *testing.T, h Harness) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := newWrite(&h)
	checkAnswer(t, "write", sink.Retry, false, h.Sink.Write(ctx, &w))
	checkStored(t, "write", &h, w.Namespace, w.Name, nil)
}

// testConcurrent writes distinct events at once, each twice.
func testConcurrent(t *testing.T, h Harness) {
	const writers = 16
	var all [writers]struct {
		w       sink.Write
		answers [2]sink.Answer
	}
	var wg sync.WaitGroup
	for i := range all {
		all[i].w = newWrite(&h)
		wg.Go(func() {
			w := &all[i].w
			all[i].answers[0] = h.Sink.Write(t.Context(), w)
			w.Operation, w.Count, w.ResourceVersion = sink.Update, 2, all[i].answers[0].ResourceVersion
			w.Mark = all[i].answers[0].Mark
			all[i].answers[1] = h.Sink.Write(t.Context(), w)
		})
	}
	wg.Wait()
	versions := map[uint64]bool{}
	for i := range all {
		for _, a := range all[i].answers {
			checkAnswer(t, "write", sink.Done, false, a)
			versions[a.ResourceVersion] = true
		}
		created := all[i].w
		created.Operation, created.Count = sink.Create, 1
		checkStored(t, "write", &h, created.Namespace, created.Name, expect(h.form(), expect(h.form(), nil, &created), &all[i].w))
	}
	if len(versions) != 2*writers {
		t.Errorf("%d distinct resource versions, want %d", len(versions), 2*writers)
	}
}

// testOtherForm updates an event that was made through the other API group. An update that is done
// is stored: a sink that writes through events.k8s.io can't change an event of the core group's
// form, since the server drops its fields, and answers 200.
func testOtherForm(t *testing.T, h Harness) {
	made, through := timedEvent(&h), form.EventsV1
	if !h.CoreV1 {
		made, through = legacyEvent(&h), form.CoreV1
	}
	if err := createRaw(t.Context(), &h, made, through, func(*corev1.Event) {}); err != nil {
		t.Fatal(err)
	}
	w := newWrite(&h)
	w.Namespace, w.Name, w.Operation = made.Namespace, made.Name, sink.Read
	a := h.Sink.Write(t.Context(), &w)
	if a.Outcome == sink.Done {
		w.Operation, w.ResourceVersion, w.Mark = sink.Update, a.ResourceVersion, a.Mark
		raise(7)(&w)
		a = h.Sink.Write(t.Context(), &w)
	}
	if a.Outcome != sink.Done && (a.Outcome != sink.Refused || !a.Invalid || h.CoreV1) {
		t.Fatalf("answer %+v", a)
	}
	e, err := h.Get(t.Context(), made.Namespace, made.Name)
	if err != nil {
		t.Fatal(err)
	}
	if stored := e.DeprecatedCount == 7 || e.Series != nil && e.Series.Count == 7; stored != (a.Outcome == sink.Done) {
		t.Errorf("answered %v, and stored %+v", a.Outcome, e)
	}
}

// testReads reads what is stored, and nothing. That changes no event.
func testReads(t *testing.T, h Harness) {
	w := newWrite(&h)
	w.Operation = sink.Read
	checkAnswer(t, "read of nothing", sink.Gone, false, h.Sink.Write(t.Context(), &w))
	for _, count := range []int32{1, 7} {
		w := newWrite(&h)
		w.Count, w.Annotations = count, []eventrt.Annotation{{Key: sink.WriterAnnotation + "a", Value: "1"}}
		created := h.Sink.Write(t.Context(), &w)
		checkAnswer(t, "create", sink.Done, false, created)
		want := expect(h.form(), nil, &w)
		w.Operation, w.Mark = sink.Read, created.Mark
		a := h.Sink.Write(t.Context(), &w)
		checkAnswer(t, "read", sink.Done, false, a)
		if a.ResourceVersion != created.ResourceVersion || a.Stored == nil || a.Stored.UID == "" {
			t.Fatalf("answer %+v, created as %+v", a, created)
		}
		got := form.ToEvents(a.Stored)
		if diff := cmp.Diff(want, asStored(&got), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("the event that was read differs (- expected, + read):\n%s", diff)
		}
		checkStored(t, "read", &h, w.Namespace, w.Name, want)
	}
}

// testRedacted has the server quote the event: an answer's error goes to logs, which may be read by
// others.
func testRedacted(t *testing.T, h Harness) {
	const secret = "hunter2 is not a label"
	w := newWrite(&h)
	w.Note = []byte(secret)
	w.ReportingController = secret
	w.Regarding.Namespace = ""
	w.Annotations = []eventrt.Annotation{{Key: secret, Value: secret}}
	a := h.Sink.Write(t.Context(), &w)
	checkAnswer(t, "write", sink.Refused, false, a)
	if a.Err != nil && bytes.Contains([]byte(a.Err.Error()), []byte("hunter2")) {
		t.Errorf("the error holds text of the event: %v", a.Err)
	}
}

// MissingNamespace is a namespace that the kit writes to and that must not exist. Stores that know
// no namespaces but those they were told of need nothing for that; in a
// memory.Sink its phase is empty.
const MissingNamespace = "sinktest-missing"

// Harness is a sink under test, and what the kit needs to know of the store behind it. Functions
// are called from one goroutine at a time.
type Harness struct {
	Sink sink.Sink
	// CoreV1 is true if the sink writes in the form of the core group, else it writes in that of
	// events.k8s.io/v1.
	CoreV1 bool
	// Namespace exists and takes events, as do "default" and "kube-system". The kit gives its
	// events names of their own, and removes nothing.
	Namespace string
	// Get reads a stored event; nil if there is none of that name.
	Get func(ctx context.Context, namespace, name string) (*eventsv1.Event, error)

	// CreateNamespace and Terminate make a namespace, and put it into the state of one that is
	// being deleted. Cases that need them are left out if they are nil.
	CreateNamespace func(ctx context.Context, name string) error
	Terminate       func(ctx context.Context, name string) error

	// CreateCore and CreateEvents create an event as it is through either group, and return the
	// API's error. They are for stores whose validation is to be compared beyond what a Write can
	// say; cases that need them are left out if they are nil.
	CreateCore   func(ctx context.Context, e *corev1.Event) error
	CreateEvents func(ctx context.Context, e *eventsv1.Event) error
	// Patch applies a JSON merge patch to a stored event through the core group or
	// through events.k8s.io, and returns
	// the API's error. As above, it may be nil.
	Patch func(ctx context.Context, coreV1 bool, namespace, name string, patch []byte) error
}

func (h *Harness) form() form.Form { return form.Named(h.CoreV1) }

// Run holds a sink against the whole table, a subtest for each case. newHarness is called for each
// of them, and may return the same harness every time.
func Run(t *testing.T, newHarness func(t *testing.T) Harness) {
	t.Run("writes", func(t *testing.T) { runScenarios(t, newHarness, writeScenarios()) })
	t.Run("updates", func(t *testing.T) { runScenarios(t, newHarness, updateScenarios()) })
	t.Run("namespaces", func(t *testing.T) { runScenarios(t, newHarness, namespaceScenarios()) })
	t.Run("termination", func(t *testing.T) { testTermination(t, newHarness(t)) })
	t.Run("contract", func(t *testing.T) { testContract(t, newHarness) })
	t.Run("validation", func(t *testing.T) { testValidation(t, newHarness) })
	t.Run("patches", func(t *testing.T) { testPatches(t, newHarness) })
}
