package ctrlevents

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"
)

// metric sums up a metric of controller-runtime's registry; -1: there is none, or more than one
// family.
func metric(t *testing.T, name string) float64 {
	t.Helper()
	families, err := ctrlmetrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() != name {
			continue
		}
		sum := 0.0
		for _, m := range f.GetMetric() {
			sum += m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
		return sum
	}
	return -1
}

// TestTwoManagersShareTheRegistry: metrics are registered once, count all managers, and do not go
// back when one ends.
func TestTwoManagersShareTheRegistry(t *testing.T) {
	first, _, _ := newManager(t, quiet(), Options{})
	before := metric(t, "event_gen_events_written_total")
	accepted, writes := metric(t, "event_gen_events_accepted_total"), metric(t, "event_gen_write_duration_seconds")
	if before < 0 || accepted < 0 {
		t.Fatal("no metrics")
	}
	second, _, _ := newManager(t, quiet(), Options{})
	silent, _, _ := newManager(t, quiet(), Options{NoMetrics: true})
	for _, m := range []*Manager{first, second, silent} {
		add(t, m, func(context.Context) {
			m.Events().Forward(pod("web"), corev1.EventTypeNormal, "Counted", "", "x")
			m.GetEventRecorderFor("old").Event(pod("web"), corev1.EventTypeNormal, "Counted", "x")
		})
		if err := run(t, m); err != nil {
			t.Fatal(err)
		}
	}
	if got := metric(t, "event_gen_events_written_total") - before; got != 4 {
		t.Errorf("%v events counted, want 4", got)
	}
	if got := metric(t, "event_gen_events_accepted_total") - accepted; got != 4 {
		t.Errorf("%v events counted by reason, want 4", got)
	}
	if got := metric(t, "event_gen_write_duration_seconds") - writes; got != 4 {
		t.Errorf("%v writes measured, want 4", got)
	}
	newManager(t, quiet(), Options{})
	process.mu.Lock()
	defer process.mu.Unlock()
	if len(process.pipelines) > 0 {
		t.Errorf("%d managers that have ended, or were never used, are held", len(process.pipelines))
	}
}
