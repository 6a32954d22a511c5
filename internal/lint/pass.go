package lint

import (
	"fmt"
	"iter"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/model"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// Pass is one run of a rule.
type Pass struct {
	// Catalogs is the whole set, with what the reader could not read completely.
	Catalogs []*catalog.Catalog
	// Set is what the model made of the catalogs; nil where there is none. Events with errors are not in it.
	Set *model.Set
	// Release is the version that is about to be made; empty where nobody says.
	Release string
	// Some says that the module has other catalogs than these.
	Some bool

	// broken are the catalogs in which something has an error, which may have kept rules from looking at all of it.
	broken map[*catalog.Catalog]bool

	rule     *Rule
	ignores  *ignores
	findings diag.Findings
}

// Events gives every event that was read completely, with its catalog.
func (p *Pass) Events() iter.Seq2[*catalog.Catalog, *catalog.Event] {
	return func(yield func(*catalog.Catalog, *catalog.Event) bool) {
		for _, c := range p.Catalogs {
			for i := range c.Events {
				e := &c.Events[i]
				if !c.Incomplete && !e.Incomplete && !yield(c, e) {
					return
				}
			}
		}
	}
}

// Identities gives every wire identity of those events.
func (p *Pass) Identities() iter.Seq2[*catalog.Catalog, catalog.Identity] {
	return func(yield func(*catalog.Catalog, catalog.Identity) bool) {
		for c, e := range p.Events() {
			for _, id := range c.Identities(e) {
				if !yield(c, id) {
					return
				}
			}
		}
	}
}

// readableIdentities gives the wire identities of all events, also of those that were not read completely: for rules that
// judge what is there and draw nothing from what is not.
func (p *Pass) readableIdentities() iter.Seq2[*catalog.Catalog, catalog.Identity] {
	return func(yield func(*catalog.Catalog, catalog.Identity) bool) {
		for _, c := range p.Catalogs {
			for i := range c.Events {
				for _, id := range c.Identities(&c.Events[i]) {
					if !yield(c, id) {
						return
					}
				}
			}
		}
	}
}

// Reportf reports a finding in an event of a catalog; or in the catalog (a nil event).
func (p *Pass) Reportf(c *catalog.Catalog, e *catalog.Event, pos diag.Pos, format string, args ...any) {
	if p.rule.Severity < diag.Error && p.ignores.cover(c, e, p.rule.ID) {
		return
	}
	p.findings = append(p.findings, diag.Finding{
		Pos:      pos,
		Rule:     p.rule.ID,
		Severity: p.rule.Severity,
		Message:  eventrt.Clean(fmt.Sprintf(format, args...), 0),
	})
}
