package clientgo

import (
	"context"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
)

// TestUntilKeepsNothing: what is kept for a context goes with the context, and one context is kept once.
func TestUntilKeepsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBroadcaster()
		defer b.Shutdown()
		lasting, end := context.WithCancel(t.Context())
		for range 100 {
			ctx, cancel := context.WithCancel(t.Context())
			b.hub.until(ctx, b, func() {})
			b.hub.until(lasting, b, func() {})
			cancel()
		}
		synctest.Wait()
		if n := len(b.hub.detach); n != 1 {
			t.Errorf("%d contexts are kept, want 1", n)
		}
		end()
		synctest.Wait()
		if n := len(b.hub.detach); n != 0 {
			t.Errorf("%d contexts are kept after their end", n)
		}
	})
}

// TestIdleWatchersAreNotBusy: one that waits for events is no reason for an error.
func TestIdleWatchersAreNotBusy(t *testing.T) {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	synctest.Test(t, func(t *testing.T) {
		b := NewBroadcaster()
		release := make(chan struct{})
		w := b.StartEventWatcher(func(*corev1.Event) { <-release })
		if err := b.hub.watchers.wait(over); err != nil {
			t.Errorf("error of an idle watcher: %v", err)
		}
		b.hub.watchers.show(&corev1.Event{})
		synctest.Wait()
		if err := b.hub.watchers.wait(over); err == nil {
			t.Error("no error of a busy watcher")
		}
		close(release)
		w.Stop()
		b.Shutdown()
	})
}
