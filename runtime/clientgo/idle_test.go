package clientgo_test

import (
	goruntime "runtime"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	"github.com/event-gen/event-gen/runtime/clientgo"
)

// TestIdleGoroutines: an idle process holds as few goroutines as with client-go.
func TestIdleGoroutines(t *testing.T) {
	core := func(t *testing.T, b record.EventBroadcaster) {
		b.StartStructuredLogging(0)
		b.StartRecordingToSink(&coreStore{})
		b.NewRecorder(scheme.Scheme, testSource).Event(&pod, corev1.EventTypeNormal, "Started", "x")
		t.Cleanup(b.Shutdown)
	}
	group := func(t *testing.T, b events.EventBroadcaster) {
		stop := make(chan struct{})
		b.StartStructuredLogging(0)
		b.StartRecordingToSink(stop)
		b.NewRecorder(scheme.Scheme, controller).Eventf(&pod, nil, corev1.EventTypeNormal, "Started", "Start", "x")
		t.Cleanup(func() { close(stop); b.Shutdown() })
	}
	count := func(name string, begin func(t *testing.T)) (n int) {
		bubble(t, name, func(t *testing.T) {
			before := goruntime.NumGoroutine()
			begin(t)
			later(time.Hour)
			n = goruntime.NumGoroutine() - before
		})
		return n
	}
	for name, of := range map[string]struct{ theirs, ours func(t *testing.T) }{
		"core group": {
			func(t *testing.T) { core(t, record.NewBroadcaster()) },
			func(t *testing.T) { core(t, clientgo.NewBroadcaster()) },
		},
		"events.k8s.io": {
			func(t *testing.T) { group(t, events.NewBroadcaster(&eventsStore{})) },
			func(t *testing.T) { group(t, clientgo.NewEventsBroadcaster(&eventsStore{})) },
		},
	} {
		theirs, ours := count(name+", client-go", of.theirs), count(name+", drop-in", of.ours)
		t.Logf("%s: %d goroutines, client-go's %d", name, ours, theirs)
		if ours > theirs {
			t.Errorf("%s: %d goroutines, client-go has %d", name, ours, theirs)
		}
	}
}
