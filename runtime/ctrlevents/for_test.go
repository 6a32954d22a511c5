package ctrlevents

import (
	"context"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/event-gen/event-gen/runtime/internal/fixture/cronjobevents"
)

var nightly = &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "nightly", UID: "1"}}

// TestFor: the recorder of a generated package finds the pipeline behind a manager.Manager, and
// behind its recorder, and its reasons have metrics.
func TestFor(t *testing.T) {
	for name, recorderOf := range map[string]func(m manager.Manager) cronjobevents.Recorder{
		"cronjob-controller": func(m manager.Manager) cronjobevents.Recorder { return cronjobevents.For(m) },
		"example.com/another": func(m manager.Manager) cronjobevents.Recorder {
			return cronjobevents.FromEvents(m.GetEventRecorder("example.com/another"))
		},
	} {
		t.Run(name, func(t *testing.T) { testFor(t, name, recorderOf) })
	}
}

func testFor(t *testing.T, controller string, recorderOf func(manager.Manager) cronjobevents.Recorder) {
	t.Helper()
	m, auto, core := newManager(t, quiet(), Options{})
	events := recorderOf(m)
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "nightly-1", UID: "2"}}
	add(t, m, func(context.Context) { events.SuccessfulCreate(nightly, job) })
	if err := run(t, m); err != nil {
		t.Fatal(err)
	}
	all := auto.all()
	if len(all) != 1 || len(core.all()) != 0 {
		t.Fatalf("%d and %d writes", len(all), len(core.all()))
	}
	if w := all[0]; w.Reason != "SuccessfulCreate" || w.ReportingController != controller || w.Related.Name != "nightly-1" {
		t.Errorf("stored %+v", w)
	}
	if !countsReason(t, "SuccessfulCreate") {
		t.Error("the reason has no metrics of its own")
	}
}

// countsReason reports whether a metric of controller-runtime's registry has a reason as a label.
func countsReason(t *testing.T, reason string) bool {
	t.Helper()
	families, err := ctrlmetrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			for _, l := range m.GetLabel() {
				if l.GetName() == "reason" && l.GetValue() == reason {
					return true
				}
			}
		}
	}
	return false
}

// TestForAnotherManager: behind a manager of controller-runtime's alone, the recorder calls the
// manager's.
func TestForAnotherManager(t *testing.T) {
	inner, err := manager.New(nowhere, quiet())
	if err != nil {
		t.Fatal(err)
	}
	cronjobevents.For(inner) // it compiles, and has nothing to record
}
