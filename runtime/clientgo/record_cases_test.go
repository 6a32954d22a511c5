package clientgo_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	restclient "k8s.io/client-go/rest"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/clientgo"
)

// The tests of this file restate the cases of client-go's tools/record/event_test.go; see
// accounted_test.go.

func TestBroadcasterEndsWithItsContext(t *testing.T) {
	bubble(t, "cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var log lines
		b := clientgo.NewBroadcaster(clientgo.WithContext(log.context(ctx)))
		b.StartStructuredLogging(0)
		cancel()
		synctest.Wait()
		b.NewRecorder(scheme.Scheme, testSource).Event(&pod, corev1.EventTypeNormal, "Late", "too late")
		if s := conserved(t, b.Stats()); s.Lost.Rejected != 1 || !strings.Contains(log.all(), "already stopped") {
			t.Errorf("an event after the end: %+v, said: %s", s, log.all())
		}
	})
}

// TestEventf: what is stored of events, TestCoreEventsAreThoseOfClientGo compares.
func TestEventf(t *testing.T) {
	bubble(t, "logs", func(t *testing.T) {
		r := newCoreRig(t)
		var logged []string
		w := r.StartLogging(func(format string, args ...any) { logged = append(logged, fmt.Sprintf(format, args...)) })
		structured := r.StartStructuredLogging(0)
		r.recorder.Eventf(podWith("spec.containers[2]"), corev1.EventTypeNormal, "Started", "some verbose message: %v", 1)
		synctest.Wait()
		w.Stop()
		structured.Stop()
		r.event("Killed", "unheard")
		synctest.Wait()
		const want = `Event(v1.ObjectReference{Kind:"Pod", Namespace:"baz", Name:"foo", UID:"bar", APIVersion:"v1", ResourceVersion:"", FieldPath:"spec.containers[2]"}): ` +
			`type: 'Normal' reason: 'Started' some verbose message: 1`
		if diff := cmp.Diff([]string{want}, logged); diff != "" {
			t.Errorf("logged:\n%s", diff)
		}
		const lines = `"level"=0 "msg"="Event occurred" "object"={"name"="foo" "namespace"="baz"} "fieldPath"="spec.containers[2]" "kind"="Pod" "apiVersion"="v1" ` +
			`"type"="Normal" "reason"="Started" "message"="some verbose message: 1"`
		if diff := cmp.Diff(lines, r.log.all()); diff != "" {
			t.Errorf("structured logging:\n%s", diff)
		}
	})
	bubble(t, "another sink begins anew", func(t *testing.T) {
		b := clientgo.NewBroadcaster()
		defer b.Shutdown()
		recorder := b.NewRecorder(scheme.Scheme, testSource)
		for range 2 {
			var sink coreStore
			recording := b.StartRecordingToSink(&sink)
			for range 2 {
				recorder.Event(&pod, corev1.EventTypeNormal, "Started", "x")
				later(time.Minute)
			}
			recording.Stop()
			if calls, list := sink.log(), sink.list(); len(calls) != 2 || len(list) != 1 || list[0].Count != 2 {
				t.Errorf("%+v, stored: %+v", calls, list)
			}
		}
	})
}

func status(code int32, reason metav1.StatusReason) *apierrors.StatusError {
	return &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: code, Reason: reason}}
}

func terminating() error {
	err := apierrors.NewForbidden(corev1.Resource("events"), "foo.1", errors.New("terminating"))
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
	return err
}

func TestWriteErrors(t *testing.T) {
	const (
		often       = 20 // more than the 12 tries of client-go
		always      = 1000
		unconfirmed = 31 // one a second for 30 s
	)
	tests := map[string]struct {
		err      error
		times    int
		attempts int
		stored   bool
		said     string
	}{
		"request that can't be made":        {&restclient.RequestConstructionError{Err: errors.New("no URL")}, often, 1, false, "Event refused"},
		"bad request":                       {status(400, metav1.StatusReasonBadRequest), often, 1, false, "Event refused"},
		"invalid":                           {status(422, metav1.StatusReasonInvalid), often, 1, false, "Event refused"},
		"forbidden by RBAC":                 {apierrors.NewForbidden(corev1.Resource("events"), "", errors.New(`User "x" cannot create resource "events" in API group ""`)), always, unconfirmed, false, `apiGroups: [""], resources: ["events"], verbs: ["create", "patch"]`},
		"terminating namespace":             {terminating(), always, unconfirmed, false, "Events are lost because their namespace is gone or terminating"},
		"too many requests":                 {status(429, metav1.StatusReasonTooManyRequests), often, often + 1, true, "Events are not taken for now"},
		"internal error":                    {status(500, metav1.StatusReasonInternalError), often, often + 1, true, "An event is not taken"},
		"unauthorized":                      {status(401, metav1.StatusReasonUnauthorized), often, often + 1, true, "Events are not taken for now"},
		"status without a code":             {&apierrors.StatusError{}, often, often + 1, true, "Events are not taken for now"},
		"unexpected object":                 {&apierrors.UnexpectedObjectError{}, often, often + 1, true, "Events are not taken for now"},
		"weird error":                       {errors.New("a weird error"), often, often + 1, true, "Events are not taken for now"},
		"weird error that goes away":        {errors.New("a weird error"), 1, 2, true, ""},
		"a name that was taken for a while": {status(409, metav1.StatusReasonAlreadyExists), 1, 3, true, ""},
	}
	for name, c := range tests {
		bubble(t, name, func(t *testing.T) {
			r := newCoreRig(t)
			failed := 0
			r.sink.before = func(string, *corev1.Event) error {
				if failed == c.times {
					return nil
				}
				failed++
				return c.err
			}
			r.event("Started", "x")
			later(time.Hour)
			if n := len(r.sink.log()); n != c.attempts {
				t.Errorf("%d attempts, want %d", n, c.attempts)
			}
			if stored := len(r.sink.list()) == 1; stored != c.stored {
				t.Errorf("stored: %v, want %v", stored, c.stored)
			}
			if got := r.log.all(); (c.said == "") != (got == "") || !strings.Contains(strings.ReplaceAll(got, `\"`, `"`), c.said) {
				t.Errorf("said %q, want %q", got, c.said)
			}
			s := conserved(t, r.Stats())
			if want := map[bool]uint64{true: 0, false: 1}[c.stored]; s.Lost.Refused != want || s.Pending != 0 {
				t.Errorf("accounts: %+v", s)
			}
		})
	}
}

// TestShutdownGivesUp: client-go tries once more after its context has ended. Here the end of the
// context leaves ten seconds, and ShutdownWithContext as long as its own.
func TestShutdownGivesUp(t *testing.T) {
	bubble(t, "at once", func(t *testing.T) {
		r := newCoreRig(t)
		r.sink.before = func(string, *corev1.Event) error { return &apierrors.UnexpectedObjectError{} }
		r.event("Started", "x")
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := r.ShutdownWithContext(ctx)
		left, ok := errors.AsType[*broadcaster.ShutdownError](err)
		if !ok || left.Left.Total() != 1 || !errors.Is(err, context.Canceled) {
			t.Errorf("error: %v", err)
		}
		if n := len(r.sink.log()); n != 1 {
			t.Errorf("%d attempts, want 1", n)
		}
		if again := r.ShutdownWithContext(t.Context()); again != err {
			t.Errorf("the second call says %v", again)
		}
		if s := conserved(t, r.Stats()); s.Pending != 0 || s.Lost.Total() != 1 {
			t.Errorf("accounts: %+v", s)
		}
	})
	bubble(t, "after ten seconds", func(t *testing.T) {
		r := newCoreRig(t)
		r.sink.before = func(string, *corev1.Event) error { return &apierrors.UnexpectedObjectError{} }
		r.event("Started", "x")
		begin := time.Now()
		r.Shutdown()
		if took := time.Since(begin); took < 10*time.Second || took > 12*time.Second {
			t.Errorf("Shutdown took %v", took)
		}
		if !strings.Contains(r.log.all(), "1 occurrences not known to be written") {
			t.Errorf("said: %s", r.log.all())
		}
	})
}
