package lint

import (
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var withoutRunbook = &Rule{
	ID:       diag.NoRunbook,
	Name:     "no-runbook",
	Doc:      "A Warning asks somebody to act, and a runbook tells how.",
	Severity: diag.Info,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			if e.Doc.Runbook.Value == "" && warnsWithout(c, e) {
				p.Reportf(c, e, e.Pos, "the event is a Warning and has no doc.runbook")
			}
		}
	},
}

// warnsWithout reports whether an identity of an event is a Warning whose variant has no runbook.
func warnsWithout(c *catalog.Catalog, e *catalog.Event) bool {
	variants := docsOf(e)[1:]
	for i, id := range c.Identities(e) {
		if id.Type.Value == "Warning" && (i >= len(variants) || variants[i].Runbook.Value == "") {
			return true
		}
	}
	return false
}
