package benchmarks

import (
	"context"
	"fmt"
	"runtime"
	"testing"
)

// heap is the number of bytes in use after garbage collection.
func heap() float64 {
	var m runtime.MemStats
	for range 3 { // finalizers and pools need more than one
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// BenchmarkHeld is what 90,000 events cost in memory, each about an object of its own, and how much
// of that Stats.Bytes counts.
func BenchmarkHeld(b *testing.B) {
	const events = 90_000
	shapes := []struct {
		name      string
		namespace func(n int) string
		pending   bool
	}{
		{"idle", func(int) string { return "benchmarks" }, false},
		{"idle-in-many-namespaces", func(n int) string { return fmt.Sprint("ns-", n) }, false},
		{"pending", func(int) string { return "benchmarks" }, true},
		{"pending-in-many-namespaces", func(n int) string { return fmt.Sprint("ns-", n) }, true},
	}
	for _, s := range shapes {
		b.Run("shape="+s.name+"/recorder=event-gen", func(b *testing.B) {
			for b.Loop() {
				sink := &store{}
				if s.pending {
					sink.hang = make(chan struct{})
				}
				r := newEventGen(sink, options{unlimited: true}).(*eventGen)
				before := heap()
				for n := range events {
					r.Distinct(cronJob(s.namespace(n), n), jobName(n))
				}
				if !s.pending {
					r.Settle(0, events)
				}
				grown := heap() - before
				b.ReportMetric(grown/events, "B/event")
				b.ReportMetric(100*float64(r.b.Stats().Bytes)/grown, "%-counted")
				if s.pending {
					close(sink.hang)
				}
				ended, cancel := context.WithCancel(context.Background())
				cancel()
				_ = r.Shutdown(ended)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
