package lint

import (
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var sensitiveElsewhere = &Rule{
	ID:       diag.SensitiveElsewhere,
	Name:     "sensitive-elsewhere",
	Doc:      "A sensitive param shows `<redacted>` in an annotation, and can't tell occurrences apart in a correlation key.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			sensitive := sensitiveParams(c, e)
			for i := range e.Annotations {
				for _, s := range e.Annotations[i].Value.Segments {
					if sensitive[s.Placeholder] {
						p.Reportf(c, e, s.Pos, "an annotation shows the sensitive param %s only as <redacted>; leave it out", s.Placeholder)
					}
				}
			}
			for _, key := range c.Policy(e).Key {
				if sensitive[key.Value] {
					p.Reportf(c, e, key.Pos, "the sensitive param %s is not stored, so a key can't tell occurrences apart by it; leave it out", key.Value)
				}
			}
		}
	},
}

func sensitiveParams(c *catalog.Catalog, e *catalog.Event) map[string]bool {
	names := map[string]bool{}
	for _, param := range e.Params {
		if c.Declaration(param).Sensitive.True() {
			names[param.Name.Value] = true
		}
	}
	return names
}
