package scenario

import (
	"fmt"
	"time"

	batchv1 "k8s.io/api/batch/v1"

	"github.com/event-gen/event-gen/benchmarks/internal/measure"
	"github.com/event-gen/event-gen/benchmarks/internal/report"
	"github.com/event-gen/event-gen/benchmarks/internal/server"
	"github.com/event-gen/event-gen/benchmarks/internal/systems"
)

// Call is a way of recording whose time and memory are the caller's.
type Call struct {
	Name string
	// First says that every call makes an event of its own; otherwise all calls are occurrences of one.
	First bool
	// Make prepares the calls of a turn; the result makes call i of n.
	Make func(s systems.System, n int) func(i int)
}

// Calls are the ways of recording.
var Calls = []Call{
	{Name: "repeat, constant text", Make: repeatConstant},
	{Name: "repeat, unchanged args", Make: repeatArgs},
	{Name: "first occurrence, two string args, distinct objects", First: true, Make: firstObjects},
	{Name: "first occurrence, two string args, distinct texts", First: true, Make: firstTexts},
}

func repeatConstant(s systems.System, _ int) func(int) {
	about := systems.CronJob(1)
	return func(int) { s.Constant(about) }
}

func repeatArgs(s systems.System, _ int) func(int) {
	about := systems.CronJob(1)
	return func(int) { s.TwoArgs(about, "nightly-backup-of-shop-1", batchv1.JobComplete) }
}

// firstObjects uses an object again once a thousand others have had their turn, with a new UID, as one that was deleted and
// made anew. So the garbage collector is not busy with the objects of the benchmark.
func firstObjects(s systems.System, n int) func(int) {
	objects, uids := systems.CronJobs(min(n, 1000)), systems.UIDs(n)
	return func(i int) {
		about := objects[i%len(objects)]
		about.UID = uids[i]
		s.TwoArgs(about, "nightly-backup-of-shop-1", batchv1.JobComplete)
	}
}

// firstTexts spreads texts over a thousand objects.
func firstTexts(s systems.System, n int) func(int) {
	objects, jobs := systems.CronJobs(min(n, 1000)), systems.Jobs(n)
	return func(i int) { s.TwoArgs(objects[i%len(objects)], jobs[i], batchv1.JobComplete) }
}

// Options set a recorder up for the call: where every text is an event of its own, nothing may fold.
func (c Call) Options() systems.Options { return systems.Options{Unlimited: c.First} }

// Distinct is how many events so many calls make.
func (c Call) Distinct(calls int) int {
	if c.First {
		return calls
	}
	return min(calls, 1)
}

// burst is a number of calls that no recorder's queue is too short for.
const burst = 250

// alone is the unit of the time of a call while the sink hangs.
const alone = ", ns, background at rest"

// Emit measures what recording costs the caller.
func Emit(cfg Config) report.Result {
	var s measure.Series
	for range cfg.Rounds {
		for _, c := range Calls {
			for _, name := range systems.Names {
				s.Add(c.Name+", ns", name, c.time(name, cfg.pick(40, 10)))
				s.Add(c.Name+alone, name, c.timeAlone(name, cfg.pick(40, 10)))
				bytes, allocations := c.allocations(name)
				s.Add(c.Name+", bytes", name, bytes)
				s.Add(c.Name+", allocations", name, allocations)
			}
		}
	}
	return report.Result{
		Tables:   []report.Table{emitTable(&s)},
		Verdicts: emitVerdicts(&s),
		Panels: []report.Panel{
			panel("Record a repeat: the caller's time", "ns", report.Lower, &s, Calls[0].Name+", ns"),
			panel("Record a first occurrence: the caller's time", "ns", report.Lower, &s, Calls[2].Name+", ns"),
		},
	}
}

// time is the nanoseconds of a call with a server that takes everything at once.
func (c Call) time(name string, bursts int) float64 {
	sys := systems.New(name, &server.Server{}, c.Options())
	defer sys.Kill()
	call := c.Make(sys, bursts*burst)
	if !c.First {
		call(0)
	}
	return measure.Bursts{Count: bursts, Size: burst, Settle: func(n int) { sys.Settle(n, c.Distinct(n)) }}.Run(call)
}

// timeAlone is the nanoseconds of a call while the server hangs, so that nothing goes on but the calls.
func (c Call) timeAlone(name string, bursts int) float64 {
	const warm = burst
	call, end := c.alone(name, warm+bursts*burst)
	defer end()
	return measure.Bursts{Count: bursts, Size: burst, Settle: passOn}.Run(func(i int) { call(warm + i) })
}

// allocations counts what a call allocates while the server hangs.
func (c Call) allocations(name string) (bytes, count float64) {
	const warm, bursts = burst, 8
	call, end := c.alone(name, warm+bursts*burst)
	defer end()
	return measure.Allocations(bursts*burst, func() {
		measure.Bursts{Count: bursts, Size: burst, Settle: passOn}.Run(func(i int) { call(warm + i) })
	})
}

// alone sets a recorder up whose server hangs, and makes a burst of n calls, so that all its workers have something to wait for.
func (c Call) alone(name string, n int) (call func(i int), end func()) {
	s := &server.Server{}
	release := s.Hang()
	sys := systems.New(name, s, c.Options())
	call = c.Make(sys, n)
	for i := range burst {
		call(i)
	}
	time.Sleep(quiet)
	return call, func() {
		release()
		sys.Kill()
	}
}

// passOn lets queues pass on what is in them, to queues further on where it is dropped.
func passOn(int) { time.Sleep(time.Millisecond) }

func emitTable(s *measure.Series) report.Table {
	var figures []figure
	for _, c := range Calls {
		for _, unit := range []string{", ns", alone, ", bytes", ", allocations"} {
			figures = append(figures, figure{c.Name + unit, report.Lower})
		}
	}
	return table("Emit: one call", s, systems.Names, figures,
		fmt.Sprintf("Time is the caller's wall time with a sink that takes everything at once, which has the background compete for the processors: the median of bursts of %d calls, after each of which the background comes to rest, untimed. This leaves most of garbage collection out, in favour of whoever allocates. Background at rest: the same while the sink hangs and every worker waits for it, as with a server that takes its time; bytes and allocations are counted then. That leaves the calls alone for `record` and `event-gen`; `events` takes every event up in a goroutine of its own even then, and what these allocate is counted. `record` and `events` are called as Kubernetes' CronJob controller calls them; `event-gen` is the generated recorder of `examples/cronjobevents`. Aggregation is off where every call makes an event of its own.", burst))
}

func emitVerdicts(s *measure.Series) []report.Verdict {
	repeat := []string{Calls[0].Name, Calls[1].Name}
	first := []string{Calls[2].Name, Calls[3].Name}
	return []report.Verdict{
		emitVerdict(s, "record a repeat, constant text or unchanged args", repeat, 15, 0),
		emitVerdict(s, "record a first occurrence with two string args", first, 4, 3),
	}
}

func emitVerdict(s *measure.Series, scenario string, calls []string, faster, allocations float64) report.Verdict {
	v := report.Verdict{
		Scenario:  scenario,
		Threshold: fmt.Sprintf("%v× less caller time than record, at most %v allocations", faster, allocations),
		State:     report.Met,
	}
	for i, c := range calls {
		ratio := s.Ratio(c+", ns", systems.Record, systems.EventGen)
		allocated := s.Median(c+", allocations", systems.EventGen)
		if ratio.Value < faster || allocated > allocations+allocationNoise {
			v.State = report.Missed
		}
		if i > 0 {
			v.Measured += "; "
		}
		v.Measured += fmt.Sprintf("%s, background at rest %s, %s allocations", times(ratio), times(s.Ratio(c+alone, systems.Record, systems.EventGen)), report.Number(allocated))
	}
	return v
}

// allocationNoise is what other goroutines of the process, and tables that grow now and then, add to the allocations of one
// call.
const allocationNoise = 0.5
