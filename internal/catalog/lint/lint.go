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
	// Across is true if the rule compares events of all catalogs. An event may then have a finding
	// because of another catalog.
	Across bool
	// Run reports the findings of the rule in a set of catalogs. It keeps no state between runs. It
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
	// Release is the version about to be released; it may be empty.
	Release string
	// Some is true if the module has further catalogs. They may have what looks missing in these.
	Some     bool
	Settings Settings
}

// Run returns the findings of all rules in a set of catalogs, together with those of the reader and
// the model, sorted. It leaves out warnings and infos that the event, the catalog or the
// configuration suppresses. An error can't be suppressed.
func Run(in Input) diag.Findings {
	marks := newIgnores(in.Settings.ignore)
	findings := marks.leave(in.Catalogs, in.Found)
	broken, unread, reported := brokenOf(in.Catalogs, in.Found), unreadOf(in.Found), map[report]bool{}
	for _, f := range in.Found {
		reported[report{f.Rule, f.Pos}] = true
	}
	for _, rule := range inOrder() {
		if rule.Run == nil {
			continue
		}
		p := &Pass{Catalogs: in.Catalogs, Set: in.Set, Release: in.Release, Some: in.Some, broken: broken, unplaced: unplacedOf(in.Catalogs, in.Found), reported: reported, rule: rule, ignores: marks}
		rule.Run(p)
		findings = append(findings, p.findings.Besides(unread)...)
	}
	in.Settings.adjust(findings)
	findings.Sort()
	return slices.Compact(findings)
}

// inOrder returns all rules in the order in which they run. The rule that judges suppressions is
// last, because it has to know which ones the others used.
func inOrder() []*Rule {
	rules := slices.DeleteFunc(Rules(), func(r *Rule) bool { return r == uselessSuppression })
	return append(rules, uselessSuppression)
}

// brokenOf returns the catalogs that have an error among findings.
func brokenOf(catalogs []*catalog.Catalog, findings diag.Findings) map[*catalog.Catalog]bool {
	broken := map[*catalog.Catalog]bool{}
	for _, f := range findings {
		if c, _ := placeOf(catalogs, f.Pos); c != nil && f.Severity == diag.Error {
			broken[c] = true
		}
	}
	return broken
}

// unplacedOf returns the catalogs whose Go package has an error among findings, such as that
// another catalog has the same.
func unplacedOf(catalogs []*catalog.Catalog, findings diag.Findings) map[*catalog.Catalog]bool {
	unplaced := map[*catalog.Catalog]bool{}
	for _, c := range catalogs {
		unplaced[c] = slices.ContainsFunc(findings, func(f diag.Finding) bool { return f.Rule == diag.GoName && f.Pos == c.Go.Package.Pos })
	}
	return unplaced
}

// unreadOf returns the findings about text that the reader could not read as it is written.
func unreadOf(found diag.Findings) (unread diag.Findings) {
	for _, f := range found {
		if f.Rule == diag.Syntax || f.Rule == diag.YAMLTrap {
			unread = append(unread, f)
		}
	}
	return unread
}
