package lint

import (
	"cmp"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

var deprecatedWithoutReplacement = &Rule{
	ID:       diag.DeprecatedWithoutReplacement,
	Name:     "deprecated-without-replacement",
	Doc:      "Callers of a deprecated event, and alerts on it, need the name of an existing event to use instead.",
	Severity: diag.Error,
	Across:   true,
	Run: func(p *Pass) {
		known := p.eventNames()
		for c, e := range p.Events() {
			if d := e.Lifecycle.Deprecated; d != nil {
				p.checkReplacement(c, e, d, known)
			}
		}
	},
}

func (p *Pass) checkReplacement(c *catalog.Catalog, e *catalog.Event, d *catalog.Deprecated, known []string) {
	name := d.ReplacedBy.Value
	switch {
	case name == "":
		p.Reportf(c, e, d.Pos, "the event is deprecated without replacedBy; name the event to use instead")
	case name == nameOf(e):
		p.Reportf(c, e, d.ReplacedBy.Pos, "the event is replaced by itself")
	case !slices.Contains(known, name) && !p.Some && !p.partial(&catalog.Catalog{}) && !p.meansMisnamed(name):
		p.Reportf(c, e, d.ReplacedBy.Pos, "replacedBy names no event of the catalogs: %s%s", name, cmp.Or(p.renamed(name), spell.DidYouMean(name, known)))
	}
}

// renamed tells the name of the event that had a name formerly; empty if none had it.
func (p *Pass) renamed(name string) string {
	for _, e := range p.readable() {
		if slices.ContainsFunc(e.Formerly, func(f catalog.Former) bool { return f.Name.Value == name }) {
			return ", which is called " + nameOf(e) + " now"
		}
	}
	return ""
}

// meansMisnamed reports whether a name is like that of an event whose name has an error. It may be
// the name that this event should have.
func (p *Pass) meansMisnamed(name string) bool {
	for _, e := range p.readable() {
		if of := catalog.First(e.Name, e.Reason); p.reported[report{diag.GoName, of.Pos}] && spell.Alike(name, of.Value) {
			return true
		}
	}
	return false
}

// eventNames returns the names of all events.
func (p *Pass) eventNames() []string {
	var names []string
	for _, e := range p.readable() {
		names = append(names, nameOf(e))
	}
	return names
}

// nameOf returns the name of an event, which is also the name of its Go method.
func nameOf(e *catalog.Event) string { return catalog.First(e.Name, e.Reason).Value }
