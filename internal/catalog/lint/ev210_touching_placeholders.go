package lint

import (
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var touchingPlaceholders = &Rule{
	ID:       diag.TouchingPlaceholders,
	Name:     "touching-placeholders",
	Doc:      "If two placeholders touch, a message can't be read back to its params.",
	Severity: diag.Info,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			for _, m := range messages(e) {
				p.checkTouching(c, e, m.Segments)
			}
		}
	},
}

func (p *Pass) checkTouching(c *catalog.Catalog, e *catalog.Event, segments []catalog.Segment) {
	for i := 1; i < len(segments); i++ {
		before, s := segments[i-1], segments[i]
		if before.Placeholder == "" || s.Placeholder == "" {
			continue
		}
		if _, prefix := optionOf(c, e, s.Placeholder); prefix.Value == "" {
			p.Reportf(c, e, s.Pos, "{%s} touches {%s}, so the message can't be read back to its params", s.Placeholder, before.Placeholder)
		}
	}
}
