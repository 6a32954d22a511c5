package breaking

import (
	"fmt"

	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/model"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// Baseline is the older side of a comparison.
type Baseline struct {
	Set *model.Set
	// Label says where it comes from, such as a tag; it may be empty.
	Label string
	// Elsewhere: its files lie in other folders than those of the newer side, so import paths say nothing.
	Elsewhere bool
}

// Compare reports what a newer set breaks. The findings are sorted; they stand in the newer catalogs, or in the older one
// where that is gone.
func Compare(old Baseline, now *model.Set) diag.Findings {
	c := &comparison{label: old.Label, elsewhere: old.Elsewhere, wire: identitiesOf(now)}
	p := pairPackages(old.Set, now)
	for _, pkg := range p.packages {
		c.packageNames(pkg)
		c.reasons(pkg)
		c.enums(pkg)
	}
	for _, e := range p.events {
		c.event(e)
	}
	for _, e := range p.removed {
		c.removed(e)
	}
	c.findings.Sort()
	return c.findings
}

type comparison struct {
	label     string
	elsewhere bool
	wire      map[identity]bool
	findings  diag.Findings
}

func (c *comparison) report(pos diag.Pos, rule, format string, args ...any) {
	c.findings = append(c.findings, diag.Finding{
		Pos: pos, Rule: rule, Severity: severityOf(rule), Message: eventrt.Clean(fmt.Sprintf(format, args...), 0),
	})
}

// before says where something was.
func (c *comparison) before(pos diag.Pos) string {
	if c.label == "" {
		return pos.String()
	}
	return c.label + ":" + pos.String()
}

// event compares an event with what became of it.
func (c *comparison) event(e eventPair) {
	if e.renamed() {
		c.renamed(e)
	} else {
		c.methods(e)
	}
	c.signature(e)
	c.objects(e)
	c.identities(e)
	c.kinds(e)
	c.annotations(e)
	c.correlation(e)
}

// removed reports an event that is gone, unless its deprecation said that it would go.
func (c *comparison) removed(e removal) {
	if e.event.Deprecated != nil {
		return
	}
	pos := e.position()
	for _, m := range e.event.Methods {
		c.report(pos, "BG01", "method %s was removed; it was at %s, and not deprecated", m.Name, c.before(e.event.Source.Pos))
	}
	for _, s := range definitionsOf(e.event) {
		if !c.wire[identityOf(s)] {
			c.report(pos, "BW02", "event %s was removed without having been deprecated; it was at %s; %s", e.event.Name,
				c.before(e.event.Source.Pos), matchers(s, nil))
		}
	}
}
