package clientgo_test

import (
	"context"
	goruntime "runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"

	"github.com/event-gen/event-gen/runtime/clientgo"
)

// TestLongReasonsStayApart: cut, they are still two.
func TestLongReasonsStayApart(t *testing.T) {
	bubble(t, "core", func(t *testing.T) {
		r := newCoreRig(t)
		for _, end := range []string{"a", "b", "a"} {
			r.event(strings.Repeat("é", 5000)+end, "x")
		}
		r.Shutdown()
		stored := r.sink.list()
		if len(stored) != 2 || stored[0].Count != 2 || len(stored[0].Reason) > 1024 || !strings.HasPrefix(stored[0].Reason, "éé") {
			t.Errorf("stored: %+v", stored)
		}
	})
}

// TestStartsKeepNothing starts recording with many contexts that end, and with one that does not.
func TestStartsKeepNothing(t *testing.T) {
	bubble(t, "events", func(t *testing.T) {
		r := newEventsRig(t)
		stop := make(chan struct{})
		grown := func(n int) int {
			before := goruntime.NumGoroutine()
			for range n {
				r.StartRecordingToSink(stop)
				ctx, cancel := context.WithCancel(t.Context())
				if err := r.StartRecordingToSinkWithContext(ctx); err != nil {
					t.Fatal(err)
				}
				cancel()
				synctest.Wait()
			}
			return goruntime.NumGoroutine() - before
		}
		if n := grown(100); n > 10 {
			t.Errorf("100 starts hold %d goroutines", n)
		}
		r.stop()
		later(time.Minute)
		r.event("Started", "x")
		synctest.Wait()
		if len(r.sink.list()) != 1 {
			t.Error("recording ended before the last of its contexts")
		}
		close(stop)
		later(time.Minute)
		r.event("Late", "x")
		synctest.Wait()
		if len(r.sink.list()) != 1 {
			t.Error("recording went on after the last of its contexts")
		}
	})
}

// TestWatchersThatEndTheirGoroutine, as t.Fatal in a handler does, are called again.
func TestWatchersThatEndTheirGoroutine(t *testing.T) {
	bubble(t, "core", func(t *testing.T) {
		r := newCoreRig(t)
		var seen []string
		r.StartEventWatcher(func(e *corev1.Event) {
			seen = append(seen, e.Reason)
			if e.Reason == "One" {
				goruntime.Goexit()
			}
		})
		r.event("One", "x")
		r.event("Two", "x")
		r.Shutdown()
		if got := strings.Join(seen, " "); got != "One Two" {
			t.Errorf("seen: %s", got)
		}
	})
}

// oddClient has its fields behind a nil pointer.
type oddClient struct {
	typedcorev1.EventInterface
	*hidden
}

type hidden struct{ Fake *int }

// TestOddSinks: where a sink writes to is asked of whatever a program hands over.
func TestOddSinks(t *testing.T) {
	var none *typedcorev1.EventSinkImpl
	for name, sink := range map[string]record.EventSink{
		"nil":          none,
		"no client":    &typedcorev1.EventSinkImpl{},
		"nil pointers": &typedcorev1.EventSinkImpl{Interface: oddClient{}},
		"no rest":      &typedcorev1.EventSinkImpl{Interface: typedcorev1.New(nil).Events("")},
		"uncomparable": uncomparable{nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := clientgo.NewBroadcaster()
			b.StartRecordingToSink(sink)
			b.StartRecordingToSink(sink)
			b.Shutdown()
		})
	}
}

type uncomparable []func()

func (uncomparable) Create(*corev1.Event) (*corev1.Event, error)        { return nil, nil }
func (uncomparable) Update(*corev1.Event) (*corev1.Event, error)        { return nil, nil }
func (uncomparable) Patch(*corev1.Event, []byte) (*corev1.Event, error) { return nil, nil }
