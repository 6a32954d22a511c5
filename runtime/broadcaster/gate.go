package broadcaster

import (
	"sync"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
)

// gate is the correlator's gate behind a lock, for all workers, and the account of when it was closed.
type gate struct {
	mu sync.Mutex
	correlator.Gate
	outages outages
}

func (g *gate) pass(now time.Duration) (probe, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.Pass(now)
}

func (g *gate) unused(probe bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.Unused(probe)
}

// report takes up an answer and says whether the gate has opened, closed, or may let another probe pass, and what of that is
// to be said.
func (g *gate) report(probe bool, a runtime.Answer, now time.Duration) (changed bool, n news) {
	g.mu.Lock()
	defer g.mu.Unlock()
	before := g.Closed()
	g.Report(probe, a, now)
	after := g.Closed()
	return probe || before != after, g.outages.report(before, after, a, now)
}

// overdue says that an outage goes on for which it was too early when it began.
func (g *gate) overdue(now time.Duration) news {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.Closed() {
		return news{}
	}
	return g.outages.due(now)
}

// passage is what a gate lets through.
type passage uint8

const (
	all      passage = iota // the gate is open
	oneProbe                // closed, but a probe is due
	later                   // closed until a probe is due
	none                    // closed, and a probe is out
)

// next says what may pass now; at is when a probe will be due, if that is later.
func (g *gate) next(now time.Duration) (p passage, at time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	at, waiting := g.Wake()
	switch {
	case !g.Closed():
		return all, 0
	case !waiting:
		return none, 0
	case at <= now:
		return oneProbe, 0
	}
	return later, at
}
