package lint

import (
	"golang.org/x/mod/semver"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var leftover = &Rule{
	ID:       diag.PastRemoveAfter,
	Name:     "past-remove-after",
	Doc:      "An event or a former name that was to be removed after a release is still there in a later one.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			if d := e.Lifecycle.Deprecated; d != nil {
				p.checkLast(c, e, d.RemoveAfter, "the event")
			}
			for _, f := range e.Formerly {
				p.checkLast(c, e, f.RemoveAfter, "the former name "+f.Name.Value)
			}
		}
	},
}

// checkLast judges the last release with something.
func (p *Pass) checkLast(c *catalog.Catalog, e *catalog.Event, last catalog.Scalar, what string) {
	switch {
	case !last.Set():
	case !semver.IsValid(last.Value):
		p.Reportf(c, e, last.Pos, "removeAfter: expected a version such as v1.6.0, found %q", last.Value)
	case p.Release != "" && semver.Compare(p.Release, last.Value) > 0:
		p.Reportf(c, e, last.Pos, "%s was to be removed after %s, and %s is later", what, last.Value, p.Release)
	}
}
