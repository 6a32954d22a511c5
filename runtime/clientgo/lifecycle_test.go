package clientgo_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/event-gen/event-gen/runtime/clientgo"
)

func TestShutdownWritesWhatIsPending(t *testing.T) {
	bubble(t, "core", func(t *testing.T) {
		r := newCoreRig(t)
		for i := range 100 {
			for range 5 {
				r.recorder.Event(podNamed(fmt.Sprint("pod-", i)), corev1.EventTypeNormal, "Started", "x")
			}
		}
		if counts := r.stored(); counts["x"] != 500 {
			t.Errorf("stored: %v", counts)
		}
		if s := conserved(t, r.Stats()); s.Written != 500 || s.Identities != 0 {
			t.Errorf("accounts: %+v", s)
		}
	})
	bubble(t, "events", func(t *testing.T) {
		r := newEventsRig(t)
		for range 5 {
			r.event("Started", "x")
		}
		r.Shutdown()
		if stored := r.sink.list(); len(stored) != 1 || stored[0].Series.Count != 5 {
			t.Errorf("stored: %+v", stored)
		}
	})
}

func TestStopWritesWhatIsPending(t *testing.T) {
	bubble(t, "core", func(t *testing.T) {
		var sink coreStore
		b := clientgo.NewBroadcaster()
		recording := b.StartRecordingToSink(&sink)
		recorder := b.NewRecorder(scheme.Scheme, testSource)
		for range 5 {
			recorder.Event(&pod, corev1.EventTypeNormal, "Started", "x")
		}
		recording.Stop()
		recording.Stop() // does no harm
		recorder.Event(&pod, corev1.EventTypeNormal, "Started", "after")
		<-recording.ResultChan()
		if stored := sink.list(); len(stored) != 1 || stored[0].Count != 5 {
			t.Errorf("stored: %+v", stored)
		}
		if s := conserved(t, b.Stats()); s.Written != 5 || s.Lost.Rejected != 1 {
			t.Errorf("accounts: %+v", s)
		}
		b.Shutdown()
	})
	bubble(t, "a shutdown does not wait longer than it may", func(t *testing.T) {
		var sink coreStore
		sink.before = func(string, *corev1.Event) error { return errors.New("not now") }
		var log lines
		b := clientgo.NewBroadcaster(clientgo.WithContext(log.context(t.Context())))
		recording := b.StartRecordingToSink(&sink)
		b.NewRecorder(scheme.Scheme, testSource).Event(&pod, corev1.EventTypeNormal, "Started", "x")
		recording.Stop()
		later(time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begin := time.Now()
		err := b.ShutdownWithContext(ctx)
		if took := time.Since(begin); err == nil || took > 2*time.Second {
			t.Errorf("shutdown took %v: %v", took, err)
		}
		synctest.Wait()
		if s := conserved(t, b.Stats()); s.Lost.Total() != 1 || !strings.Contains(log.all(), "stopped before all was written") {
			t.Errorf("accounts: %+v, said: %s", s, log.all())
		}
	})
}

// TestRecordingIsCountedByStarts records once for several starts, until all of them have ended.
func TestRecordingIsCountedByStarts(t *testing.T) {
	bubble(t, "events", func(t *testing.T) {
		r := newEventsRig(t)
		second := make(chan struct{})
		r.StartRecordingToSink(second)
		r.event("Started", "x")
		r.stop()
		synctest.Wait()
		r.event("Started", "x")
		close(second)
		synctest.Wait()
		if stored := r.sink.list(); len(stored) != 1 || stored[0].Series.Count != 2 {
			t.Errorf("stored: %+v", stored)
		}
		r.event("Started", "unheard")
		if err := r.StartRecordingToSinkWithContext(t.Context()); err != nil {
			t.Error(err)
		}
		r.event("Started", "x")
		r.Shutdown()
		if stored := r.sink.list(); len(stored) != 2 || stored[1].Series != nil {
			t.Errorf("stored: %+v", stored)
		}
		if s := conserved(t, r.Stats()); s.Written != 3 || s.Lost.Rejected != 1 {
			t.Errorf("accounts: %+v", s)
		}
	})
	b := clientgo.NewEventsBroadcaster(nil)
	defer b.Shutdown()
	if err := b.StartRecordingToSinkWithContext(t.Context()); err == nil {
		t.Error("recording was started without a sink")
	}
}

// TestConcurrentUse runs everything at once, for the race detector and for conservation.
func TestConcurrentUse(t *testing.T) {
	const goroutines, each = 8, 200
	var sink coreStore
	b := clientgo.NewBroadcaster(clientgo.WithWorkers(3))
	b.StartRecordingToSink(&sink)
	recorder := b.NewRecorder(scheme.Scheme, testSource)
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			for i := range each {
				recorder.Eventf(podNamed(fmt.Sprint("pod-", i%10)), corev1.EventTypeWarning, "Failed", "%d of %d", g, i%3)
			}
		})
		all.Go(func() {
			w := b.StartEventWatcher(func(*corev1.Event) {})
			_ = b.Stats()
			w.Stop()
		})
	}
	all.Wait()
	if err := b.ShutdownWithContext(t.Context()); err != nil {
		t.Error(err)
	}
	total := int32(0)
	for _, e := range sink.list() {
		total += e.Count
	}
	if s := conserved(t, b.Stats()); total != goroutines*each || s.Written != goroutines*each {
		t.Errorf("%d stored, accounts: %+v", total, s)
	}
}
