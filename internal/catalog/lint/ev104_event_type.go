package lint

import (
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var eventType = &Rule{
	ID:       diag.EventType,
	Name:     "event-type",
	Doc:      "The API server knows the types Normal and Warning.",
	Severity: diag.Error,
	Run: func(p *Pass) {
		for _, c := range p.Catalogs {
			p.checkType(c, nil, c.Defaults.Type)
		}
		for c, e := range p.Events() {
			p.checkType(c, e, e.Type)
			for _, v := range variantsOf(e) {
				p.checkType(c, e, v.Type)
			}
		}
	},
}

func (p *Pass) checkType(c *catalog.Catalog, e *catalog.Event, s catalog.Scalar) {
	if s.Set() && !isType(s) {
		p.Reportf(c, e, s.Pos, "type: expected Normal or Warning, found %q", s.Value)
	}
}

func isType(s catalog.Scalar) bool { return s.Value == "Normal" || s.Value == "Warning" }
