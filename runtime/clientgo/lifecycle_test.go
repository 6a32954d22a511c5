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

func TestRecordingNeedsASink(t *testing.T) {
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
	b := clientgo.NewBroadcaster(clientgo.WithConcurrentSink())
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
