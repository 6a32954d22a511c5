package metrics_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/internal/fixture/cronjobevents"
	"github.com/event-gen/event-gen/runtime/internal/fixture/jobevents"
	"github.com/event-gen/event-gen/runtime/metrics"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

func Example() {
	b, err := broadcaster.New(broadcaster.Options{Sink: memory.New()})
	if err != nil {
		panic(err)
	}
	collector, err := metrics.New(b, metrics.Options{
		Definitions: slices.Concat(cronjobevents.Definitions(), jobevents.Definitions()),
	})
	if err != nil {
		panic(err)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collector)

	rec := cronjobevents.NewRecorder(eventrt.NewRecorder(b))
	cronJob := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "nightly"}}
	for range 3 {
		rec.JobAlreadyActive(cronJob)
	}
	if err := b.Shutdown(context.Background()); err != nil {
		panic(err)
	}

	families, err := registry.Gather()
	if err != nil {
		panic(err)
	}
	for _, f := range families {
		switch f.GetName() {
		case "event_gen_events_recorded_total", "event_gen_events_written_total":
			fmt.Println(f.GetName(), f.GetMetric()[0].GetCounter().GetValue())
		}
	}
	// Output:
	// event_gen_events_recorded_total 3
	// event_gen_events_written_total 3
}
