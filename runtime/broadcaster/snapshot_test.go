package broadcaster_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink"
)

// TestSnapshotOfMissingRights: a namespace whose events are refused is in trouble, until an event
// is taken, or none is recorded for a while.
func TestSnapshotOfMissingRights(t *testing.T) { synctest.Test(t, testSnapshotOfMissingRights) }

func testSnapshotOfMissingRights(t *testing.T) {
	var granted atomic.Bool
	b, err := broadcaster.New(broadcaster.Options{Sink: sinkFunc(func(context.Context, *sink.Write) sink.Answer {
		if granted.Load() {
			return sink.Answer{Outcome: sink.Done}
		}
		return sink.Answer{Outcome: sink.Forbidden, Scope: sink.ScopeNamespace, Err: context.Canceled}
	})})
	if err != nil {
		t.Fatal(err)
	}
	record := func(seconds int) []broadcaster.Trouble {
		for n := range seconds {
			b.Publish(createdEvent(fmt.Sprint("job-", time.Now().UnixNano()), n))
			time.Sleep(time.Second) // simulated
		}
		return b.Snapshot().Troubles
	}
	got := record(100)
	if len(got) != 1 || got[0].Namespace != "prod" || got[0].Err != context.Canceled.Error() || got[0].For < 30*time.Second {
		t.Errorf("without the right: %+v", got)
	}
	time.Sleep(2 * time.Minute)
	if got := b.Snapshot().Troubles; len(got) != 0 {
		t.Errorf("after two minutes without events: %+v", got)
	}
	if got := record(100); len(got) != 1 {
		t.Errorf("without the right again: %+v", got)
	}
	granted.Store(true)
	if got := record(60); len(got) != 0 {
		t.Errorf("with the right: %+v", got)
	}
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestStates: States yields each held event once, and ends when the loop does.
func TestStates(t *testing.T) {
	b, _ := start(t, broadcaster.Options{Sink: newStore()})
	const objects = 1000 // several holds of the lock
	for n := range objects {
		b.Publish(failedEvent(fmt.Sprint("job-", n)))
		b.Publish(failedEvent(fmt.Sprint("job-", n)))
	}
	held := map[string]uint32{}
	for s := range b.States() {
		held[s.Regarding.Name] += s.Count
	}
	for n := range objects {
		if got := held[fmt.Sprint("job-", n)]; got != 2 {
			t.Fatalf("job-%d: %d occurrences are held", n, got)
		}
	}
	for range b.States() {
		break
	}
	if err := b.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
}
