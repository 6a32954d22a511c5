package lint

import (
	"golang.org/x/mod/semver"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var removedBeforeSince = &Rule{
	ID:       diag.RemovedBeforeSince,
	Name:     "removed-before-since",
	Doc:      "An event can't be removed after a release that is older than the first one with it.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			since, d := e.Lifecycle.Since, e.Lifecycle.Deprecated
			if since.Set() && !semver.IsValid(since.Value) {
				p.Reportf(c, e, since.Pos, "since: expected a version such as v1.2.0, found %q", since.Value)
			} else if since.Set() && d != nil && semver.IsValid(d.RemoveAfter.Value) && semver.Compare(d.RemoveAfter.Value, since.Value) < 0 {
				p.Reportf(c, e, d.RemoveAfter.Pos, "removeAfter is %s, but the event exists only since %s", d.RemoveAfter.Value, since.Value)
			}
		}
	},
}
