package clientgo_test

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/clientgo"
)

// TestShutdownSpeaksOfWatchersThatAreBusy only.
func TestShutdownSpeaksOfWatchersThatAreBusy(t *testing.T) {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	for range 20 { // it was up to chance
		bubble(t, "none was started", func(t *testing.T) {
			r := newCoreRig(t)
			r.sink.before = func(string, *corev1.Event) error { return errors.New("away") }
			r.event("Started", "x")
			if err := r.ShutdownWithContext(over); err == nil || strings.Contains(err.Error(), "watcher") {
				t.Errorf("error: %v", err)
			}
		})
	}
	bubble(t, "one is idle", func(t *testing.T) {
		r := newCoreRig(t)
		r.StartEventWatcher(func(*corev1.Event) {})
		r.event("Started", "x")
		synctest.Wait()
		if err := r.ShutdownWithContext(over); err != nil {
			t.Errorf("error: %v", err)
		}
	})
}

// TestObjectsWithoutNames: a typed recorder on a recorder of client-go's passes on what raw calls do.
func TestObjectsWithoutNames(t *testing.T) {
	unnamed := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "baz"}}
	for name, object := range map[string]runtime.ObjectRef{
		"without kind": runtime.ObjectOf(unnamed), // looked up all the same
		"reference":    runtime.ReferenceOf(&corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "baz"}),
	} {
		t.Run(name, func(t *testing.T) {
			e := runtime.NewEvent(plainDefinition, object, runtime.ObjectRef{})
			r, ev := record.NewFakeRecorder(1), events.NewFakeRecorder(1)
			r.IncludeObject = true
			p, q := clientgo.FromRecord(r), clientgo.FromEvents(ev)
			p.Publish(e)
			q.Publish(e)
			if p.Rejected() > 0 || q.Rejected() > 0 {
				t.Fatalf("rejected: %d, %d", p.Rejected(), q.Rejected())
			}
			if got, want := <-r.Events, "Normal Plain 50% of {it} %s involvedObject{kind=Pod,apiVersion=v1}"; got != want {
				t.Errorf("recorded %q, want %q", got, want)
			}
			if got, want := <-ev.Events, "Normal Plain 50% of {it} %s"; got != want {
				t.Errorf("recorded %q, want %q", got, want)
			}
		})
	}
}

// heap is what is in use after a collection, in MiB.
func heap() uint64 {
	var m goruntime.MemStats
	goruntime.GC()
	goruntime.ReadMemStats(&m)
	return m.HeapAlloc >> 20
}

// TestPiecesOfLargeTexts records small pieces of large texts, and large reasons: what is held is what is needed.
func TestPiecesOfLargeTexts(t *testing.T) {
	const n, size = 40, 1 << 20
	large := func(i int) string { return fmt.Sprintf("r%02d", i) + strings.Repeat("x", size) }
	tests := map[string]func(i int, r record.EventRecorder, ev events.EventRecorder){
		"annotations": func(i int, r record.EventRecorder, _ events.EventRecorder) {
			s := large(i)
			r.AnnotatedEventf(podNamed(s[:9]), map[string]string{"example.com/" + s[:4]: s[:16]}, corev1.EventTypeNormal, "R", "m")
		},
		"reasons": func(i int, r record.EventRecorder, _ events.EventRecorder) {
			r.Event(&pod, corev1.EventTypeNormal, large(i), "m")
		},
		"pieces as reasons": func(i int, r record.EventRecorder, _ events.EventRecorder) {
			r.Event(&pod, corev1.EventTypeNormal, large(i)[:9], "m")
		},
		"pieces as paths": func(i int, r record.EventRecorder, _ events.EventRecorder) {
			r.Event(podWith(large(i)[:9]), corev1.EventTypeNormal, "R", "m")
		},
		"actions": func(i int, _ record.EventRecorder, ev events.EventRecorder) {
			ev.Eventf(&pod, nil, corev1.EventTypeNormal, "R", large(i)[:20], "m")
		},
	}
	for name, emit := range tests {
		t.Run(name, func(t *testing.T) {
			var core coreStore
			var eventsSink eventsStore
			b, eb := clientgo.NewBroadcaster(), clientgo.NewEventsBroadcaster(&eventsSink)
			b.StartRecordingToSink(&core)
			eb.StartRecordingToSink(nil)
			recorder, eventsRecorder := b.NewRecorder(scheme.Scheme, testSource), eb.NewRecorder(scheme.Scheme, "example.com/c")
			away := errors.New("away")
			core.before = func(string, *corev1.Event) error { return away }
			before := heap()
			for i := range n {
				emit(i, recorder, eventsRecorder)
			}
			if held := int64(heap()) - int64(before); held > 10 {
				t.Errorf("%d MiB are held", held)
			}
			core.mu.Lock()
			core.before = nil
			core.mu.Unlock()
			b.Shutdown()
			eb.Shutdown()
		})
	}
}

// TestReasonsThatAreKeptAreCounted: they are kept for the life of the broadcaster, each once, and take up their texts and little more.
func TestReasonsThatAreKeptAreCounted(t *testing.T) {
	const n, size = 100, 1000
	bubble(t, "core", func(t *testing.T) {
		r := newCoreRig(t)
		for range 2 {
			for i := range n {
				r.event(fmt.Sprintf("R%02d", i)+strings.Repeat("x", size-3), "m")
			}
		}
		r.Shutdown()
		if bytes := r.Stats().Bytes; bytes < n*size || bytes > 2*n*size {
			t.Errorf("%d bytes are counted of %d reasons of %d bytes", bytes, n, size)
		}
	})
}

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
		grown := func(n int) uint64 {
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
			return uint64(goruntime.NumGoroutine() - before)
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
	bubble(t, "adapter", func(t *testing.T) {
		a := clientgo.NewEventBroadcasterAdapter(t.Context(), fake.NewClientset())
		defer a.Shutdown()
		stop := make(chan struct{})
		defer close(stop)
		a.StartRecordingToSink(stop)
		synctest.Wait()
		before := goruntime.NumGoroutine()
		for range 100 {
			a.StartRecordingToSink(stop)
		}
		synctest.Wait()
		if n := goruntime.NumGoroutine() - before; n > 10 {
			t.Errorf("100 starts hold %d goroutines", n)
		}
	})
}

// badLogger panics wherever it can.
type badLogger struct{}

func (badLogger) Init(logr.RuntimeInfo)          {}
func (badLogger) Enabled(int) bool               { panic("enabled") }
func (badLogger) Info(int, string, ...any)       { panic("info") }
func (badLogger) Error(error, string, ...any)    { panic("error") }
func (badLogger) WithValues(...any) logr.LogSink { panic("values") }
func (badLogger) WithName(string) logr.LogSink   { panic("name") }

// TestLoggersThatPanic: what has to be said is lost, nothing else.
func TestLoggersThatPanic(t *testing.T) {
	bad := logr.New(badLogger{})
	bubble(t, "core", func(t *testing.T) {
		var sink coreStore
		b := clientgo.NewBroadcaster(clientgo.WithContext(klog.NewContext(t.Context(), bad)))
		recorder := b.NewRecorder(scheme.Scheme, testSource).WithLogger(bad)
		recorder.Event(&pod, corev1.EventTypeNormal, "Unheard", "x")
		b.StartStructuredLogging(0)
		b.StartRecordingToSink(&sink)
		recorder.Event(nil, corev1.EventTypeNormal, "NoObject", "x")
		recorder.Event(&pod, "Odd", "NoType", "x")
		recorder.Event(&pod, corev1.EventTypeNormal, "Started", "x")
		b.Shutdown()
		recorder.Event(&pod, corev1.EventTypeNormal, "Late", "x")
		if s := conserved(t, b.Stats()); s.Written != 1 || s.Lost.Rejected != 4 {
			t.Errorf("accounts: %+v", s)
		}
	})
	bubble(t, "events", func(t *testing.T) {
		var sink eventsStore
		b := clientgo.NewEventsBroadcaster(&sink, clientgo.WithContext(klog.NewContext(t.Context(), bad)))
		recorder := b.NewRecorder(scheme.Scheme, controller).WithLogger(bad)
		b.StartStructuredLogging(0)
		b.StartRecordingToSink(nil)
		recorder.Eventf(nil, nil, corev1.EventTypeNormal, "NoObject", "a", "x")
		recorder.Eventf(&pod, nil, corev1.EventTypeNormal, "Started", "a", "x")
		b.Shutdown()
		if s := conserved(t, b.Stats()); s.Written != 1 || s.Lost.Rejected != 1 {
			t.Errorf("accounts: %+v", s)
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
