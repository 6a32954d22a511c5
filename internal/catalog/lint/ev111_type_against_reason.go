package lint

import (
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

var typeAgainstReason = &Rule{
	ID:       diag.TypeAgainstReason,
	Name:     "type-against-reason",
	Doc:      "A reason that names a failure needs type Warning, one that names a success Normal; otherwise alerts and people miss it.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		for c, id := range p.Identities() {
			tells := spell.Outcome(id.Reason.Value)
			if tells == "" || tells == id.Type.Value || !isType(id.Type) {
				continue
			}
			p.Reportf(c, id.Event, id.Reason.Pos, "reason %s reads as a %s, and the event is %s; give type: %s, or another reason",
				id.Reason.Value, outcomeWords[tells], id.Type.Value, tells)
		}
	},
}

// outcomeWords maps a type to the outcome of the reasons that fit it.
var outcomeWords = map[string]string{"Warning": "failure", "Normal": "success"}
