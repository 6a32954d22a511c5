package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/event-gen/event-gen/benchmarks/internal/correlating"
	"github.com/event-gen/event-gen/benchmarks/internal/logs"
	"github.com/event-gen/event-gen/benchmarks/internal/measure"
	"github.com/event-gen/event-gen/benchmarks/internal/scenario"
	"github.com/event-gen/event-gen/benchmarks/internal/server"
	"github.com/event-gen/event-gen/benchmarks/internal/systems"
)

func TestMain(m *testing.M) {
	logs.Mute()
	os.Exit(m.Run())
}

// burst is as many calls as no recorder's queue is too short for.
const burst = 250

// BenchmarkEmit is the caller's time of one call, in bursts between which the clock stands still. Its allocations are those
// of the background, too.
func BenchmarkEmit(b *testing.B) {
	for _, c := range scenario.Calls {
		for _, name := range systems.Names {
			b.Run(word(c.Name)+"/"+name, func(b *testing.B) { emit(b, c, name) })
		}
	}
}

func emit(b *testing.B, c scenario.Call, name string) {
	sys := systems.New(name, &server.Server{}, c.Options())
	defer sys.Kill()
	call := c.Make(sys, b.N+1)
	call(0)
	b.ReportAllocs()
	b.ResetTimer()
	for done := 1; done <= b.N; {
		until := min(done+burst, b.N+1)
		for ; done < until; done++ {
			call(done)
		}
		b.StopTimer()
		sys.Settle(done, c.Distinct(done))
		b.StartTimer()
	}
}

// BenchmarkCaller is the same while the sink hangs, so that nothing but the calls uses the processor.
func BenchmarkCaller(b *testing.B) {
	for _, c := range scenario.Calls {
		for _, name := range systems.Names {
			b.Run(word(c.Name)+"/"+name, func(b *testing.B) { caller(b, c, name) })
		}
	}
}

func caller(b *testing.B, c scenario.Call, name string) {
	api := &server.Server{}
	release := api.Hang()
	sys := systems.New(name, api, c.Options())
	defer sys.Kill()
	defer release()
	call := c.Make(sys, b.N+1)
	call(0)
	b.ReportAllocs()
	b.ResetTimer()
	for done := 1; done <= b.N; {
		until := min(done+burst, b.N+1)
		for ; done < until; done++ {
			call(done)
		}
		if name != systems.EventGen {
			b.StopTimer()
			time.Sleep(time.Millisecond) // lets queues pass on what is in them
			b.StartTimer()
		}
	}
}

// BenchmarkCorrelate is one occurrence, with the patch for it.
func BenchmarkCorrelate(b *testing.B) {
	for _, kind := range correlating.Kinds {
		for _, objects := range []struct {
			name string
			n    int
		}{{"1", 1}, {"1000", 1000}, {"100000", 100_000}} {
			b.Run(kind.Name+"/"+objects.name+"/record", func(b *testing.B) {
				correlate(b, func() correlating.Contender { return correlating.NewRecord(kind, objects.n, b.N, 1<<20) })
			})
			b.Run(kind.Name+"/"+objects.name+"/event-gen", func(b *testing.B) {
				correlate(b, func() correlating.Contender { return correlating.NewEventGen(kind, objects.n, b.N) })
			})
		}
	}
}

func correlate(b *testing.B, contender func() correlating.Contender) {
	c := contender()
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		c.Occur()
	}
}

// BenchmarkHold reports the bytes that a live identity costs.
func BenchmarkHold(b *testing.B) {
	for _, name := range systems.Names {
		b.Run(name, func(b *testing.B) {
			var s measure.Series
			scenario.Hold(&s, name, max(b.N, 20_000))
			b.ReportMetric(s.Median(scenario.HoldEach, name), "B/object")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkHTTP2 reports the processor time of both ends for each event, and the rate.
func BenchmarkHTTP2(b *testing.B) {
	for _, name := range systems.Names {
		b.Run(name, func(b *testing.B) {
			var s measure.Series
			scenario.OverHTTP2(&s, name, max(b.N, 1000))
			b.ReportMetric(s.Median(scenario.HTTP2CPU, name), "CPU-µs/event")
			b.ReportMetric(s.Median(scenario.HTTP2Rate, name), "events/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// word makes one word of the name of a benchmark.
func word(s string) string {
	return strings.NewReplacer(", ", ",", " ", "-").Replace(s)
}
