package lint

import (
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/diag"
)

var unusedLimit = &Rule{
	ID:       diag.UnusedLimit,
	Name:     "unused-limit",
	Doc:      "A limit that no event names holds nothing back.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		for _, c := range p.Catalogs {
			if c.Incomplete || slices.ContainsFunc(c.Events, func(e catalog.Event) bool { return e.Incomplete }) {
				continue // what could not be read may name it
			}
			p.checkLimits(c)
		}
	},
}

func (p *Pass) checkLimits(c *catalog.Catalog) {
	named := map[string]bool{}
	for i := range c.Events {
		for _, correlation := range []*catalog.Correlation{c.Events[i].Correlation, c.Defaults.Correlation} {
			if correlation != nil && correlation.Limit.Set() {
				named[correlation.Limit.Value] = true
				break
			}
		}
	}
	for _, l := range c.Limits {
		if !named[l.Name.Value] {
			p.Reportf(c, nil, l.Name.Pos, "no event has correlation.limit: %s", l.Name.Value)
		}
	}
}
