package scenario

import (
	"fmt"

	batchv1 "k8s.io/api/batch/v1"

	"github.com/event-gen/event-gen/benchmarks/internal/measure"
	"github.com/event-gen/event-gen/benchmarks/internal/report"
	"github.com/event-gen/event-gen/benchmarks/internal/server"
	"github.com/event-gen/event-gen/benchmarks/internal/systems"
)

const (
	parallelRepeats = "repeats"
	parallelFirst   = "first occurrences"
	parallelAlone   = "first occurrences, background at rest"
)

func goroutinesFigure(what string, goroutines int) string {
	return fmt.Sprintf("%s, goroutines: %d, wall ns an event", what, goroutines)
}

// Parallel measures recording by two goroutines, each about objects of its own.
func Parallel(cfg Config) report.Result {
	var s measure.Series
	for range cfg.Rounds {
		for _, goroutines := range []int{1, 2} {
			for _, name := range systems.Names {
				s.Add(goroutinesFigure(parallelRepeats, goroutines), name, repeatsTogether(name, goroutines, cfg))
				s.Add(goroutinesFigure(parallelFirst, goroutines), name, firstsTogether(name, goroutines, cfg, false))
				s.Add(goroutinesFigure(parallelAlone, goroutines), name, firstsTogether(name, goroutines, cfg, true))
			}
		}
	}
	figures := []figure{
		{goroutinesFigure(parallelRepeats, 1), report.Lower}, {goroutinesFigure(parallelRepeats, 2), report.Lower},
		{goroutinesFigure(parallelAlone, 1), report.Lower}, {goroutinesFigure(parallelAlone, 2), report.Lower},
		{goroutinesFigure(parallelFirst, 1), report.Lower}, {goroutinesFigure(parallelFirst, 2), report.Lower},
	}
	return report.Result{
		Tables: []report.Table{table("Emit: two goroutines", &s, systems.Names, figures,
			"Wall time from the start of the goroutines to the end of the last, divided by the events of all. Each goroutine records about 1,000 objects of its own. Bursts are as long as the peers' queues let them be, and longer for event-gen, which has no queue. Background at rest: the sink hangs, so that nothing but the calls uses the processors. Otherwise it takes everything at once, and what is written of first occurrences keeps one of two processors busy, so that a second goroutine only takes turns with it.")},
		Verdicts: []report.Verdict{parallelVerdict(&s)},
	}
}

func repeatsTogether(name string, goroutines int, cfg Config) float64 {
	const objects = 1000
	sys := systems.New(name, &server.Server{}, systems.Options{})
	defer sys.Kill()
	about := systems.CronJobs(objects * goroutines)
	size := backlog(name) / goroutines
	call := func(g, i int) { sys.Constant(about[g*objects+i%objects]) }
	bursts := measure.Bursts{Count: cfg.pick(30, 10), Size: size, Settle: func(n int) { sys.Settle(n, 0) }}
	return bursts.RunParallel(goroutines, call)
}

func firstsTogether(name string, goroutines int, cfg Config, alone bool) float64 {
	const objects, size = 1000, 250
	count := cfg.pick(30, 10)
	api := &server.Server{}
	if alone {
		defer api.Hang()()
	}
	sys := systems.New(name, api, systems.Options{Unlimited: true})
	defer sys.Kill()
	about, jobs := systems.CronJobs(objects*goroutines), systems.Jobs(count*size)
	call := func(g, i int) { sys.TwoArgs(about[g*objects+i%objects], jobs[i], batchv1.JobComplete) }
	settle := func(n int) { sys.Settle(n, n) }
	if alone {
		settle = passOn
	}
	return measure.Bursts{Count: count, Size: size, Settle: settle}.RunParallel(goroutines, call)
}

// backlog is how many events may be recorded at once without the recorder losing one for want of room.
func backlog(name string) int {
	if name == systems.EventGen {
		return 20_000
	}
	return 800
}

func parallelVerdict(s *measure.Series) report.Verdict {
	ratio := s.RatioOf(goroutinesFigure(parallelRepeats, 2), goroutinesFigure(parallelRepeats, 1), systems.EventGen)
	first := s.RatioOf(goroutinesFigure(parallelAlone, 2), goroutinesFigure(parallelAlone, 1), systems.EventGen)
	busy := s.RatioOf(goroutinesFigure(parallelFirst, 2), goroutinesFigure(parallelFirst, 1), systems.EventGen)
	return report.Verdict{
		Scenario:  "two goroutines on distinct objects",
		Threshold: "wall time per event no higher than with one goroutine",
		Measured:  fmt.Sprintf("repeats %s, first occurrences %s of one goroutine's (%s while the background writes, which needs a processor of its own)", times(ratio), times(first), times(busy)),
		State:     report.Is(ratio.Value <= 1 && first.Value <= 1),
	}
}
