package clientgo_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"

	"github.com/event-gen/event-gen/runtime/clientgo"
)

// The tests of this file restate the cases of client-go's tools/events; see accounted_test.go.

// eventsRig is a broadcaster that records to a store.
type eventsRig struct {
	clientgo.EventsBroadcaster
	sink     eventsStore
	recorder events.EventRecorderLogger
	log      lines
	stop     context.CancelFunc
}

const controller = "eventTest"

func newEventsRig(t *testing.T, opts ...clientgo.Option) *eventsRig {
	r := &eventsRig{}
	r.EventsBroadcaster = clientgo.NewEventsBroadcaster(&r.sink, append([]clientgo.Option{clientgo.WithContext(r.log.context(t.Context()))}, opts...)...)
	r.recorder = r.NewRecorder(scheme.Scheme, controller)
	ctx, stop := context.WithCancel(t.Context())
	r.stop = stop
	if err := r.StartRecordingToSinkWithContext(ctx); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Shutdown(); stop() })
	return r
}

// event records a note about the pod.
func (r *eventsRig) event(reason, note string) {
	r.recorder.Eventf(&pod, nil, corev1.EventTypeNormal, reason, "starting", note)
}

func TestEventsAreMadeAsClientGoMakesThem(t *testing.T) {
	tests := map[string]struct {
		regarding, related      k8sruntime.Object
		eventType, reason, note string
		args                    []any
		wantRegarding           corev1.ObjectReference
		wantRelated             *corev1.ObjectReference
		wantNamespace, wantNote string
		named                   bool // after the object
	}{
		"normal event": {
			podObject(), nil, "Normal", "Started", "Pod started", nil,
			pod, nil, "baz", "Pod started", true,
		},
		"related object and arguments": {
			podObject(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node1", UID: "67890"}},
			"Warning", "FailedScheduling", "Pod failed to schedule on %s: %s", []any{"node1", "not enough resources"},
			pod, &corev1.ObjectReference{Kind: "Node", Name: "node1", UID: "67890", APIVersion: "v1"},
			"baz", "Pod failed to schedule on node1: not enough resources", true,
		},
		"object whose name can't begin an event's": {
			&networkingv1.IPAddress{ObjectMeta: metav1.ObjectMeta{Name: "2001:db8::123", UID: "12345"}}, nil,
			"Warning", "IPAddressNotAllocated", "Service default/test appears to have leaked", nil,
			corev1.ObjectReference{Kind: "IPAddress", Name: "2001:db8::123", UID: "12345", APIVersion: "networking.k8s.io/v1"}, nil,
			"default", "Service default/test appears to have leaked", false,
		},
		"long name": {
			&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: strings.Repeat("x", 1012), Namespace: "ns1", UID: "12345"}}, nil,
			"Normal", "Started", "Pod started", nil,
			corev1.ObjectReference{Kind: "Pod", Name: strings.Repeat("x", 1012), Namespace: "ns1", UID: "12345", APIVersion: "v1"}, nil,
			"ns1", "Pod started", false,
		},
	}
	for name, c := range tests {
		bubble(t, name, func(t *testing.T) {
			r := newEventsRig(t)
			var watched *eventsv1.Event
			if _, err := r.StartEventWatcher(func(o k8sruntime.Object) { watched = o.(*eventsv1.Event) }); err != nil {
				t.Fatal(err)
			}
			r.recorder.Eventf(c.regarding, c.related, c.eventType, c.reason, "starting", c.note, c.args...)
			synctest.Wait()
			hostname, _ := os.Hostname()
			want := eventsv1.Event{
				EventTime: metav1.NowMicro(), ReportingController: controller, ReportingInstance: controller + "-" + hostname,
				Action: "starting", Reason: c.reason, Regarding: c.wantRegarding, Related: c.wantRelated, Note: c.wantNote, Type: c.eventType,
			}
			stored := r.sink.list()
			if len(stored) != 1 {
				t.Fatalf("stored: %+v", stored)
			}
			for _, got := range []*eventsv1.Event{watched, &stored[0]} {
				if errs := validation.NameIsDNSSubdomain(got.Name, false); len(errs) > 0 || got.Namespace != c.wantNamespace {
					t.Errorf("name %q in %q: %v", got.Name, got.Namespace, errs)
				}
				if c.named && !strings.HasPrefix(got.Name, c.wantRegarding.Name+".") {
					t.Errorf("name %q", got.Name)
				}
				want.ObjectMeta = got.ObjectMeta
				if diff := cmp.Diff(want, *got); diff != "" {
					t.Errorf("event:\n%s", diff)
				}
			}
			if c.named && watched.Name != fmt.Sprintf("foo.%x", time.Now().UnixNano()) {
				t.Errorf("watched name %q", watched.Name)
			}
		})
	}
}

func TestSeries(t *testing.T) {
	regarding, related := podWith(".spec.containers[1]"), podWith(".spec.containers[0]")
	bubble(t, "isomorphic events are one", func(t *testing.T) {
		r := newEventsRig(t)
		emit := func(action string) {
			r.recorder.Eventf(regarding, related, corev1.EventTypeNormal, "test", action, "some verbose message: %v", 1)
			later(time.Minute)
		}
		emit("started")
		emit("started")
		emit("stopped")
		stored := r.sink.list()
		if len(stored) != 2 || stored[0].Series == nil || stored[0].Series.Count != 2 || stored[1].Series != nil || stored[1].Action != "stopped" {
			t.Fatalf("stored: %+v", stored)
		}
		calls := r.sink.log()
		const want = `{"metadata":{"resourceVersion":"1"},"series":{"count":2,"lastObservedTime":"2000-01-01T00:01:00.000000Z"}}`
		if calls[1].verb != "patch" || calls[1].patch != want {
			t.Errorf("second call: %+v", calls[1])
		}
	})
	bubble(t, "a new version of the object is no new event", func(t *testing.T) {
		r := newEventsRig(t)
		for _, version := range []string{"1", "2", "3"} {
			ref := pod
			ref.ResourceVersion = version
			r.recorder.Eventf(&ref, nil, corev1.EventTypeNormal, "test", "started", "x")
		}
		r.Shutdown()
		if stored := r.sink.list(); len(stored) != 1 || stored[0].Series.Count != 3 || stored[0].Regarding.ResourceVersion != "1" {
			t.Errorf("stored: %+v", stored)
		}
	})
	bubble(t, "a series that the server has lost is created", func(t *testing.T) {
		r := newEventsRig(t)
		r.event("test", "x")
		later(time.Minute)
		r.sink.forget()
		r.event("test", "x")
		later(time.Minute)
		if stored := r.sink.list(); len(stored) != 1 || stored[0].Series == nil || stored[0].Series.Count != 2 {
			t.Errorf("stored: %+v", stored)
		}
	})
	bubble(t, "a create that arrived without an answer is patched", func(t *testing.T) {
		r := newEventsRig(t)
		lost := true
		r.sink.after = func(string, *eventsv1.Event) error {
			defer func() { lost = false }()
			if lost {
				return errors.New("connection reset")
			}
			return nil
		}
		r.event("test", "x")
		r.event("test", "x")
		later(time.Minute)
		if stored := r.sink.list(); len(stored) != 1 || stored[0].Series == nil || stored[0].Series.Count != 2 {
			t.Errorf("stored: %+v", stored)
		}
	})
}
