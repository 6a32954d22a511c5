package lint

import (
	"strings"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// ownDomain is the domain of the annotations that the run time writes.
const ownDomain = "event-gen.github.io"

var reservedAnnotation = &Rule{
	ID:       diag.ReservedAnnotation,
	Name:     "reserved-annotation",
	Doc:      "The run time writes annotations of event-gen.github.io itself, so it overwrites a catalog's, or tools misread them.",
	Severity: diag.Error,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			for i := range e.Annotations {
				key := e.Annotations[i].Key
				domain, _, qualified := strings.Cut(key.Value, "/")
				if qualified && (domain == ownDomain || strings.HasSuffix(domain, "."+ownDomain)) {
					p.Reportf(c, e, key.Pos, "annotation %s is of %s, which belongs to the run time; use a domain of your own", key.Value, ownDomain)
				}
			}
		}
	},
}
