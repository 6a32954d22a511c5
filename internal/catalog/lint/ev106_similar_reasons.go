package lint

import (
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

var similarReasons = &Rule{
	ID:       diag.SimilarReasons,
	Name:     "similar-reasons",
	Doc:      "People mix up two reasons that differ only by case, plural, word order or a letter or two, and an alert matches one of them.",
	Severity: diag.Warning,
	Across:   true,
	Run: func(p *Pass) {
		var names spell.Names[catalog.Scalar]
		seen := map[string]bool{}
		for c, id := range identities(p.readable()) {
			reason := id.Reason
			if !reason.Set() || seen[reason.Value] || p.reported[report{diag.UnknownType, reason.Pos}] {
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
