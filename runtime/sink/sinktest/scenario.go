package sinktest

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
)

// scenario is a sequence of writes of one event.
type scenario struct {
	name  string
	steps []step
}

// step is one write: the one before, changed, and the outcome it has in each form.
type step struct {
	change func(w *sink.Write)
	core   sink.Outcome
	events sink.Outcome
	// conflict: the answer says that the precondition failed.
	conflict bool
}

// state holds what a scenario knows after a step.
type state struct {
	h      *Harness
	write  sink.Write
	stored *eventsv1.Event // what should be stored; nil: nothing
	// version is the resource version of the last write that was done.
	version uint64
}

// create is a scenario of one write that has the same outcome in both forms.
func create(name string, want sink.Outcome, change func(w *sink.Write)) scenario {
	return creates(name, want, want, change)
}

// creates is a scenario of one write whose outcome depends on the form.
func creates(name string, core, events sink.Outcome, change func(w *sink.Write)) scenario {
	return scenario{name: name, steps: []step{{change: change, core: core, events: events}}}
}

// first creates the event that the steps after it update.
func first(change func(w *sink.Write)) step {
	return step{change: change, core: sink.Done, events: sink.Done}
}

// then is an update that has the same outcome in both forms.
func then(want sink.Outcome, change func(w *sink.Write)) step {
	return step{change: change, core: want, events: want}
}

func unchanged(*sink.Write) {}

func runScenarios(t *testing.T, newHarness func(t *testing.T) Harness, scenarios []scenario) {
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			h := newHarness(t)
			st := &state{h: &h, write: newWrite(&h)}
			for i, step := range s.steps {
				st.run(t, fmt.Sprintf("write %d", i+1), step)
			}
		})
	}
}

// run does one write, and checks answer and store. The next one is an update with the precondition
// that the answer gave.
func (st *state) run(t *testing.T, what string, s step) {
	t.Helper()
	w := cloneWrite(&st.write)
	s.change(&w)
	want := s.events
	if st.h.form() == form.CoreV1 {
		want = s.core
	}
	a := st.h.Sink.Write(t.Context(), &w)
	checkAnswer(t, what, want, s.conflict, a)
	if a.Outcome == sink.Done {
		st.done(t, what, expect(st.h.form(), st.stored, &w), a.ResourceVersion)
		w.ResourceVersion = a.ResourceVersion
	}
	w.Operation, w.Mark = sink.Update, a.Mark
	st.write = w
	checkStored(t, what, st.h, w.Namespace, w.Name, st.stored)
}

// done notes the stored event. A write that changed nothing keeps its resource version.
func (st *state) done(t *testing.T, what string, now *eventsv1.Event, version uint64) {
	t.Helper()
	if isSame := cmp.Equal(st.stored, now); isSame != (version == st.version) || version < st.version {
		t.Errorf("%s: resource version %d after %d; the event is the same: %v", what, version, st.version, isSame)
	}
	st.stored, st.version = now, version
}

func checkAnswer(t *testing.T, what string, want sink.Outcome, conflict bool, a sink.Answer) {
	t.Helper()
	if a.Outcome != want || a.Conflict != conflict {
		t.Errorf("%s: outcome %v (conflict %v), want %v (%v); error: %v", what, a.Outcome, a.Conflict, want, conflict, a.Err)
	}
	if (a.Err == nil) != (a.Outcome == sink.Done) {
		t.Errorf("%s: outcome %v with error %v", what, a.Outcome, a.Err)
	}
	if a.MaybeStored {
		t.Errorf("%s: the answer leaves open whether the write is stored: %+v", what, a)
	}
	if a.Outcome == sink.Done && a.ResourceVersion == 0 {
		t.Errorf("%s: no resource version in %+v", what, a)
	}
}

var names atomic.Int64

// newName is a name that no other case uses, also when the kit runs again on the same store.
func newName() string {
	return fmt.Sprintf("sinktest.%x.%d", time.Now().UnixNano(), names.Add(1))
}

// moment has more digits than any form keeps.
var moment = time.Date(2026, 3, 4, 5, 6, 7, 891234567, time.UTC)

// newWrite is a valid write in both forms.
func newWrite(h *Harness) sink.Write {
	return sink.Write{
		Operation:           sink.Create,
		Namespace:           h.Namespace,
		Name:                newName(),
		Type:                eventrt.Normal,
		Reason:              "Started",
		Action:              "Start",
		ReportingController: "example.com/controller",
		ReportingInstance:   "controller-0",
		Note:                []byte("Started container app"),
		Regarding: corev1.ObjectReference{
			APIVersion: "v1", Kind: "Pod", Namespace: h.Namespace, Name: "pod", UID: "9c4ed2ac-6a18-4d4c-8ed0-8b4a8ce6b3a5",
			ResourceVersion: "17", FieldPath: "spec.containers{app}",
		},
		Count: 1,
		First: moment,
		Last:  moment,
	}
}
