package clientgo_test

import (
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	"github.com/event-gen/event-gen/runtime/clientgo"
)

// inBubble is the number of goroutines in the bubble that runs. Others of the process come and go.
func inBubble() int {
	stacks := make([]byte, 1<<20)
	return strings.Count(string(stacks[:goruntime.Stack(stacks, true)]), ", synctest bubble ")
}

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
			begin(t)
			later(time.Hour)
			n = inBubble() - 1 // this one
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
