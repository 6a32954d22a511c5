package lint

import (
	"golang.org/x/mod/semver"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var leftover = &Rule{
	ID:       diag.PastRemoveAfter,
	Name:     "past-remove-after",
	Doc:      "An event that was to be removed after a release is still there in a later one.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			d := e.Lifecycle.Deprecated
			if d == nil || !d.RemoveAfter.Set() {
				continue
			}
			switch last := d.RemoveAfter.Value; {
			case !semver.IsValid(last):
				p.Reportf(c, e, d.RemoveAfter.Pos, "removeAfter: expected a version such as v1.6.0, found %q", last)
			case p.Release != "" && semver.Compare(p.Release, last) > 0:
				p.Reportf(c, e, d.RemoveAfter.Pos, "the event was to be removed after %s, and %s is later", last, p.Release)
			}
		}
	},
}
