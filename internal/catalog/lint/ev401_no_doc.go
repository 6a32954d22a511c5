package lint

import "github.com/event-gen/event-gen/internal/plumbing/diag"

var undocumented = &Rule{
	ID:       diag.NoDoc,
	Name:     "no-doc",
	Doc:      "An event without doc gives on-call people nothing but its message.",
	Severity: diag.Info,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			if e.Doc.Summary.Value == "" {
				p.Reportf(c, e, e.Pos, "the event has no doc; describe what it means and what to do")
			}
		}
	},
}
