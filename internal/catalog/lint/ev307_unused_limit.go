package lint

import (
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var unusedLimit = &Rule{
	ID:       diag.UnusedLimit,
	Name:     "unused-limit",
	Doc:      "A limit that no event names holds nothing back.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		for _, c := range p.Catalogs {
			if whole(c) {
				p.checkLimits(c)
			}
		}
	},
}

func (p *Pass) checkLimits(c *catalog.Catalog) {
	named := map[string]bool{}
	for i := range c.Events {
		name := c.Policy(&c.Events[i]).Limit
		if p.reported[report{diag.InconsistentLimits, name.Pos}] {
			return // it may mean the unused one
		}
		named[name.Value] = true
	}
	for _, l := range c.Limits {
		if !named[l.Name.Value] && !p.reported[report{diag.GoName, l.Name.Pos}] {
			p.Reportf(c, nil, l.Name.Pos, "no event has correlation.limit: %s", l.Name.Value)
		}
	}
}
