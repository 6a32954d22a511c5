package lint

import (
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var pointlessLimit = &Rule{
	ID:       diag.PointlessLimit,
	Name:     "pointless-limit",
	Doc:      "With correlation.interval, a window or a limit on distinct messages has no effect if an object has one such event at most.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			own, defaults := e.Correlation, c.Defaults.Correlation
			if own == nil {
				own = &catalog.Correlation{}
			}
			if defaults == nil || own.Interval.Set() {
				defaults = &catalog.Correlation{} // other events may need the defaults
			}
			if p.valid(catalog.First(own.Interval, defaults.Interval)) {
				p.checkPointless(c, e, own, defaults)
			}
		}
	},
}

func (p *Pass) checkPointless(c *catalog.Catalog, e *catalog.Event, own, defaults *catalog.Correlation) {
	single := p.oneEventPerObject(c, e)
	// with false, every distinct message is an event
	if !single && c.Policy(e).Aggregate.Value != "false" {
		return
	}
	why := "aggregate: false counts no messages"
	if single {
		why = "an object has one such event"
	}
	for _, limit := range []struct {
		key           string
		own, defaults catalog.Scalar
		applies       bool
	}{
		{"window", own.Window, defaults.Window, true},
		{"threshold", own.Threshold, defaults.Threshold, single},
		{"budget.burst", own.Burst, defaults.Burst, single},
		{"budget.every", own.Every, defaults.Every, single},
	} {
		if given := catalog.First(limit.own, limit.defaults); limit.applies && p.valid(given) {
			p.Reportf(c, e, given.Pos, "%s has no effect: interval sets the time between writes, and %s; leave it out", limit.key, why)
		}
	}
}

// oneEventPerObject reports whether all occurrences about one object are one event. An error in the
// event may hide why they are not.
func (p *Pass) oneEventPerObject(c *catalog.Catalog, e *catalog.Event) bool {
	key, explicit := keyOf(c, e)
	about := c.About(e)
	if !explicit && len(e.Params) > 0 || len(key) > 0 || e.Related != nil || about == nil || about.Container.Set() || p.mistaken(e) {
		return false
	}
	return !slices.ContainsFunc(slices.Concat(about.Objects, e.AlsoOn), func(alias catalog.Scalar) bool {
		// its reference may name a part of an object
		o := objectOf(c, alias.Value)
		return o.Type.Value == "any" || p.unknownKind(o)
	})
}
