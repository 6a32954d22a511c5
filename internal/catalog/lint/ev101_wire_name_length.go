package lint

import (
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// maxNameBytes bounds reason and action (kubernetes pkg/apis/core/validation/events.go).
const maxNameBytes = 128

var wireNameLength = &Rule{
	ID:       diag.WireNameLength,
	Name:     "wire-name-length",
	Doc:      "The API server rejects a reason or action that is empty or longer than 128 bytes.",
	Severity: diag.Error,
	Run: func(p *Pass) {
		for c, id := range p.Identities() {
			p.checkLength(c, id, "reason", id.Reason)
			p.checkLength(c, id, "action", id.Action)
		}
	},
}

func (p *Pass) checkLength(c *catalog.Catalog, id catalog.Identity, key string, s catalog.Scalar) {
	switch {
	case !s.Set():
	case s.Value == "":
		p.Reportf(c, id.Event, s.Pos, "the %s is empty", key)
	case len(s.Value) > maxNameBytes:
		p.Reportf(c, id.Event, s.Pos, "the %s has %d bytes; at most %d are accepted", key, len(s.Value), maxNameBytes)
	}
}
