package lint

import (
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var reasonWithBothTypes = &Rule{
	ID:       diag.ReasonWithBothTypes,
	Name:     "reason-with-both-types",
	Doc:      "An alert on the reason fires for good news too if one controller's reason is both Normal and Warning.",
	Severity: diag.Warning,
	Across:   true,
	Run: func(p *Pass) {
		type key struct {
			reporter reporter
			reason   string
		}
		first := map[key]catalog.Identity{}
		reported := map[key]bool{}
		for c, id := range p.Identities() {
			k := key{reporterOf(c, id), id.Reason.Value}
			before, found := first[k]
			switch {
			case !isType(id.Type):
			case !found:
				first[k] = id
			case before.Type.Value != id.Type.Value && !reported[k]:
				reported[k] = true
				p.Reportf(c, id.Event, id.Pos, "reason %s is %s here and %s at %s", k.reason, id.Type.Value, before.Type.Value, before.Pos)
			}
		}
	},
}
