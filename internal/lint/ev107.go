package lint

import (
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/diag"
)

var reasonWithBothTypes = &Rule{
	ID:       "EV107",
	Name:     "reason-with-both-types",
	Doc:      "An alert on the reason fires for good news too if one reason is both Normal and Warning.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		first := map[string]catalog.Identity{}
		reported := map[string]bool{}
		for _, id := range p.Identities() {
			reason := id.Reason.Value
			before, found := first[reason]
			if !found {
				first[reason] = id
				continue
			}
			if before.Type.Value != id.Type.Value && !reported[reason] {
				reported[reason] = true
				p.Reportf(id.Event, id.Pos, "reason %s is %s here and %s at %s", reason, id.Type.Value, before.Type.Value, before.Pos)
			}
		}
	},
}
