package scenario

import (
	"fmt"
	"runtime"
	"time"

	"github.com/event-gen/event-gen/benchmarks/internal/logs"
	"github.com/event-gen/event-gen/benchmarks/internal/measure"
	"github.com/event-gen/event-gen/benchmarks/internal/report"
	"github.com/event-gen/event-gen/benchmarks/internal/server"
	"github.com/event-gen/event-gen/benchmarks/internal/systems"
)

// flow is work whose cost is that of the whole process, from the call until the background has nothing more to do.
type flow struct {
	name    string
	call    Call
	options systems.Options
	// settled waits until so many calls have had all their effects; the zero value: until each call was written.
	settled func(sys systems.System, api *server.Server, name string, calls int)
	bursts  int
}

const (
	processCPU         = ": CPU ns of the process"
	processCaller      = ": ns of the caller"
	processAllocations = ": allocations"
	processBytes       = ": bytes"
)

// eachItsOwn is the last of Calls, made so that tools/events takes each for an event of its own, too.
var eachItsOwn = Call{Name: Calls[3].Name, First: true, Make: func(s systems.System, n int) func(int) {
	objects, jobs := systems.CronJobs(min(n, 1000)), systems.Jobs(n)
	return func(i int) { s.Distinct(objects[i%len(objects)], jobs[i]) }
}}

var (
	distinctObjects = flow{name: "distinct objects", call: Calls[2], options: Calls[2].Options(), settled: eachWritten, bursts: 40}
	distinctTexts   = flow{name: "distinct texts", call: eachItsOwn, options: eachItsOwn.Options(), settled: eachWritten, bursts: 40}
	defaultRepeats  = flow{name: "repeat", call: Calls[0], settled: eachTakenUp, bursts: 40}
	repeatsWritten  = flow{name: "repeat, budgets off", call: Calls[0], options: systems.Options{Unlimited: true}, settled: repeatsAreWritten, bursts: 20}
	repeatsLogged   = flow{name: "repeat, with a log", call: Calls[0], options: systems.Options{Log: true}, settled: eachLogged, bursts: 40}
	distinctLogged  = flow{name: "distinct texts, with a log", call: eachItsOwn, options: systems.Options{Unlimited: true, Log: true}, settled: eachLoggedAndWritten, bursts: 40}

	flows = []flow{distinctObjects, distinctTexts, defaultRepeats, repeatsWritten, repeatsLogged, distinctLogged}
)

// Process measures what an occurrence costs the whole process: the caller, and the background until a sink that does nothing has
// answered.
func Process(cfg Config) report.Result {
	var s measure.Series
	for range cfg.Rounds {
		for i := range flows {
			for _, name := range systems.Names {
				flows[i].run(&s, name, cfg)
			}
		}
	}
	return report.Result{
		Tables:   []report.Table{processTable(&s)},
		Verdicts: []report.Verdict{distinctVerdict(&s), loggedVerdict(&s)},
		Panels:   []report.Panel{panel("A distinct event: processor time of the whole process", "ns", report.Lower, &s, distinctObjects.name+processCPU)},
	}
}

// run has a contender do the work, and adds the figures to s.
func (f *flow) run(s *measure.Series, name string, cfg Config) {
	api := &server.Server{}
	sys := systems.New(name, api, f.options)
	defer sys.Kill()
	bursts := cfg.pick(f.bursts, f.bursts/4)
	call := f.call.Make(sys, (bursts+1)*burst)
	logged := logs.Occurred()
	settle := func(calls int) { f.settled(sys, api, name, calls) }
	if f.options.Log {
		settle = func(calls int) {
			f.settled(sys, api, name, calls)
			await(func() bool { return logs.Occurred()-logged >= int64(calls) })
		}
	}
	for i := range burst {
		call(i)
	}
	settle(burst)
	runtime.GC()
	var caller float64
	cpu := measure.CPU()
	bytes, allocations := measure.Allocations(bursts*burst, func() {
		caller = measure.Bursts{Count: bursts, Size: burst, Settle: func(n int) { settle(burst + n) }}.
			Run(func(i int) { call(burst + i) })
	})
	s.Add(f.name+processCPU, name, float64(measure.CPU()-cpu)/float64(bursts*burst))
	s.Add(f.name+processCaller, name, caller)
	s.Add(f.name+processBytes, name, bytes)
	s.Add(f.name+processAllocations, name, allocations)
}

// eachWritten: each call is an event of its own.
func eachWritten(_ systems.System, api *server.Server, _ string, calls int) { api.Await(int64(calls)) }

// eachTakenUp: budgets and schedules say what is written; nothing of it is waited for.
func eachTakenUp(sys systems.System, _ *server.Server, _ string, calls int) { sys.Settle(calls, 1) }

// repeatsAreWritten: tools/record writes each repeat, tools/events the first, event-gen what its schedule says.
func repeatsAreWritten(sys systems.System, api *server.Server, name string, calls int) {
	if name == systems.Record {
		api.Await(int64(calls))
		return
	}
	eachTakenUp(sys, api, name, calls)
}

// eachLogged and eachLoggedAndWritten wait for the log's lines besides.
func eachLogged(systems.System, *server.Server, string, int) {}

func eachLoggedAndWritten(sys systems.System, api *server.Server, name string, calls int) {
	eachWritten(sys, api, name, calls)
}

// await waits for what nobody tells. It looks so seldom that this costs next to nothing.
func await(done func() bool) {
	for start := time.Now(); !done(); time.Sleep(200 * time.Microsecond) {
		if time.Since(start) > 30*time.Second {
			panic("a recorder has not come to rest within 30 s")
		}
	}
}

func processTable(s *measure.Series) report.Table {
	var figures []figure
	for i := range flows {
		for _, unit := range []string{processCPU, processCaller, processAllocations, processBytes} {
			figures = append(figures, figure{flows[i].name + unit, report.Lower})
		}
	}
	return table("The whole process: one occurrence", s, systems.Names, figures,
		fmt.Sprintf("Processor time of the process (getrusage), from the calls until the background has nothing more to do, in bursts of %d calls; the caller's time is the median of the bursts' wall times. Garbage collection counts, and so do all goroutines. *distinct*: every call is an event, aggregation and budgets are off, and the sink, which does nothing, has answered for each. *repeat*: one event again and again with each recorder's defaults, which have tools/record write 25 of them and drop the rest. *budgets off*: tools/record writes each. event-gen counts all of them, and writes when its schedule says. *with a log*: each recorder's own subscriber logs to klog, whose output is counted and thrown away; the time until the last line counts.", burst))
}

func distinctVerdict(s *measure.Series) report.Verdict {
	v := report.Verdict{
		Scenario:  "a distinct event, from the call until a sink that does nothing has answered",
		Threshold: "at most 1/3 of record's CPU of the whole process and 1/3 of its caller time; at most 4 allocations",
		State:     report.Met,
	}
	for i, f := range []*flow{&distinctObjects, &distinctTexts} {
		cpu, caller := s.Ratio(f.name+processCPU, systems.Record, systems.EventGen), s.Ratio(f.name+processCaller, systems.Record, systems.EventGen)
		allocations := s.Median(f.name+processAllocations, systems.EventGen)
		if cpu.Value < 3 || caller.Value < 3 || allocations > 4+allocationNoise {
			v.State = report.Missed
		}
		if i > 0 {
			v.Measured += "; "
		}
		v.Measured += fmt.Sprintf("%s: CPU %s less, caller %s less, %s allocations", f.name, times(cpu), times(caller), report.Number(allocations))
	}
	return v
}

func loggedVerdict(s *measure.Series) report.Verdict {
	caller := s.Ratio(repeatsLogged.name+processCaller, systems.Record, systems.EventGen)
	cpu := s.Ratio(repeatsLogged.name+processCPU, systems.Record, systems.EventGen)
	return report.Verdict{
		Scenario:  "a repeat while a subscriber logs",
		Threshold: "3.5× less caller time than record",
		Measured:  fmt.Sprintf("%s; CPU of the whole process, the log included, %s", times(caller), times(cpu)),
		State:     report.Is(caller.Value >= 3.5),
	}
}
