package lint

import (
	"regexp"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var upperCamelCase = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)

var camelCase = &Rule{
	ID:       diag.CamelCase,
	Name:     "camel-case",
	Doc:      "Reason and action are UpperCamelCase in the Kubernetes API conventions, and tools expect it.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		for c, id := range p.Identities() {
			p.checkCase(c, id, "reason", id.Reason)
			p.checkCase(c, id, "action", id.Action)
		}
	},
}

func (p *Pass) checkCase(c *catalog.Catalog, id catalog.Identity, key string, s catalog.Scalar) {
	if s.Set() && s.Value != "" && !upperCamelCase.MatchString(s.Value) && !p.reported[report{diag.GoName, s.Pos}] {
		p.Reportf(c, id.Event, s.Pos, "the %s %q is not UpperCamelCase", key, s.Value)
	}
}
