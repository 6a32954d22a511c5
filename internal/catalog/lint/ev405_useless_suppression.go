package lint

import (
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// uselessSuppression runs last, because the other rules mark the suppressions that suppress
// something.
var uselessSuppression = &Rule{
	ID:       diag.UselessSuppression,
	Name:     "useless-suppression",
	Doc:      "A suppression that suppresses nothing hides the next finding of its rule, and one without a reason explains nothing.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		for _, c := range p.Catalogs {
			if c.Incomplete {
				continue
			}
			for _, i := range c.Ignore {
				p.checkIgnore(c, nil, i)
			}
		}
		for c, e := range p.Events() {
			for _, i := range e.Ignore {
				p.checkIgnore(c, e, i)
			}
		}
		for _, i := range p.ignores.everywhere {
			p.checkIgnore(&catalog.Catalog{}, nil, i)
		}
	},
}

func (p *Pass) checkIgnore(c *catalog.Catalog, e *catalog.Event, i catalog.Ignore) {
	rule := i.Rule.Value
	switch known := ruleOf(rule); {
	case !reasoned(i):
		p.Reportf(c, e, i.Pos, "the suppression of %s gives no reason, so it has no effect", rule)
	case p.ignores.used[i.Pos] || elsewhere(rule) || rule == leftover.ID && p.Release == "":
	case known == nil:
		p.Reportf(c, e, i.Rule.Pos, "there is no rule %s to suppress", rule)
	case known.Severity == diag.Error:
		p.Reportf(c, e, i.Rule.Pos, "%s is an error, which can't be suppressed", rule)
	case !p.excused(c, known):
		p.Reportf(c, e, i.Pos, "nothing here has a finding of %s; remove the suppression", rule)
	}
}

// elsewhere reports whether a rule judges calls in Go code. Lint can't know whether a suppression
// of such a rule suppresses anything.
func elsewhere(rule string) bool { return callrules.Of(rule) != nil }

// excused reports whether a suppression may be for a finding that lint can't see: in a part that
// could not be read, or in a catalog that the arguments leave out.
func (p *Pass) excused(c *catalog.Catalog, rule *Rule) bool {
	if rule.Across || c.File == "" {
		return p.Some || len(p.broken) > 0 || p.partial(&catalog.Catalog{})
	}
	return p.broken[c] || p.partial(c)
}

// partial reports whether a part of the catalog could not be read. For a suppression without a
// catalog, it looks at all catalogs.
func (p *Pass) partial(c *catalog.Catalog) bool {
	return slices.ContainsFunc(p.Catalogs, func(other *catalog.Catalog) bool { return (c.File == "" || other == c) && !whole(other) })
}
