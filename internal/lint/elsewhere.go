package lint

import "github.com/event-gen/event-gen/internal/diag"

// What the reader of catalogs reports.
var (
	syntaxRule = &Rule{
		ID: diag.Syntax, Name: "syntax", Severity: diag.Error,
		Doc: "What can't be read, is unknown or stands twice is not guessed at.",
	}
	yamlTrap = &Rule{
		ID: diag.YAMLTrap, Name: "yaml-trap", Severity: diag.Error,
		Doc: "YAML turns some unquoted text into something else, so that text is quoted.",
	}
)

// What the model reports, which resolves names, types and sizes.
var (
	goNames = &Rule{
		ID: diag.GoName, Name: "go-name", Severity: diag.Error,
		Doc: "Names become Go names, which must be valid, distinct and in nobody's way.",
	}
	unknownType = &Rule{
		ID: diag.UnknownType, Name: "unknown-type", Severity: diag.Error,
		Doc: "A kind or Go type must exist, fit its place, and not import the generated package.",
	}
	tooLong = &Rule{
		ID: diag.MessageTooLong, Name: "message-too-long", Severity: diag.Error,
		Doc: "A message that can exceed 1024 bytes would be rejected by the API server on its worst day.",
	}
	undeclaredPlaceholder = &Rule{
		ID: diag.UndeclaredPlaceholder, Name: "undeclared-placeholder", Severity: diag.Error,
		Doc: "A placeholder that no param or object declares has nothing to show.",
	}
	secondUnbounded = &Rule{
		ID: diag.SecondUnbounded, Name: "second-unbounded", Severity: diag.Error,
		Doc: "One param of a message may be without a bound and takes what is left; a second one leaves nothing to prove.",
	}
	tooManyParams = &Rule{
		ID: diag.TooManyParams, Name: "too-many-params", Severity: diag.Error,
		Doc: "An event holds at most 8 params, which the run time keeps without allocating.",
	}
	inconsistentLimits = &Rule{
		ID: diag.InconsistentLimits, Name: "inconsistent-limits", Severity: diag.Error,
		Doc: "A window, threshold or budget that can't be, or has no effect, is not what its author meant.",
	}
)
