// Package lint judges catalogs by rules. A rule is a stateless value in a file of its own; each has a page that says why
// it is there, with examples.
package lint

import (
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/model"
)

// Rule is one check.
type Rule struct {
	// ID is EV and three digits, Name a few words in kebab case, Doc one sentence that says what is wrong and why.
	ID, Name, Doc string
	Severity      diag.Severity
	// Across: the rule compares events of all catalogs, so an event of one may have a finding for what another says.
	Across bool
	// Run reports what a set of catalogs has of it. It keeps nothing between runs. It is nil where the reader or the
	// model reports the findings on its way.
	Run func(*Pass)
}

// Input is what is judged.
type Input struct {
	Catalogs []*catalog.Catalog
	// Set is the model of the catalogs, or nil.
	Set *model.Set
	// Found is what the reader and the model have reported.
	Found diag.Findings
	// Release is the version that is about to be made; empty where nobody says.
	Release string
	// Some says that the catalogs are not all that the module has: others may hold what looks missing here.
	Some     bool
	Settings Settings
}

// Run runs all rules on a set of catalogs and adds what was found before. Its findings are sorted. A warning or less that
// the event, the catalog or the configuration suppresses is left out; an error can't be suppressed.
func Run(in Input) diag.Findings {
	marks := newIgnores(in.Settings.ignore)
	findings := marks.leave(in.Catalogs, in.Found)
	broken, unread := brokenOf(in.Catalogs, in.Found), unreadOf(in.Found)
	for _, rule := range inOrder() {
		if rule.Run == nil {
			continue
		}
		p := &Pass{Catalogs: in.Catalogs, Set: in.Set, Release: in.Release, Some: in.Some, broken: broken, rule: rule, ignores: marks}
		rule.Run(p)
		findings = append(findings, p.findings.Besides(unread)...)
	}
	in.Settings.adjust(findings)
	findings.Sort()
	return slices.Compact(findings)
}

// inOrder gives all rules in the order in which they run: what judges suppressions comes after all that may need them.
func inOrder() []*Rule {
	rules := slices.DeleteFunc(Rules(), func(r *Rule) bool { return r == uselessSuppression })
	return append(rules, uselessSuppression)
}

// brokenOf are the catalogs that have errors among some findings.
func brokenOf(catalogs []*catalog.Catalog, findings diag.Findings) map[*catalog.Catalog]bool {
	broken := map[*catalog.Catalog]bool{}
	for _, f := range findings {
		if c, _ := placeOf(catalogs, f.Pos); c != nil && f.Severity == diag.Error {
			broken[c] = true
		}
	}
	return broken
}

// unreadOf are the findings about text that the reader could not take as it stands.
func unreadOf(found diag.Findings) (unread diag.Findings) {
	for _, f := range found {
		if f.Rule == diag.Syntax || f.Rule == diag.YAMLTrap {
			unread = append(unread, f)
		}
	}
	return unread
}
