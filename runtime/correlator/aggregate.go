package correlator

import (
	"cmp"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/dispatch"
)

// maxDistinct is the number of distinct messages that an aggregate tells apart.
const maxDistinct = 1024

// orDefault returns a definition's value, else the default; never less than one.
func orDefault[T int | time.Duration](said, otherwise T) T {
	if said > 0 {
		return said
	}
	return max(otherwise, 1)
}

func (c *Correlator) window(def *eventrt.Definition) time.Duration {
	if w := def.Correlation.Window; w > 0 {
		return w
	}
	return c.opts.tuning.Window
}

// sameGroup reports whether events of one object and controller share limits and aggregate. An
// aggregate has one schedule, so a definition with a schedule of its own has a group of its own.
func sameGroup(a, b *eventrt.Definition) bool {
	return sameDefinition(a, b) || !isAlone(a) && !isAlone(b) && a.Reason == b.Reason && a.Type == b.Type
}

// groupOf returns the group of the current event, whose object is o, or nil if there is none yet.
// It first forgets an aggregate whose event has expired.
func (c *Correlator) groupOf(o *object, e *eventrt.Event) *group {
	def, controller := e.Definition(), cmp.Or(e.ReportingController(), c.writer.ReportingController)
	if o == nil {
		o = c.addObject(e)
	}
	g := o.groups
	for g != nil && (g.reporter.controller != controller || !sameGroup(g.def, def)) {
		g = g.next
	}
	if g == nil {
		if g = &o.first; g.object != nil {
			g = new(group)
		}
		*g = group{object: o, reporter: c.reporter(controller), def: def, next: o.groups}
		c.bytes += g.bytes()
		o.groups = g
	}
	// the group, and the object, may have gone with it
	if a := g.aggregate; a != nil && c.forget(a) {
		return c.groupOf(c.findObject(e.Regarding()), e)
	}
	return g
}

// resolve makes the record of a first occurrence, or returns the aggregate that counts it.
func (c *Correlator) resolve(o *object, e *eventrt.Event) *record {
	g := c.groupOf(o, e)
	if c.aggregates(g, e) {
		return c.intoAggregate(g, e)
	}
	r := c.add(g, e, nil)
	c.records.Insert(r.hash, r)
	return r
}

// aggregates decides whether one more distinct event of a group is aggregated: if it
// exceeds threshold or budget. Otherwise the event counts against both.
func (c *Correlator) aggregates(g *group, e *eventrt.Event) bool {
	if c.decision != byBudget {
		return c.decision == combined
	}
	p := &e.Definition().Correlation
	if c.opts.Burst < 0 || p.NoAggregate {
		return false
	}
	burst := time.Duration(orDefault(p.Burst, c.opts.Burst))
	every := min(orDefault(p.Every, c.opts.Every), dispatch.MaxBudget/burst)
	if c.now >= g.windowEnds {
		g.distinct, g.windowEnds = 0, c.now+min(c.window(e.Definition()), dispatch.MaxBudget)
	}
	budget, ok := dispatch.SpendToken(g.budget, c.now, burst*every, every)
	if int(g.distinct) >= orDefault(p.Threshold, c.opts.tuning.Threshold) || !ok {
		return true
	}
	g.distinct++
	g.budget = budget
	return false
}

// intoAggregate returns the aggregate of a group, and notes in it the event that it now stands for.
func (c *Correlator) intoAggregate(g *group, e *eventrt.Event) *record {
	if g.aggregate == nil {
		g.aggregate = c.add(g, e, &aggregated{distinct: map[uint64]struct{}{}})
	}
	r := g.aggregate
	f := r.more.aggregated
	if f.def != nil && f.hash == c.hash {
		return r
	}
	c.bytes -= r.bytes()
	if len(f.distinct) < maxDistinct {
		f.distinct[c.hash] = struct{}{}
	}
	f.def, f.hash, f.args, f.related = e.Definition(), c.hash, internals.CloneArgs(e.Args()), *e.Related()
	cloneReference(&f.related)
	c.bytes += r.bytes()
	return r
}

// isAlone reports whether events of a definition share limits and aggregate with no other
// definition of their reason. An aggregate has one schedule, so an event with a pace of its own has
// an aggregate of its own.
func isAlone(def *eventrt.Definition) bool {
	return def.Correlation.Interval > 0 || def.Correlation.Limit != nil
}
