package metrics_test

import (
	"context"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/metrics"
)

func BenchmarkRepeatWithMetrics(b *testing.B) {
	bc, err := broadcaster.New(broadcaster.Options{Sink: target{}})
	if err != nil {
		b.Fatal(err)
	}
	defer bc.Shutdown(context.Background())
	c, err := metrics.New(bc, metrics.Options{Definitions: []*eventrt.Definition{failed}})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	e := event(failed, "web")
	b.ReportAllocs()
	for b.Loop() {
		bc.Publish(e)
	}
}

func BenchmarkScrape(b *testing.B) {
	bc, err := broadcaster.New(broadcaster.Options{Sink: target{}})
	if err != nil {
		b.Fatal(err)
	}
	defer bc.Shutdown(context.Background())
	c, err := metrics.New(bc, metrics.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	registry := prometheus.NewRegistry()
	registry.MustRegister(c)
	for b.Loop() {
		if _, err := registry.Gather(); err != nil {
			b.Fatal(err)
		}
	}
}
