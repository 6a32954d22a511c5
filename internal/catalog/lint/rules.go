package lint

import (
	"cmp"
	"slices"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// Rules gives all rules, by id.
func Rules() []*Rule {
	rules := append(reported(), // then the rules of this package, each in a file of its own
		wireNameLength, duplicateEvent, controllerName, eventType, similarReasons, reasonWithBothTypes, sharedReason, camelCase, typeAgainstReason, sameTransition, unusedObject,
		unusedParam, leftoverVerb, controlCharacter, sensitiveElsewhere, alikeNeighbours, optionalWithoutPrefix, touchingPlaceholders, bareSecret,
		reservedAnnotation,
		everNewKey, lostInSeries, intentAndDeed, pointlessLimit, unusedLimit,
		undocumented, withoutRunbook, deprecatedWithoutReplacement, leftover, uselessSuppression, replacedByDeprecated, removedBeforeSince,
		unfinishedText, runbookNoURL,
	)
	slices.SortFunc(rules, func(a, b *Rule) int { return cmp.Compare(a.ID, b.ID) })
	return rules
}

// ruleOf returns the rule with an id; nil if there is none.
func ruleOf(id string) *Rule {
	for _, rule := range allRules {
		if rule.ID == id {
			return rule
		}
	}
	return nil
}

// allRules is set by init, because a rule of the list refers to it.
var allRules []*Rule

func init() { allRules = Rules() }

// reported returns the rules whose findings come from the reader of catalogs, and from the model,
// which resolves names, types and sizes.
func reported() []*Rule {
	return []*Rule{
		{ID: diag.Syntax, Name: "syntax", Severity: diag.Error, Doc: "A key or value that can't be read, is unknown or is duplicate has no sure meaning."},
		{ID: diag.YAMLTrap, Name: "yaml-trap", Severity: diag.Error, Doc: "YAML turns some unquoted text into something else, so such text must be quoted."},
		{ID: diag.GoName, Name: "go-name", Severity: diag.Error, Doc: "Names become Go names, which must be valid, distinct and free of conflicts."},
		{ID: diag.UnknownType, Name: "unknown-type", Severity: diag.Error, Doc: "A kind or Go type must exist, fit its place, and not import the generated package."},
		{ID: diag.MessageTooLong, Name: "message-too-long", Severity: diag.Error, Doc: "The API server rejects a message of more than 1024 bytes, so the bound must be proven."},
		{ID: diag.UndeclaredPlaceholder, Name: "undeclared-placeholder", Severity: diag.Error, Doc: "A placeholder that no param or object declares has nothing to show."},
		{ID: diag.SecondUnbounded, Name: "second-unbounded", Severity: diag.Error, Doc: "One param of a message may have no bound and gets the remaining bytes; with a second one, no bound can be proven."},
		{ID: diag.TooManyParams, Name: "too-many-params", Severity: diag.Error, Doc: "An event holds at most 8 params, which the run time keeps without allocating."},
		{ID: diag.InconsistentLimits, Name: "inconsistent-limits", Severity: diag.Error, Doc: "A window, threshold or budget that is impossible or has no effect is a mistake."},
	}
}
