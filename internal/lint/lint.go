// Package lint judges catalogs by rules. A rule is a stateless value in a file of its own.
package lint

import (
	"fmt"
	"iter"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/diag"
)

// Rule is one check.
type Rule struct {
	// ID is EV and three digits, Name a few words in kebab case, Doc one sentence that says what is wrong and why.
	ID, Name, Doc string
	Severity      diag.Severity
	// Run reports what a set of catalogs has of it. It keeps nothing between runs.
	Run func(*Pass)
}

// Pass is one run of a rule.
type Pass struct {
	// Catalogs is the whole set, with what the reader could not read completely.
	Catalogs []*catalog.Catalog

	rule     *Rule
	findings diag.Findings
}

// Run runs all rules on a set of catalogs. Its findings are sorted. A warning or less that the event itself suppresses
// is left out; an error can't be suppressed.
func Run(catalogs []*catalog.Catalog) diag.Findings {
	var findings diag.Findings
	for _, rule := range Rules() {
		p := &Pass{Catalogs: catalogs, rule: rule}
		rule.Run(p)
		findings = append(findings, p.findings...)
	}
	findings.Sort()
	return slices.Compact(findings)
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

// Reportf reports a finding in an event, or in no event (nil).
func (p *Pass) Reportf(e *catalog.Event, pos diag.Pos, format string, args ...any) {
	if e != nil && p.rule.Severity < diag.Error && suppresses(e, p.rule.ID) {
		return
	}
	p.findings = append(p.findings, diag.Finding{
		Pos:      pos,
		Rule:     p.rule.ID,
		Severity: p.rule.Severity,
		Message:  fmt.Sprintf(format, args...),
	})
}

func suppresses(e *catalog.Event, rule string) bool {
	return slices.ContainsFunc(e.Ignore, func(i catalog.Ignore) bool { return i.Rule.Value == rule })
}
