package clientgo

import (
	"context"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
)

// refusingSink stores nothing.
type refusingSink struct{}

func (refusingSink) Create(*corev1.Event) (*corev1.Event, error)        { return nil, nil }
func (refusingSink) Update(*corev1.Event) (*corev1.Event, error)        { return nil, nil }
func (refusingSink) Patch(*corev1.Event, []byte) (*corev1.Event, error) { return nil, nil }

// TestWhoIsLateSettlesARecording: a recording ends while a key function decides about an event. Its
// accounts are settled once the event was rejected, and nothing is kept of it after that.
func TestWhoIsLateSettlesARecording(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked, answer := make(chan struct{}), make(chan struct{})
		decide := func(*corev1.Event) (string, string) {
			close(asked)
			<-answer
			return "group", "event"
		}
		b := newBroadcaster([]Option{WithCorrelatorOptions(record.CorrelatorOptions{KeyFunc: decide})})
		defer b.Shutdown()
		w := b.StartRecordingToSink(refusingSink{})
		recorder := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "late"})
		go recorder.Event(&corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "baz", Name: "foo"}, corev1.EventTypeNormal, "Started", "x")
		<-asked
		w.Stop()
		<-w.ResultChan()
		if n := len(b.distributor.stopping); n != 1 {
			t.Errorf("%d recordings wait for who is late, want 1", n)
		}
		close(answer)
		synctest.Wait()
		if n := len(b.distributor.stopping); n != 0 {
			t.Errorf("%d recordings are kept after their end", n)
		}
		if s := b.Stats(); s.Recorded != 1 || s.Lost.Rejected != 1 {
			t.Errorf("accounts: %+v", s)
		}
	})
}

// TestIdleWatchersAreNotBusy: one that waits for events is no reason for an error.
func TestIdleWatchersAreNotBusy(t *testing.T) {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	synctest.Test(t, func(t *testing.T) {
		b := newBroadcaster(nil)
		release := make(chan struct{})
		w := b.StartEventWatcher(func(*corev1.Event) { <-release })
		if err := b.distributor.watchers.wait(over); err != nil {
			t.Errorf("error of an idle watcher: %v", err)
		}
		b.distributor.watchers.show(&corev1.Event{})
		synctest.Wait()
		if err := b.distributor.watchers.wait(over); err == nil {
			t.Error("no error of a busy watcher")
		}
		close(release)
		w.Stop()
		b.Shutdown()
	})
}
