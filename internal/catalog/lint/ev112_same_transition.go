package lint

import (
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var sameTransition = &Rule{
	ID:       diag.SameTransition,
	Name:     "same-transition",
	Doc:      "Of two events that stand for the same transition of a kind's condition, only the first would be recorded.",
	Severity: diag.Error,
	Run: func(p *Pass) {
		type key struct {
			catalog                                   *catalog.Catalog
			object, condition, status, reason, former string
		}
		first := map[key]diag.Pos{}
		for c, e := range p.Events() {
			about := c.About(e)
			if e.On == nil || about == nil {
				continue
			}
			for _, alias := range about.Objects {
				k := key{c, alias.Value, e.On.Condition.Value, e.On.Status.Value, e.On.Reason.Value, e.On.From.Value}
				if before, found := first[k]; found {
					p.Reportf(c, e, e.On.Pos, "the event at %s stands for the same transition of %s; give one of them a reason or a former status (from)", before, alias.Value)
					break
				}
				first[k] = e.On.Pos
			}
		}
	},
}
