package lint

import "github.com/event-gen/event-gen/internal/diag"

var undocumented = &Rule{
	ID:       diag.NoDoc,
	Name:     "no-doc",
	Doc:      "An event without doc leaves those who meet it at night with its message alone.",
	Severity: diag.Info,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			if e.Doc.Summary.Value == "" {
				p.Reportf(c, e, e.Pos, "the event has no doc: what it means, and what to do")
			}
		}
	},
}
