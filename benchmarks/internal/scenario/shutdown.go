package scenario

import (
	"context"
	"time"

	batchv1 "k8s.io/api/batch/v1"

	"github.com/event-gen/event-gen/benchmarks/internal/measure"
	"github.com/event-gen/event-gen/benchmarks/internal/report"
	"github.com/event-gen/event-gen/benchmarks/internal/server"
	"github.com/event-gen/event-gen/benchmarks/internal/systems"
)

// cronJob is short for what all events are about.
type cronJob = batchv1.CronJob

const (
	shutdownWritten = "written when Shutdown returns"
	shutdownLater   = "written 3 s later"
	shutdownTook    = "Shutdown took, ms"
)

// Shutdown measures what is written of events that were recorded just before the end.
func Shutdown(cfg Config) report.Result {
	var s measure.Series
	for range cfg.Rounds {
		for _, name := range systems.Names {
			shutDown(&s, name)
		}
	}
	figures := []figure{{name: shutdownWritten}, {name: shutdownTook}, {name: shutdownLater}}
	return report.Result{
		Tables: []report.Table{table("Shutdown: 500 events on 100 objects, 2 ms sink", &s, systems.Names, figures,
			"A process ends soon after Shutdown has returned; what is written later is shown for a process that would wait, with no more than Shutdown called.")},
		Verdicts: []report.Verdict{shutdownVerdict(&s)},
		Panels:   []report.Panel{panel("Written of 500 events when Shutdown returns", "", report.Higher, &s, shutdownWritten)},
	}
}

func shutDown(s *measure.Series, name string) {
	const n = 500
	api := &server.Server{Latency: 2 * time.Millisecond}
	sys := systems.New(name, api, systems.Options{})
	defer sys.Kill()
	objects, jobs := systems.CronJobs(100), systems.Jobs(n)
	for i, job := range jobs {
		sys.Distinct(objects[i%len(objects)], job)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	start := time.Now()
	err := sys.Shutdown(ctx)
	took, written := time.Since(start), api.Acknowledged()
	if err != nil {
		written = -1
	}
	s.Add(shutdownWritten, name, float64(written))
	s.Add(shutdownTook, name, float64(took.Microseconds())/1000)
	api.Quiet(200*time.Millisecond, func() bool { return time.Since(start) > 3*time.Second || api.Acknowledged() == n })
	s.Add(shutdownLater, name, float64(api.Acknowledged()))
}

func shutdownVerdict(s *measure.Series) report.Verdict {
	written, took := s.Min(shutdownWritten, systems.EventGen), s.Median(shutdownTook, systems.EventGen)
	return report.Verdict{
		Scenario:  "500 events on 100 objects, then shutdown, 2 ms sink",
		Threshold: "all written when it returns, under 0.3 s",
		Measured:  report.Number(written) + " written, in " + report.Number(took) + " ms",
		State:     report.Is(written == 500 && took < 300),
	}
}
