package ctrlevents

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/sink"
)

// annotatedRecorder has the method that recorders of controller-runtime v0.25 have, and ours with
// every version.
type annotatedRecorder interface {
	AnnotatedEventf(regarding, related runtime.Object, annotations map[string]string, eventtype, reason, action, note string, args ...any)
}

// TestEachRecorderHasItsGroup: typed events and those of GetEventRecorder share a broadcaster,
// those of GetEventRecorderFor go to the core group, with the source that client-go gives them.
func TestEachRecorderHasItsGroup(t *testing.T) {
	m, auto, core := newManager(t, quiet(), Options{})
	add(t, m, func(context.Context) {
		m.Events().WithReportingController("example.com/typed").Forward(pod("web"), corev1.EventTypeNormal, "Scaled", "Scale", "to 5")
		m.GetEventRecorder("example.com/raw").Eventf(pod("web"), nil, corev1.EventTypeWarning, "Failed", "Scale", "no quota for %d", 5)
		annotated := any(m.GetEventRecorder("example.com/raw")).(annotatedRecorder)
		annotated.AnnotatedEventf(pod("web"), nil, map[string]string{"example.com/revision": "7"}, corev1.EventTypeNormal, "Noted", "Note", "100%% sure")
		m.GetEventRecorderFor("not a qualified name").Event(pod("web"), corev1.EventTypeNormal, "Old", "100% of the image")
	})
	if err := run(t, m); err != nil {
		t.Fatal(err)
	}
	line := func(w sink.Write) string {
		return fmt.Sprintf("%s %s/%s %s %q %q %v", w.Type, w.Reason, w.Action, w.Note, w.ReportingController, w.ReportingInstance, w.Annotations)
	}
	var got []string
	for _, w := range auto.all() {
		got = append(got, line(w))
	}
	for i, want := range []string{`Normal Scaled/Scale to 5 "example.com/typed" "example.com/typed-`, `Warning Failed/Scale no quota for 5 "example.com/raw" "example.com/raw-`, `Normal Noted/Note 100% sure "example.com/raw" "example.com/raw-`} {
		if i >= len(got) || !strings.HasPrefix(got[i], want) {
			t.Errorf("stored %q, want %s…", got, want)
		}
	}
	if len(got) == 3 && !strings.HasSuffix(got[2], "[{example.com/revision 7}]") {
		t.Errorf("stored %s", got[2])
	}
	if w := core.all(); len(w) != 1 || line(w[0]) != `Normal Old/ 100% of the image "not a qualified name" "" []` {
		t.Errorf("stored in the core group: %+v", w)
	}
	if s := m.Stats(); s.Recorded != 4 || s.Written != 4 {
		t.Errorf("account %+v", s)
	}
}

// TestStartDrains stops a manager in a burst: Start returns once all is written, what is recorded
// after cancellation too.
func TestStartDrains(t *testing.T) {
	block := make(chan struct{})
	auto := &written{block: block}
	m, _, core := newManager(t, quiet(), Options{Broadcaster: broadcaster.Options{Sink: auto}})
	add(t, m, func(ctx context.Context) {
		for n := range 500 {
			m.GetEventRecorder("example.com/raw").Eventf(pod(fmt.Sprint("web-", n)), nil, corev1.EventTypeNormal, "Burst", "Burst", "number %d", n)
		}
		<-ctx.Done()
		for n := range 500 {
			m.Events().Forward(pod(fmt.Sprint("late-", n)), corev1.EventTypeNormal, "Late", "", "recorded after cancellation")
		}
		m.GetEventRecorderFor("old").Event(pod("old"), corev1.EventTypeNormal, "Late", "recorded after cancellation")
		close(block)
	})
	if err := run(t, m); err != nil {
		t.Fatal(err)
	}
	s := m.Stats()
	if s.Written != 1001 || s.Pending != 0 || len(auto.all()) != 1000 || len(core.all()) != 1 {
		t.Errorf("account %+v, %d and %d writes", s, len(auto.all()), len(core.all()))
	}
	checkConservation(t, s)
	m.Events().Forward(pod("web"), corev1.EventTypeNormal, "TooLate", "", "after Start")
	if after := m.Stats(); after.Lost.Rejected != 1 {
		t.Errorf("after the end: %+v", after)
	}
}

// TestShutdownTimeout: what can't be written in time is an error, beside the manager's own.
func TestShutdownTimeout(t *testing.T) {
	m, _, _ := newManager(t, quiet(), Options{
		ShutdownTimeout: 50 * time.Millisecond, Broadcaster: broadcaster.Options{Sink: &written{block: make(chan struct{})}},
	})
	mine := errors.New("mine")
	err := m.Add(manager.RunnableFunc(func(context.Context) error {
		m.Events().Forward(pod("web"), corev1.EventTypeNormal, "Stays", "", "unwritten")
		return mine
	}))
	if err != nil {
		t.Fatal(err)
	}
	err = m.Start(t.Context())
	var left *broadcaster.ShutdownError
	if !errors.Is(err, mine) || !errors.As(err, &left) || left.Left.Total() != 1 {
		t.Errorf("Start returned %v", err)
	}
	checkConservation(t, m.Stats())
}

// TestNothingRunsBeforeAnEvent: managers that are made and never started leave no goroutine, as
// TestMain sees.
func TestNothingRunsBeforeAnEvent(t *testing.T) {
	options := quiet()
	options.LeaderElection, options.LeaderElectionID, options.LeaderElectionNamespace = true, "lock", "shop"
	m, _, _ := newManager(t, options, Options{})
	_ = m.GetEventRecorder("example.com/raw")
	_ = m.GetEventRecorderFor("old")
	_ = m.Events().WithReportingController("example.com/typed")
	if m.events.auto.running.Load() != nil || m.events.core.running.Load() != nil {
		t.Error("a broadcaster runs though nothing was recorded")
	}
	if s := m.Stats(); s != (eventrt.Stats{}) {
		t.Errorf("account %+v", s)
	}
}

// TestEndWithoutEvents: recording after the end of a manager that never recorded starts nothing.
func TestEndWithoutEvents(t *testing.T) {
	m, auto, _ := newManager(t, quiet(), Options{})
	if err := run(t, m); err != nil {
		t.Fatal(err)
	}
	m.Events().Forward(pod("web"), corev1.EventTypeNormal, "TooLate", "", "after Start")
	if s := m.Stats(); s.Recorded != 1 || s.Lost.Rejected != 1 || len(auto.all()) != 0 || m.Broadcaster() != nil {
		t.Errorf("account %+v", s)
	}
}

func TestSecondStart(t *testing.T) {
	m, auto, _ := newManager(t, quiet(), Options{})
	add(t, m, func(ctx context.Context) {
		if err := m.Start(ctx); err == nil || !strings.Contains(err.Error(), "already started") {
			t.Errorf("second Start: %v", err)
		}
		m.Events().Forward(pod("web"), corev1.EventTypeNormal, "StillHere", "", "x")
	})
	if err := run(t, m); err != nil {
		t.Fatal(err)
	}
	if len(auto.all()) != 1 {
		t.Error("the second Start has ended recording")
	}
}

// TestRejectedAreAccounted: what can't be recorded is logged as client-go's recorders do, and
// counted.
func TestRejectedAreAccounted(t *testing.T) {
	var logged lines
	options := quiet()
	options.Logger = logged.logger(0)
	m, auto, _ := newManager(t, options, Options{})
	m.GetEventRecorder("example.com/raw").Eventf(nil, nil, corev1.EventTypeNormal, "Nil", "", "x")
	m.GetEventRecorder("example.com/raw").Eventf(pod("web"), nil, "Bad", "BadType", "", "x")
	m.GetEventRecorderFor("old").Event(pod("web"), "Bad", "BadType", "x")
	if err := run(t, m); err != nil {
		t.Fatal(err)
	}
	if s := m.Stats(); s.Recorded != 3 || s.Lost.Rejected != 3 || len(auto.all()) != 0 {
		t.Errorf("account %+v", s)
	}
	all := strings.Join(logged.all, "\n")
	for _, want := range []string{"Could not construct reference, will not report event", "Unsupported event type", "the event type is neither Normal nor Warning"} {
		if !strings.Contains(all, want) {
			t.Errorf("not logged: %s", want)
		}
	}
}

func TestTraceID(t *testing.T) {
	m, auto, _ := newManager(t, quiet(), Options{})
	id := trace.TraceID{1, 2, 3}
	ctx := trace.ContextWithSpanContext(t.Context(), trace.NewSpanContext(trace.SpanContextConfig{TraceID: id, SpanID: trace.SpanID{4}}))
	m.Events().WithContext(ctx).Forward(pod("web"), corev1.EventTypeNormal, "Traced", "", "x")
	m.Events().WithContext(t.Context()).Forward(pod("web"), corev1.EventTypeNormal, "Untraced", "", "x")
	if err := run(t, m); err != nil {
		t.Fatal(err)
	}
	want := []eventrt.Annotation{{Key: "event-gen.github.io/trace-id", Value: id.String()}}
	for _, w := range auto.all() {
		if w.Reason == "Traced" && !slices.Equal(w.Annotations, want) || w.Reason == "Untraced" && len(w.Annotations) > 0 {
			t.Errorf("%s has the annotations %v", w.Reason, w.Annotations)
		}
	}
}

// TestEventsAreLogged: at V(1), as controller-runtime logs them, and not below.
func TestEventsAreLogged(t *testing.T) {
	for verbosity, want := range []int{0, 2} {
		var logged lines
		options := quiet()
		options.Logger = logged.logger(verbosity)
		m, _, _ := newManager(t, options, Options{})
		m.GetEventRecorder("example.com/raw").Eventf(pod("web"), nil, corev1.EventTypeNormal, "Logged", "", "note-of-it")
		m.GetEventRecorderFor("old").Event(pod("web"), corev1.EventTypeNormal, "Logged", "note-of-it")
		if err := run(t, m); err != nil {
			t.Fatal(err)
		}
		got := 0
		for _, line := range logged.all {
			if strings.Contains(line, `"msg"="note-of-it"`) && strings.Contains(line, `"reason"="Logged"`) {
				got++
			}
		}
		if got != want {
			t.Errorf("verbosity %d: %d lines of the events, want %d", verbosity, got, want)
		}
	}
}

func TestBadOptions(t *testing.T) {
	for want, make := range map[string]func() (*Manager, error){
		"expected a rest.Config, found nil":     func() (*Manager, error) { return NewManager(nil, quiet(), Options{}) },
		"option ShutdownTimeout: expected more": func() (*Manager, error) { return NewManager(nowhere, quiet(), Options{ShutdownTimeout: -1}) },
		"expected at most one Options, found 2": func() (*Manager, error) { return NewManager(nowhere, quiet(), Options{}, Options{}) },
		"option MaxEvents: expected zero": func() (*Manager, error) {
			return NewManager(nowhere, quiet(), Options{Broadcaster: broadcaster.Options{Correlator: correlator.Options{MaxEvents: -1}}})
		},
		"expected a manager, found nil": func() (*Manager, error) { return Wrap(nil, Options{}) },
		"LeaderElectionID must be configured": func() (*Manager, error) {
			o := quiet()
			o.LeaderElection = true
			return NewManager(nowhere, o, Options{})
		},
		"the manager has these events already": func() (*Manager, error) { m, _, _ := newManager(t, quiet(), Options{}); return Wrap(m, Options{}) },
	} {
		if m, err := make(); err == nil || m != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("expected an error that says %q, got %v", want, err)
		}
	}
}

// TestWrap: a manager that is there records through the wrapper.
func TestWrap(t *testing.T) {
	inner, err := manager.New(nowhere, quiet())
	if err != nil {
		t.Fatal(err)
	}
	auto := &written{}
	m, err := Wrap(inner, Options{Broadcaster: broadcaster.Options{Sink: auto}})
	if err != nil {
		t.Fatal(err)
	}
	add(t, m, func(context.Context) {
		m.GetEventRecorder("example.com/raw").Eventf(pod("web"), nil, corev1.EventTypeNormal, "Wrapped", "", "x")
	})
	if err := run(t, m); err != nil {
		t.Fatal(err)
	}
	if got := auto.counts()["Wrapped: x"]; got != 1 {
		t.Errorf("stored %v", auto.counts())
	}
}
