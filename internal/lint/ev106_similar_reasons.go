package lint

import (
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/spell"
	"github.com/event-gen/event-gen/internal/diag"
)

var similarReasons = &Rule{
	ID:       diag.SimilarReasons,
	Name:     "similar-reasons",
	Doc:      "Two reasons that differ by case, plural, the order of their words or a letter or two are taken for each other, and alerts match one of them.",
	Severity: diag.Warning,
	Across:   true,
	Run: func(p *Pass) {
		var names spell.Names[catalog.Scalar]
		seen := map[string]bool{}
		for c, id := range p.readableIdentities() {
			reason := id.Reason
			if !reason.Set() || seen[reason.Value] {
				continue
			}
			seen[reason.Value] = true
			if other, found := names.Add(reason.Value, reason); found {
				p.Reportf(c, id.Event, reason.Pos, "reason %s is easily taken for %s at %s; use one of them, or names further apart",
					reason.Value, other.Value, other.Pos)
			}
		}
	},
}
