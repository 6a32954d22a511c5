package scenario

import (
	"fmt"
	"runtime"
	"time"

	"github.com/event-gen/event-gen/benchmarks/internal/measure"
	"github.com/event-gen/event-gen/benchmarks/internal/report"
	"github.com/event-gen/event-gen/benchmarks/internal/server"
	"github.com/event-gen/event-gen/benchmarks/internal/systems"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

const (
	// HoldEach is the figure that Hold adds.
	HoldEach = "bytes an object"

	memoryAll  = "MB in all"
	memoryHeld = "identities held"
	memoryMB   = "MB in all, after distinct events without end"
)

// Memory measures what is held for events about many objects, after all were written.
func Memory(cfg Config) report.Result {
	n, flood := cfg.pick(100_000, 20_000), cfg.pick(1_000_000, 300_000)
	var s measure.Series
	for range cfg.Rounds {
		for _, name := range systems.Names {
			Hold(&s, name, n)
		}
	}
	holdCapped(&s, flood)
	return report.Result{
		Tables: []report.Table{
			table(fmt.Sprintf("Memory: %s events about as many objects, all written", report.Number(float64(n))), &s, systems.Names,
				[]figure{{HoldEach, report.Neither}, {memoryAll, report.Neither}},
				"Heap after garbage collection, less that before. Objects have names of 30 bytes and UIDs of 36, and are garbage themselves by then. `record` forgets all but 4,096 of them, `events` nothing until 6 minutes have passed; `event-gen` holds all.")},
		Verdicts: []report.Verdict{memoryVerdict(&s, n, flood)},
	}
}

// Hold records an event about each of n objects, and keeps none of these.
func Hold(s *measure.Series, name string, n int) {
	sys := systems.New(name, &server.Server{}, systems.Options{})
	defer sys.Kill()
	before := restingHeap()
	for i := range n {
		sys.Constant(systems.CronJob(i))
		if i%burst == burst-1 {
			sys.Settle(i+1, i+1)
		}
	}
	sys.Settle(n, n)
	held := float64(measure.Heap()) - float64(before)
	runtime.KeepAlive(sys)
	s.Add(HoldEach, name, held/float64(n))
	s.Add(memoryAll, name, held/1e6)
	if b := systems.Broadcaster(sys); b != nil {
		s.Add(memoryHeld, name, float64(b.Stats().Identities))
	}
}

// restingHeap is the heap in use once recorders that have ended are gone.
func restingHeap() uint64 {
	time.Sleep(quiet)
	return measure.Heap()
}

// flooded is the contender of the memory that a flood leaves behind.
const flooded = "flooded"

// holdCapped records about far more objects than event-gen's default bound has room for.
func holdCapped(s *measure.Series, n int) {
	sys := systems.New(systems.EventGen, &server.Server{}, systems.Options{})
	defer sys.Kill()
	before := restingHeap()
	for i := range n {
		sys.Constant(systems.CronJob(i))
	}
	held := float64(measure.Heap()) - float64(before)
	s.Add(memoryHeld, flooded, float64(systems.Broadcaster(sys).Stats().Identities))
	s.Add(memoryMB, flooded, held/1e6)
}

// estimate is how far the heap may be from what the recorder takes it to be, which its bound on bytes goes by.
const estimate = 1.1

func memoryVerdict(s *measure.Series, n, flood int) report.Verdict {
	each, held := s.Median(HoldEach, systems.EventGen), s.Min(memoryHeld, systems.EventGen)
	identities, mb := s.Max(memoryHeld, flooded), s.Max(memoryMB, flooded)
	const bound, boundMB = broadcaster.DefaultMaxIdentities, broadcaster.DefaultMaxBytes * estimate / 1e6
	return report.Verdict{
		Scenario:  fmt.Sprintf("%s live idle identities (36-byte UIDs, 30-byte names)", report.Number(float64(n))),
		Threshold: "heap difference after GC ≤ 256 bytes each; the cap holds at 1,000,000 distinct",
		Measured:  fmt.Sprintf("%s bytes each; after %s distinct, %s identities and %s MB are held", report.Number(each), report.Number(float64(flood)), report.Number(identities), report.Number(mb)),
		State:     report.Is(each <= 256 && held == float64(n) && identities <= bound && mb <= boundMB),
	}
}
