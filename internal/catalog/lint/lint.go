// Package lint judges catalogs by rules. A rule is a stateless value in a file of its own. Each
// rule has a page with its reason and examples.
package lint

import (
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// Rule is one check.
type Rule struct {
	// ID is EV and three digits, Name a few words in kebab case. Doc is one sentence: the mistake
	// and its consequence.
	ID, Name, Doc string
	Severity      diag.Severity
	// Across: the rule compares events of all catalogs, so an event of one catalog may have a
	// finding because of another catalog.
	Across bool
	// Run reports the findings of the rule in a set of catalogs. It keeps nothing between runs. It
	// is nil if the reader or the model reports the findings.
	Run func(*Pass)
}

// Input is a set of catalogs to judge.
type Input struct {
	Catalogs []*catalog.Catalog
	// Set is the model of the catalogs, or nil.
	Set *model.Set
	// Found are the findings of the reader and the model.
	Found diag.Findings
	// Release is the version that is about to be made; empty if it is not given.
	Release string
	// Some: the module has further catalogs, which may hold what looks missing here.
	Some     bool
	Settings Settings
}

// Run runs all rules on a set of catalogs, and adds the findings of the reader and the model. The
// result is sorted. It leaves out warnings and infos that the event, the catalog or the
// configuration suppresses. An error can't be suppressed.
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

// inOrder gives all rules in the order in which they run. The rule that judges suppressions is
// last, because others may need them.
func inOrder() []*Rule {
	rules := slices.DeleteFunc(Rules(), func(r *Rule) bool { return r == uselessSuppression })
	return append(rules, uselessSuppression)
}

// brokenOf returns the catalogs that have errors among some findings.
func brokenOf(catalogs []*catalog.Catalog, findings diag.Findings) map[*catalog.Catalog]bool {
	broken := map[*catalog.Catalog]bool{}
	for _, f := range findings {
		if c, _ := placeOf(catalogs, f.Pos); c != nil && f.Severity == diag.Error {
			broken[c] = true
		}
	}
	return broken
}

// unreadOf returns the findings about text that the reader could not take as it stands.
func unreadOf(found diag.Findings) (unread diag.Findings) {
	for _, f := range found {
		if f.Rule == diag.Syntax || f.Rule == diag.YAMLTrap {
			unread = append(unread, f)
		}
	}
	return unread
}
