package scenario

import (
	"context"
	"time"

	"github.com/event-gen/event-gen/benchmarks/internal/measure"
	"github.com/event-gen/event-gen/benchmarks/internal/report"
	"github.com/event-gen/event-gen/benchmarks/internal/server"
	"github.com/event-gen/event-gen/benchmarks/internal/systems"
)

const (
	repeatsStored = "count stored"
	repeatsCalls  = "calls"
	repeatsRate   = "recorded a second"
)

// Repeats measures a tight loop that repeats one event a million times.
func Repeats(cfg Config) report.Result {
	n := cfg.pick(1_000_000, 100_000)
	var s measure.Series
	for range cfg.Rounds {
		for _, name := range systems.Names {
			repeats(&s, name, n)
		}
	}
	return report.Result{
		Tables: []report.Table{table("A tight loop: "+report.Number(float64(n))+" repeats of one event, then Shutdown", &s, systems.Names,
			[]figure{{name: repeatsStored}, {name: repeatsCalls}, {name: repeatsRate}},
			"An instant sink. The peers' loops end with the first tenth of a second: they only log what they drop.")},
		Verdicts: []report.Verdict{repeatsVerdict(&s, n)},
	}
}

func repeats(s *measure.Series, name string, n int) {
	api := &server.Server{Keep: true}
	sys := systems.New(name, api, systems.Options{})
	defer sys.Kill()
	about := systems.CronJob(1)
	start, done := time.Now(), 0
	for done < n && (name == systems.EventGen || done%100 != 0 || time.Since(start) < 100*time.Millisecond) {
		sys.Constant(about)
		done++
	}
	s.Add(repeatsRate, name, float64(done)/time.Since(start).Seconds())
	api.Quiet(quiet, never)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = sys.Shutdown(ctx) // what is stored shows what it has done
	api.Quiet(quiet, never)
	stored := 0
	for _, e := range api.Events() {
		stored += e.Count
	}
	s.Add(repeatsStored, name, float64(stored))
	s.Add(repeatsCalls, name, float64(api.Calls()))
}

func repeatsVerdict(s *measure.Series, n int) report.Verdict {
	stored, calls := s.Min(repeatsStored, systems.EventGen), s.Max(repeatsCalls, systems.EventGen)
	state := report.Missed
	if stored == float64(n) && calls <= 10 {
		state = report.Elsewhere
	}
	return report.Verdict{
		Scenario:  "10,000 repeats a second of one event for 100 s, real API server, watched",
		Threshold: "stored count exact, ≤ 10 writes; one tight-loop run of 1,000,000 exact",
		Measured:  "here only the tight loop, on a sink in memory: " + report.Number(stored) + " stored in " + report.Number(calls) + " calls; the rest is a test of test/e2e",
		State:     state,
	}
}
