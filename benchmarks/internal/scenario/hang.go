package scenario

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/benchmarks/internal/measure"
	"github.com/event-gen/event-gen/benchmarks/internal/report"
	"github.com/event-gen/event-gen/benchmarks/internal/server"
	"github.com/event-gen/event-gen/benchmarks/internal/systems"
	eventrt "github.com/event-gen/event-gen/runtime"
)

const (
	hangGoroutines = 1000
	hangTexts      = 4096
	hangBound      = 65_536

	hangRate       = "recorded a second, hanging sink"
	nothingRate    = "recorded a second, sink that does nothing"
	hangMB         = "heap MB at the end, hanging sink"
	hangIdentities = "identities held"
	hangWarnings   = "Warnings lost"
	hangShed       = "Normal lost, counted as shed, %"
	hangUncounted  = "losses not counted"
)

// Hang measures recording by many goroutines in a closed loop while the sink hangs.
func Hang(cfg Config) report.Result {
	var s measure.Series
	for round := range cfg.Rounds {
		for _, name := range systems.Names {
			runClosedLoop(&s, name, nothingRate, duration(cfg, name))
			runClosedLoop(&s, name, hangRate, hangingTurn(cfg, name, round))
		}
	}
	return report.Result{
		Tables: []report.Table{table("Hanging sink: 1,000 goroutines in a closed loop", &s, systems.Names, []figure{
			{name: nothingRate}, {name: hangRate}, {name: hangMB}, {name: hangIdentities}, {name: hangShed}, {name: hangWarnings}, {name: hangUncounted},
		},
			fmt.Sprintf("Each goroutine records about an object of its own: one Warning, and %d distinct Normal events in turn, with aggregation off, which are more than event-gen's bound of %s identities here has room for. The first of event-gen's turns with a hanging sink lasts a minute, the others two seconds. Once the loops have ended, event-gen's sink comes back, and what is stored is compared with what was recorded and counted. The peers' goroutines end after a twentieth of the time: what they drop is only logged, and memory grows with it. Their rates are what their callers get through, most of it lost.", hangTexts, report.Number(hangBound)))},
		Verdicts: []report.Verdict{hangVerdict(&s)},
	}
}

// loop counts what closed loops have recorded.
type loop struct {
	stop             atomic.Bool
	normal, warnings atomic.Int64
}

func runClosedLoop(s *measure.Series, name, figure string, d time.Duration) {
	hanging := figure == hangRate
	api := &server.Server{Keep: hanging}
	release := func() {}
	if hanging {
		release = api.Hang()
	}
	sys := systems.New(name, api, systems.Options{Unlimited: true, Bound: hangBound})
	defer sys.Kill()
	defer release()
	var l loop
	before := restingHeap()
	wall := l.run(sys, d)
	s.Add(figure, name, float64(l.normal.Load()+l.warnings.Load())/wall.Seconds())
	if hanging {
		s.Add(hangMB, name, (float64(measure.Heap())-float64(before))/1e6)
		l.account(s, sys, api, release)
	}
	runtime.KeepAlive(sys)
}

func duration(cfg Config, name string) time.Duration {
	d := time.Duration(cfg.pick(2000, 1000)) * time.Millisecond
	if name != systems.EventGen {
		d /= 20
	}
	return d
}

// hangingTurn is the duration of a turn while the sink hangs: a minute for event-gen's first, in which nothing may grow.
func hangingTurn(cfg Config, name string, round int) time.Duration {
	if name == systems.EventGen && round == 0 && !cfg.Quick {
		return time.Minute
	}
	return duration(cfg, name)
}

// run has the goroutines record until the time is over.
func (l *loop) run(sys systems.System, d time.Duration) time.Duration {
	objects, jobs := systems.CronJobs(hangGoroutines), systems.Jobs(hangTexts)
	var all sync.WaitGroup
	start := time.Now()
	for _, about := range objects {
		all.Go(func() { l.record(sys, about, jobs) })
	}
	time.Sleep(d)
	l.stop.Store(true)
	all.Wait()
	return time.Since(start)
}

func (l *loop) record(sys systems.System, about *cronJob, jobs []string) {
	sys.Urgent(about)
	l.warnings.Add(1)
	n := 0
	for ; !l.stop.Load(); n++ {
		sys.Distinct(about, jobs[n%len(jobs)])
		if n%burst == burst-1 {
			runtime.Gosched() // all take turns, however few processors there are
		}
	}
	l.normal.Add(int64(n))
}

// account compares what was recorded with what is stored after the sink has come back, for the recorder that says what it
// has lost.
func (l *loop) account(s *measure.Series, sys systems.System, api *server.Server, release func()) {
	b := systems.Broadcaster(sys)
	if b == nil {
		return
	}
	s.Add(hangIdentities, systems.EventGen, float64(b.Stats().Identities))
	release()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	_ = sys.Shutdown(ctx) // what is left is in the stats
	st := b.Stats()
	normal, warnings := l.normal.Load(), l.warnings.Load()
	storedNormal, storedWarnings := int64(api.Occurrences(corev1.EventTypeNormal)), int64(api.Occurrences(corev1.EventTypeWarning))
	s.Add(hangWarnings, systems.EventGen, float64(warnings-storedWarnings))
	s.Add(hangShed, systems.EventGen, 100*float64(st.Lost.Shed)/float64(normal))
	s.Add(hangUncounted, systems.EventGen, float64(uncounted(st, normal+warnings, storedNormal+storedWarnings)))
}

// uncounted is by how much what is stored and what is counted as lost miss what was recorded.
func uncounted(st eventrt.Stats, recorded, stored int64) int64 {
	lost := int64(st.Lost.Total())
	return max(recorded-stored-lost, stored+lost-recorded, int64(st.Recorded)-recorded)
}

func hangVerdict(s *measure.Series) report.Verdict {
	ratio := s.RatioOf(hangRate, nothingRate, systems.EventGen)
	held, mb := s.Max(hangIdentities, systems.EventGen), s.Max(hangMB, systems.EventGen)
	warnings, uncounted := s.Max(hangWarnings, systems.EventGen), s.Max(hangUncounted, systems.EventGen)
	return report.Verdict{
		Scenario:  "hanging sink, 1,000 goroutines in a closed loop for a minute",
		Threshold: "≥ 90% of the rate with a sink that does nothing; memory within the configured bound; Warning outlives Normal; every loss counted",
		Measured: fmt.Sprintf("%s of the rate; %s identities of %s, %s MB; %s Warnings lost; %s losses not counted",
			times(ratio), report.Number(held), report.Number(hangBound), report.Number(mb), report.Number(warnings), report.Number(uncounted)),
		State: report.Is(ratio.Value >= 0.9 && held <= hangBound && warnings == 0 && uncounted == 0),
	}
}
