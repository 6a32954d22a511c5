package ctrlevents

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// TestAFilterHoldsForAllEvents: from the options, from SetFilter and from a file, for typed events
// and for both kinds of recorders.
func TestAFilterHoldsForAllEvents(t *testing.T) {
	var f broadcaster.Filter
	if err := f.Set("drop reason=First"); err != nil {
		t.Fatal(err)
	}
	m, auto, core := newManager(t, quiet(), Options{Broadcaster: broadcaster.Options{Filter: f}})
	record := func(reason string) {
		m.Events().Forward(pod("web"), corev1.EventTypeNormal, reason, "", "x")
		m.GetEventRecorder("example.com/raw").Eventf(pod("web"), nil, corev1.EventTypeNormal, reason, "Do", "y")
		m.GetEventRecorderFor("old").Event(pod("web"), corev1.EventTypeNormal, reason, "z")
	}
	path := filepath.Join(t.TempDir(), "filter")
	if err := os.WriteFile(path, []byte("drop reason=Third"), 0o600); err != nil {
		t.Fatal(err)
	}
	add(t, m, func(ctx context.Context) {
		record("First")
		m.SetFilter(broadcaster.Filter{})
		record("Second")
		if err := m.WatchFilter(ctx, path); err != nil {
			t.Error(err)
		}
		record("Third")
		if err := m.WatchFilter(ctx, path+"x"); err == nil {
			t.Error("a file that is not there is no error")
		}
	})
	if err := run(t, m); err != nil {
		t.Fatal(err)
	}
	for _, w := range append(auto.all(), core.all()...) {
		if w.Reason != "Second" {
			t.Errorf("stored %s", w.Reason)
		}
	}
	s := m.events.snapshot(0)
	if m.Stats().Lost.Disabled != 6 || m.Stats().Written != 3 || len(s.Filter) != 1 || s.Filter[0] != (broadcaster.FilterRule{Rule: "drop reason=Third", Dropped: 3}) {
		t.Errorf("account %+v, filter %v", m.Stats(), s.Filter)
	}
}
