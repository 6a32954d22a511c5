package lint

import (
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var undocumented = &Rule{
	ID:       diag.NoDoc,
	Name:     "no-doc",
	Doc:      "An event without doc gives on-call people nothing but its message.",
	Severity: diag.Info,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			if e.Doc.Summary.Value != "" {
				continue
			}
			variants := variantsOf(e)
			documented := func(v catalog.Variant) bool { return v.Doc.Summary.Value != "" }
			if !slices.ContainsFunc(variants, documented) {
				p.Reportf(c, e, e.Pos, "the event has no doc; describe what it means and what to do")
				continue
			}
			for _, v := range variants {
				if !documented(v) {
					p.Reportf(c, e, v.Pos, "neither the variant nor the event has a doc; describe what it means and what to do")
				}
			}
		}
	},
}
