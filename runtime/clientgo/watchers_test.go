package clientgo_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"

	"github.com/event-gen/event-gen/runtime/clientgo"
)

// watchQueue is how many events wait for a watcher.
const watchQueue = 1000

func TestWatchersSeeWhatCameAfterThem(t *testing.T) {
	bubble(t, "core", func(t *testing.T) {
		r := newCoreRig(t)
		var first, second []string
		r.event("r", "0")
		a := r.StartEventWatcher(func(e *corev1.Event) { first = append(first, e.Message) })
		r.event("r", "1")
		b := r.StartEventWatcher(func(e *corev1.Event) { second = append(second, e.Message) })
		r.event("r", "2")
		a.Stop()
		a.Stop() // does no harm
		r.event("r", "3")
		r.Shutdown() // what waits is still shown
		b.Stop()
		if !slices.Equal(first, []string{"1", "2"}) || !slices.Equal(second, []string{"2", "3"}) {
			t.Errorf("seen: %v and %v", first, second)
		}
	})
}

func TestSlowWatchers(t *testing.T) {
	const more = 5
	bubble(t, "drop", func(t *testing.T) {
		r := newCoreRig(t)
		release := make(chan struct{})
		seen := 0
		w := r.StartEventWatcher(func(*corev1.Event) { <-release; seen++ })
		r.event("r", "x")
		synctest.Wait() // the watcher holds the first
		for range watchQueue + more {
			r.event("r", "x")
		}
		if n := w.(clientgo.Watcher).Dropped(); n != more || strings.Count(r.log.all(), "too slow") != 1 {
			t.Errorf("%d dropped, want %d; said: %s", n, more, r.log.all())
		}
		close(release)
		if counts := r.stored(); seen != watchQueue+1 || counts["x"] != watchQueue+more+1 {
			t.Errorf("%d seen, %v stored", seen, counts)
		}
	})
	waiting := func(t *testing.T) (r *coreRig, release chan struct{}, w watch.Interface, done chan struct{}, seen *int) {
		r = newCoreRig(t, clientgo.WithFullWatchers(watch.WaitIfChannelFull))
		release, done, seen = make(chan struct{}), make(chan struct{}), new(int)
		w = r.StartEventWatcher(func(*corev1.Event) { <-release; *seen++ })
		go func() {
			defer close(done)
			for range watchQueue + more {
				r.event("r", "x")
			}
		}()
		synctest.Wait()
		select {
		case <-done:
			t.Error("the recorder did not wait")
		default:
		}
		return r, release, w, done, seen
	}
	bubble(t, "wait", func(t *testing.T) {
		r, release, w, done, seen := waiting(t)
		close(release)
		<-done
		r.Shutdown()
		if n := w.(clientgo.Watcher).Dropped(); n != 0 || *seen != watchQueue+more {
			t.Errorf("%d dropped, %d seen", n, *seen)
		}
	})
	bubble(t, "wait until stopped", func(t *testing.T) {
		r, release, w, done, _ := waiting(t)
		w.Stop()
		<-done
		close(release)
		if counts := r.stored(); counts["x"] != watchQueue+more {
			t.Errorf("stored: %v", counts)
		}
	})
	bubble(t, "wait while others start and stop", func(t *testing.T) {
		r, release, w, done, _ := waiting(t)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			r.StartEventWatcher(func(*corev1.Event) {}).Stop()
		}()
		synctest.Wait()
		select {
		case <-ended:
		default:
			t.Error("the watcher that is full holds up another")
		}
		w.Stop()
		<-done
		<-ended
		close(release)
	})
	bubble(t, "wait until shut down", func(t *testing.T) {
		r, release, _, done, _ := waiting(t)
		go r.Shutdown()
		<-done
		close(release)
	})
}

func TestWatchersThatMisbehave(t *testing.T) {
	bubble(t, "panic", func(t *testing.T) {
		r := newCoreRig(t)
		seen := 0
		r.StartEventWatcher(func(*corev1.Event) { seen++; panic("no") })
		r.event("r", "a")
		r.event("r", "b")
		r.Shutdown()
		if seen != 2 || strings.Count(r.log.all(), "panicked") != 1 {
			t.Errorf("%d seen, said: %s", seen, r.log.all())
		}
	})
	bubble(t, "hang", func(t *testing.T) {
		r := newCoreRig(t)
		release := make(chan struct{})
		r.StartEventWatcher(func(*corev1.Event) { <-release })
		r.event("r", "a")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := r.ShutdownWithContext(ctx); err == nil || !strings.Contains(err.Error(), "has not come back") {
			t.Errorf("error: %v", err)
		}
		if len(r.sink.list()) != 1 {
			t.Error("the event is not stored")
		}
		close(release)
	})
	bubble(t, "hang for ever", func(t *testing.T) { // also what ends the broadcaster itself
		r := newCoreRig(t)
		r.StartEventWatcher(func(*corev1.Event) { _ = r.ShutdownWithContext(context.Background()) })
		r.event("r", "a")
		begun, ended := time.Now(), make(chan error, 1)
		go func() { ended <- r.ShutdownWithContext(context.Background()) }()
		select {
		case err := <-ended:
			if err == nil || !strings.Contains(err.Error(), "has not come back") || time.Since(begun) > 2*time.Second {
				t.Errorf("after %v: %v", time.Since(begun), err)
			}
		case <-time.After(24 * time.Hour):
			t.Error("Shutdown has not ended")
		}
	})
	bubble(t, "slow", func(t *testing.T) {
		r := newCoreRig(t)
		seen := 0
		r.StartEventWatcher(func(*corev1.Event) { time.Sleep(1500 * time.Millisecond); seen++ })
		for range 4 {
			r.event("r", "a")
		}
		if err := r.ShutdownWithContext(context.Background()); err != nil || seen != 4 {
			t.Errorf("%d seen: %v", seen, err)
		}
	})
	bubble(t, "record", func(t *testing.T) {
		r := newCoreRig(t)
		var once sync.Once
		r.StartEventWatcher(func(*corev1.Event) { once.Do(func() { r.event("Echo", "b") }) })
		r.event("r", "a")
		synctest.Wait()
		if counts := r.stored(); counts["b"] != 1 {
			t.Errorf("stored: %v", counts)
		}
	})
}

// TestALoggerThatBlocksHoldsUpNoOtherRecorder: it never returns from the line that there is no
// sink.
func TestALoggerThatBlocksHoldsUpNoOtherRecorder(t *testing.T) {
	bubble(t, "core", func(t *testing.T) {
		release := make(chan struct{})
		logger := funcr.New(func(string, string) { <-release }, funcr.Options{})
		b := clientgo.NewBroadcaster(clientgo.WithContext(klog.NewContext(context.Background(), logger)))
		r := b.NewRecorder(scheme.Scheme, testSource)
		done := make(chan struct{}, 3)
		for range 3 {
			go func() {
				r.Event(&pod, corev1.EventTypeNormal, "r", "x")
				done <- struct{}{}
			}()
		}
		synctest.Wait()
		if len(done) != 2 {
			t.Errorf("%d of 3 recorders go on, expected all but the one that logs", len(done))
		}
		close(release)
		b.Shutdown()
	})
}

func TestNothingStartsAfterShutdown(t *testing.T) {
	bubble(t, "core", func(t *testing.T) {
		r := newCoreRig(t)
		r.Shutdown()
		for _, w := range []watch.Interface{
			r.StartEventWatcher(func(*corev1.Event) {}), r.StartLogging(func(string, ...any) {}), r.StartStructuredLogging(0),
			r.StartRecordingToSink(&r.sink),
		} {
			w.Stop()
			if _, open := <-w.ResultChan(); open {
				t.Error("the result is open")
			}
		}
		r.event("r", "x")
		if s := conserved(t, r.Stats()); s.Lost.Rejected != 1 || strings.Count(r.log.all(), "already stopped") != 5 {
			t.Errorf("accounts %+v, said: %s", s, r.log.all())
		}
	})
	bubble(t, "events", func(t *testing.T) {
		r := newEventsRig(t)
		r.Shutdown()
		if _, err := r.StartEventWatcher(func(k8sruntime.Object) {}); err == nil {
			t.Error("a watcher was started")
		}
		if _, err := r.StartLogging(r.log.logger()); err == nil {
			t.Error("logging was started")
		}
		r.StartStructuredLogging(0)()
		stop := make(chan struct{})
		defer close(stop)
		r.StartRecordingToSink(stop)
		r.event("r", "x")
		if s := conserved(t, r.Stats()); s.Lost.Rejected != 1 || strings.Count(r.log.all(), "already stopped") != 3 {
			t.Errorf("accounts %+v, said: %s", s, r.log.all())
		}
	})
}

func TestEventsWatchersAndLogging(t *testing.T) {
	bubble(t, "events", func(t *testing.T) {
		r := newEventsRig(t)
		var notes []string
		stopWatching, err := r.StartEventWatcher(func(o k8sruntime.Object) { notes = append(notes, o.(*eventsv1.Event).Note) })
		if err != nil {
			t.Fatal(err)
		}
		var own lines
		stopLogging, err := r.StartLogging(own.logger())
		if err != nil {
			t.Fatal(err)
		}
		stopStructured := r.StartStructuredLogging(2)
		r.event("Started", "a")
		synctest.Wait()
		stopWatching()
		stopLogging()
		stopStructured()
		r.event("Started", "b")
		synctest.Wait()
		if !slices.Equal(notes, []string{"a"}) {
			t.Errorf("seen: %v", notes)
		}
		const want = `"msg"="Event occurred" "object"={"name"="foo" "namespace"="baz"} "kind"="Pod" "apiVersion"="v1" "type"="Normal" "reason"="Started" "action"="starting" "note"="a"`
		if own.all() != `"level"=0 `+want || r.log.all() != `"level"=2 `+want {
			t.Errorf("logged:\n%s\n%s", own.all(), r.log.all())
		}
	})
}
