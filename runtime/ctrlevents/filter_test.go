package ctrlevents

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/eventfilter"
)

// TestAFilterHoldsForAllEvents: from the options, from SetFilter and from a file, for typed events
// and for both kinds of recorders.
func TestAFilterHoldsForAllEvents(t *testing.T) {
	var f eventfilter.Filter
	if err := f.Set("drop reason=First"); err != nil {
		t.Fatal(err)
	}
	m, auto, core := newManager(t, quiet(), Options{Broadcaster: broadcaster.Options{Filter: &f}})
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
		m.SetFilter(nil)
		record("Second")
		m.SetFilter(&f)
		if err := f.Watch(ctx, path, logr.Discard()); err != nil {
			t.Error(err)
		}
		record("Third")
	})
	if err := run(t, m); err != nil {
		t.Fatal(err)
	}
	for _, w := range append(auto.all(), core.all()...) {
		if w.Reason != "Second" {
			t.Errorf("stored %s", w.Reason)
		}
	}
	if m.Stats().Lost.Disabled != 6 || m.Stats().Written != 3 {
		t.Errorf("account %+v", m.Stats())
	}
	// the broadcasters share the filter: it is shown once, with what it has dropped in all
	filters := m.events.snapshot().Filters
	if len(filters) != 1 {
		t.Fatalf("%d filters", len(filters))
	}
	for rule, dropped := range filters[0].(*eventfilter.Filter).Rules() {
		if rule != "drop reason=Third" || dropped != 3 {
			t.Errorf("%s has dropped %d", rule, dropped)
		}
	}
}
