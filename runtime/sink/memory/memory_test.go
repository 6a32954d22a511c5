package memory_test

import (
	"context"
	"errors"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

// clock stands still until it is moved.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func (c *clock) advance(d time.Duration) { c.at = c.at.Add(d) }

func newWrite(name string) *sink.Write {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	return &sink.Write{
		Operation: sink.Create, Namespace: "shop", Name: name,
		Type: eventrt.Normal, Reason: "Started", Action: "Start", Note: []byte("note"),
		ReportingController: "example.com/controller", ReportingInstance: "controller-0",
		Regarding: corev1.ObjectReference{Namespace: "shop", Name: "web"},
		Count:     1, First: now, Last: now,
	}
}

func write(t *testing.T, m *memory.Sink, w *sink.Write, want sink.Outcome) {
	t.Helper()
	if a := m.Write(t.Context(), w); a.Outcome != want {
		t.Fatalf("%s: answer %+v, want %v", w.Name, a, want)
	}
}

func listed(m *memory.Sink) (names []string) {
	for _, e := range m.List() {
		names = append(names, e.Name)
	}
	return names
}

func TestListIsInOrderOfCreation(t *testing.T) {
	m := memory.New()
	for _, name := range []string{"c", "a", "b"} {
		write(t, m, newWrite(name), sink.Done)
	}
	update := newWrite("c")
	update.Operation, update.Count = sink.Update, 2
	write(t, m, update, sink.Done)
	if got := listed(m); len(got) != 3 || got[0] != "c" || got[1] != "a" || got[2] != "b" {
		t.Errorf("listed %v", got)
	}
}

func TestListReturnsCopies(t *testing.T) {
	m := memory.New()
	w := newWrite("a")
	w.Count, w.Annotations = 2, []eventrt.Annotation{{Key: "k", Value: "v"}}
	write(t, m, w, sink.Done)
	e := m.List()[0]
	e.Annotations["k"], e.Series.Count, e.Note = "changed", 9, "changed"
	if again := m.List()[0]; again.Annotations["k"] != "v" || again.Series.Count != 2 || again.Note != "note" {
		t.Errorf("the stored event was changed: %+v", again)
	}
}

func TestServerSetsMetadata(t *testing.T) {
	c := &clock{time.Date(2026, 3, 4, 5, 6, 7, 89, time.UTC)}
	m := memory.New(memory.Options{Now: c.now})
	write(t, m, newWrite("a"), sink.Done)
	e := m.List()[0]
	if e.UID == "" || e.ResourceVersion != "1" || !e.CreationTimestamp.Time.Equal(c.at.Truncate(time.Second)) {
		t.Errorf("metadata %+v", e.ObjectMeta)
	}
}

// TestTTL counts from the last change; an update that changes nothing is none.
func TestTTL(t *testing.T) {
	c := &clock{}
	m := memory.New(memory.Options{TTL: time.Hour, Now: c.now})
	write(t, m, newWrite("a"), sink.Done)
	update := newWrite("a")
	update.Operation, update.Count = sink.Update, 2
	c.advance(59 * time.Minute)
	write(t, m, update, sink.Done)
	c.advance(59 * time.Minute)
	write(t, m, update, sink.Done)
	if got := listed(m); len(got) != 1 {
		t.Errorf("listed %v before the hour was over", got)
	}
	c.advance(time.Minute)
	if got := listed(m); len(got) != 0 {
		t.Errorf("listed %v after an hour", got)
	}
	write(t, m, update, sink.Gone)
	write(t, m, newWrite("a"), sink.Done)
}

func TestExpiredNameIsFree(t *testing.T) {
	c := &clock{}
	m := memory.New(memory.Options{TTL: time.Hour, Now: c.now})
	write(t, m, newWrite("a"), sink.Done)
	write(t, m, newWrite("a"), sink.Exists)
	c.advance(time.Hour)
	write(t, m, newWrite("a"), sink.Done)
}

func TestBeforeAnswersOrWaits(t *testing.T) {
	broken := errors.New("broken")
	down := true
	m := memory.New(memory.Options{Before: func(_ context.Context, w *sink.Write) (sink.Answer, bool) {
		return sink.Answer{Outcome: sink.Retry, MaybeStored: true, Err: broken}, down
	}})
	if a := m.Write(t.Context(), newWrite("a")); a.Outcome != sink.Retry || !errors.Is(a.Err, broken) || len(m.List()) != 0 {
		t.Errorf("answer %+v", a)
	}
	down = false
	write(t, m, newWrite("a"), sink.Done)
}

func TestErrorsAreTheAPIs(t *testing.T) {
	m := memory.New()
	w := newWrite("a")
	w.Reason = ""
	a := m.Write(t.Context(), w)
	if !apierrors.IsInvalid(a.Err) || a.Err.Error() != "the API server answered 422 Invalid: reason: Required value" {
		t.Errorf("error %v", a.Err)
	}
}

// TestDryRunStoresNothing: DryRun answers as Write would, on what is there.
func TestDryRunStoresNothing(t *testing.T) {
	m := memory.New()
	create := newWrite("web.1")
	if a := m.DryRun(t.Context(), create); a.Outcome != sink.Done || len(m.List()) != 0 {
		t.Errorf("answer %+v, stored %d", a, len(m.List()))
	}
	if a := m.Write(t.Context(), create); a.Outcome != sink.Done {
		t.Errorf("answer %+v", a)
	}
	if a := m.DryRun(t.Context(), create); a.Outcome != sink.Exists {
		t.Errorf("the name is taken: %+v", a)
	}
	update := newWrite("web.1")
	update.Operation, update.Count = sink.Update, 2
	if a := m.DryRun(t.Context(), update); a.Outcome != sink.Done || m.List()[0].Series != nil {
		t.Errorf("answer %+v, stored %+v", a, m.List()[0].Series)
	}
	update.Name = "web.2"
	if a := m.DryRun(t.Context(), update); a.Outcome != sink.Gone {
		t.Errorf("nothing of the name is there: %+v", a)
	}
	m.SetNamespace("shop", "")
	if a := m.DryRun(t.Context(), newWrite("web.3")); a.Outcome != sink.RefusedQuietly {
		t.Errorf("the namespace is gone: %+v", a)
	}
}
