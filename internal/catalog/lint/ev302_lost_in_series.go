package lint

import (
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var lostInSeries = &Rule{
	ID:       diag.LostInSeries,
	Name:     "lost-in-series",
	Doc:      "A key of defaults.correlation leaves out the params that other events have, so a series shows one of their values.",
	Severity: diag.Info,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			policy := c.Policy(e)
			// the author has chosen the key for this event
			own := e.Correlation != nil && e.Correlation.KeyPos.Line > 0
			if own || policy.KeyPos.Line == 0 || policy.Note.Value == "latest" || misnamed(c, e) {
				continue
			}
			shown := shownNames(e)
			for _, param := range e.Params {
				name := param.Name.Value
				if shown[name] && !p.wrong(param) && !sensitiveParams(c, e)[name] && !isKey(c, e, policy.Key, name) {
					p.Reportf(c, e, param.Pos, "param %s is not in the key that defaults.correlation gives, so a series shows one of its values; give the event a correlation.key of its own", name)
				}
			}
		}
	},
}

// isKey reports whether occurrences that differ in a param are different events. The param is then
// in the key, or picks the variant or the container.
func isKey(c *catalog.Catalog, e *catalog.Event, key []catalog.Scalar, name string) bool {
	about := c.About(e)
	return slices.ContainsFunc(key, func(s catalog.Scalar) bool { return s.Value == name }) ||
		e.Select.Value == name || about != nil && about.Container.Value == name
}

// shownNames returns the names in an event's messages.
func shownNames(e *catalog.Event) map[string]bool {
	shown := map[string]bool{}
	for _, s := range segments(messages(e)) {
		shown[s.Placeholder] = true
	}
	return shown
}
