package lint

import (
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var sharedReason = &Rule{
	ID:       diag.SharedReason,
	Name:     "shared-reason",
	Doc:      "Several events share controller, action and reason, so only their messages tell them apart.",
	Severity: diag.Info,
	Across:   true,
	Run: func(p *Pass) {
		type key struct {
			reporter       reporter
			action, reason string
		}
		first := map[key]catalog.Identity{}
		for c, id := range p.Identities() {
			k := key{reporterOf(c, id), id.Action.Value, id.Reason.Value}
			before, found := first[k]
			if !found {
				first[k] = id
			} else if before.Event != id.Event {
				p.Reportf(c, id.Event, id.Pos, "reason %s and action %s are those of the event at %s too; only the message tells them apart",
					k.reason, k.action, before.Pos)
			}
		}
	},
}
