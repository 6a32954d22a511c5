package lint

import "github.com/event-gen/event-gen/internal/plumbing/diag"

var errorInDefaultKey = &Rule{
	ID:       diag.ErrorInDefaultKey,
	Name:     "error-in-default-key",
	Doc:      "Without a correlation key, an error is part of the key, so each new text of it is a series of its own.",
	Severity: diag.Info,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			if _, explicit := keyOf(c, e); explicit {
				continue
			}
			for _, param := range e.Params {
				if declared := c.Declaration(param); declared.Type.Value == "error" && !declared.Sensitive.True() {
					p.Reportf(c, e, param.Pos, "error %s is part of the key, as no correlation.key is given; name the params that tell occurrences apart, or none: key: []",
						param.Name.Value)
				}
			}
		}
	},
}
