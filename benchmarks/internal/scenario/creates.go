package scenario

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/event-gen/event-gen/benchmarks/internal/measure"
	"github.com/event-gen/event-gen/benchmarks/internal/report"
	"github.com/event-gen/event-gen/benchmarks/internal/server"
	"github.com/event-gen/event-gen/benchmarks/internal/systems"
)

// recordUnlimited is tools/record with aggregation and budgets off.
const recordUnlimited = "record, no budgets"

// sleepers are goroutines that only sleep as long as a write takes.
const sleepers = "8 sleepers"

var createsColumns = []string{systems.Record, recordUnlimited, systems.Events, systems.EventGen}

// createsFigures are the figures of a server with a latency.
type createsFigures struct{ written, wall, inFlight, goroutines string }

func createsFiguresOf(latency time.Duration) createsFigures {
	what := "instant sink"
	if latency > 0 {
		what = fmt.Sprintf("%v sink", latency)
	}
	return createsFigures{what + ": written", what + ": wall ms", what + ": most in flight", what + ": goroutines"}
}

const createsLatency = 2 * time.Millisecond

// Creates measures a storm of events that are all distinct, recorded as fast as one goroutine can.
func Creates(cfg Config) report.Result {
	n := cfg.pick(20_000, 4_000)
	var s measure.Series
	for range cfg.Rounds {
		for _, latency := range []time.Duration{0, createsLatency} {
			for _, name := range createsColumns {
				createAll(&s, name, n, latency)
			}
		}
		s.Add(createsFiguresOf(createsLatency).wall, sleepers, float64(sleepAll(n).Milliseconds()))
	}
	instant, slow := createsFiguresOf(0), createsFiguresOf(createsLatency)
	return report.Result{
		Tables: []report.Table{table(fmt.Sprintf("%s distinct creates on 1,000 objects", report.Number(float64(n))), &s,
			append(createsColumns[:len(createsColumns):len(createsColumns)], sleepers), []figure{
				{name: instant.written}, {name: instant.wall}, {name: instant.inFlight}, {name: instant.goroutines},
				{name: slow.written}, {name: slow.wall}, {name: slow.inFlight}, {name: slow.goroutines},
			},
			"Every event has a text of its own. `record` writes some of them into aggregates, and loses what its queues have no room for; the second column has its aggregation and budgets off. For `events` each has an action of its own, since it would take them for one otherwise. `event-gen` has aggregation off. Wall time ends with the last write; goroutines are those beyond the ones before. A recorder that writes less is not faster.")},
		Verdicts: []report.Verdict{createsVerdict(&s, n)},
		Panels:   []report.Panel{panel(fmt.Sprintf("Written of %s distinct events, 2 ms sink", report.Number(float64(n))), "", report.Higher, &s, slow.written)},
	}
}

func createAll(s *measure.Series, name string, n int, latency time.Duration) {
	figures := createsFiguresOf(latency)
	api := &server.Server{Latency: latency}
	objects, jobs := systems.CronJobs(1000), systems.Jobs(n)
	before := runtime.NumGoroutine()
	most := measure.Goroutines()
	sys := systems.New(contender(name), api, systems.Options{Unlimited: name != systems.Record})
	defer sys.Kill()
	start := time.Now()
	for i, job := range jobs {
		sys.Distinct(objects[i%len(objects)], job)
	}
	api.Quiet(quiet+10*latency, func() bool { return api.Acknowledged() >= int64(n) })
	s.Add(figures.written, name, float64(api.Acknowledged()))
	s.Add(figures.wall, name, float64(api.LastAt().Sub(start).Milliseconds()))
	s.Add(figures.inFlight, name, float64(api.MostInFlight()))
	s.Add(figures.goroutines, name, float64(most()-before-1)) // the one that counts them is not the recorder's
}

// contender is the system that a column shows.
func contender(column string) string {
	if column == recordUnlimited {
		return systems.Record
	}
	return column
}

// sleepAll is the wall time of eight goroutines that share n sleeps.
func sleepAll(n int) time.Duration {
	var left atomic.Int64
	left.Store(int64(n))
	start := time.Now()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				time.Sleep(createsLatency)
			}
		})
	}
	all.Wait()
	return time.Since(start)
}

func createsVerdict(s *measure.Series, n int) report.Verdict {
	f := createsFiguresOf(createsLatency)
	written, most := s.Min(f.written, systems.EventGen), s.Max(f.inFlight, systems.EventGen)
	ratio := s.Ratio(f.wall, systems.EventGen, sleepers)
	return report.Verdict{
		Scenario:  fmt.Sprintf("%s distinct creates (aggregation off), 1,000 objects, 2 ms sink, 8 workers", report.Number(float64(n))),
		Threshold: "all written, at most 8 in flight, wall time ≤ 1.15× of 8 goroutines that only sleep",
		Measured:  fmt.Sprintf("%s written, %s in flight, %s of sleepers", report.Number(written), report.Number(most), times(ratio)),
		State:     report.Is(written == float64(n) && most <= 8 && ratio.Value <= 1.15),
	}
}
