package correlator

import (
	"math"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
	"github.com/event-gen/event-gen/runtime/internal/bucket"
)

// never is a moment that does not come.
const never = time.Duration(math.MaxInt64)

// maxBudget bounds burst × every, so that no sum of moments overflows.
const maxBudget = time.Duration(math.MaxInt64 / 4)

// orDefault returns a definition's value, else the default; never less than one.
func orDefault[T int | time.Duration](said, otherwise T) T {
	if said > 0 {
		return said
	}
	return max(otherwise, 1)
}

func (c *Correlator) window(def *runtime.Definition) time.Duration {
	if w := def.Correlation.Window; w > 0 {
		return w
	}
	return c.opts.Window
}

// resolve makes the identity of a first occurrence, or returns the aggregate that it folds into. o is
// its object, or nil if there is none yet.
func (c *Correlator) resolve(o *store.Object, objectHash, hash uint32, e *runtime.Event, now runtime.Instant) *store.Identity {
	o, g := c.groupFor(o, objectHash, hash, e, now)
	if c.folds(g, e, now) {
		return c.fold(o, g, hash, e, now)
	}
	return c.held.AddIdentity(o, g, e.Definition(), c.detail(e), hash, c.nextSerial(now))
}

// groupFor returns the object and the group of an event. It first forgets an aggregate whose event has expired.
func (c *Correlator) groupFor(o *store.Object, objectHash, hash uint32, e *runtime.Event, now runtime.Instant) (*store.Object, *store.Group) {
	if o == nil {
		o = c.held.AddObject(e.Regarding(), objectHash, namesEvents(e.Regarding().Name))
	}
	g := c.held.Group(o, e.Definition())
	if a := c.held.Aggregate(g); a != nil && c.forget(a) { // the group, and the object, may have gone with it
		o, _ = c.find(objectHash, hash, e)
		return c.groupFor(o, objectHash, hash, e, now)
	}
	return o, g
}

// folds decides whether one more distinct event of a group folds into the group's aggregate: it does beyond threshold or budget.
// Otherwise the event counts against both.
func (c *Correlator) folds(g *store.Group, e *runtime.Event, now runtime.Instant) bool {
	if c.decided {
		return c.decision
	}
	if c.opts.NoAggregate || e.Definition().Correlation.NoAggregate {
		return false
	}
	p := &e.Definition().Correlation
	threshold := min(orDefault(p.Threshold, c.opts.Threshold), math.MaxUint16)
	burst := time.Duration(orDefault(p.Burst, c.opts.Burst))
	every := min(orDefault(p.Every, c.opts.Every), maxBudget/burst)
	if uint64(now.Mono/tick) >= uint64(g.WindowEnds) {
		g.Distinct, g.WindowEnds = 0, windowEnd(now.Mono+c.window(e.Definition())-1)
	}
	budget, ok := bucket.Take(g.Budget, now.Mono, burst*every, every)
	if int(g.Distinct) >= threshold || !ok {
		return true
	}
	g.Distinct++
	g.Budget = budget
	return false
}

// tick is the unit in which groups hold the end of a window.
const tick = 100 * time.Millisecond

// windowEnd converts a moment to ticks, rounded up so that no window is shorter than declared; at most 13 years.
func windowEnd(d time.Duration) uint32 {
	return uint32(min(uint64(max(0, d))/uint64(tick)+1, math.MaxUint32))
}

// fold returns the aggregate of a group, and notes there what it stands for.
func (c *Correlator) fold(o *store.Object, g *store.Group, hash uint32, e *runtime.Event, now runtime.Instant) *store.Identity {
	i := c.held.Aggregate(g)
	if i == nil {
		i = c.held.AddIdentity(o, g, e.Definition(), c.detail(e).Aggregating(), ^hash, c.nextSerial(now))
		c.held.SetAggregate(g, i)
	}
	c.held.Fold(i, hash, e.Definition(), func() store.Detail { return c.detail(e) })
	return i
}
