// Package callrules lists the rules for Go code that records events, and the rules for rights. It
// does not judge anything, so a program that needs only the list imports no scanner.
package callrules

import "github.com/event-gen/event-gen/internal/plumbing/diag"

// Rule describes one rule.
type Rule struct {
	// ID is EV5 and two digits. Name is a few words in kebab case. Doc is one sentence with the
	// mistake and the reason.
	ID, Name, Doc string
	Severity      diag.Severity
	// Analyzer is true if only the analyzer has the rule, and scan does not.
	Analyzer bool
}

// The rules.
var (
	RawCall = &Rule{ID: "EV501", Name: "raw-call", Severity: diag.Error, Analyzer: true,
		Doc: "A raw call of a recorder, or Forward, records an event that no catalog declares."}
	DeprecatedEvent = &Rule{ID: "EV503", Name: "deprecated-event", Severity: diag.Warning, Analyzer: true,
		Doc: "Code still records an event that its catalog deprecates."}
	UnknownValue = &Rule{ID: "EV504", Name: "unknown-value", Severity: diag.Warning, Analyzer: true,
		Doc: "A number or a string literal is passed for a param whose type has constants, so the compiler finds no mistake in it."}

	MalformedReason = &Rule{ID: "EV511", Name: "malformed-reason", Severity: diag.Warning,
		Doc: "A reason is a name in UpperCamelCase of at most 128 bytes, which alerts and field selectors match."}
	ErrorAsReason = &Rule{ID: "EV512", Name: "error-as-reason", Severity: diag.Warning,
		Doc: "An error's text, or an object's name, as the reason gives each a reason of its own, which no alert can match."}
	NonConstantFormat = &Rule{ID: "EV513", Name: "non-constant-format", Severity: diag.Error,
		Doc: "Text that is not constant must not be a format, because a % in it counts as a verb."}
	FormatMismatch = &Rule{ID: "EV514", Name: "format-mismatch", Severity: diag.Error,
		Doc: "Verbs and arguments that don't match leave marks such as %!s(MISSING) in the message."}
	NoteTooLong = &Rule{ID: "EV515", Name: "note-too-long", Severity: diag.Error,
		Doc: "The events API refuses an event whose note exceeds 1024 bytes."}
	EmptyAction = &Rule{ID: "EV516", Name: "empty-action", Severity: diag.Error,
		Doc: "The events API refuses an event without an action."}
	MessageAsAction = &Rule{ID: "EV517", Name: "message-as-action", Severity: diag.Warning,
		Doc: "An action is a name in UpperCamelCase for what was done, not a message."}
	ChangingText = &Rule{ID: "EV518", Name: "changing-text", Severity: diag.Warning,
		Doc: "Text that is new each time makes every occurrence an event of its own, or is lost behind the first note."}
	BothTypes = &Rule{ID: "EV519", Name: "reason-of-both-types", Severity: diag.Warning,
		Doc: "An alert on a reason fires for good news too if the reason is recorded as Normal and as Warning."}
	NearReasons = &Rule{ID: "EV520", Name: "near-reasons", Severity: diag.Warning,
		Doc: "People mix up two reasons that differ only by case, plural or a letter or two."}
	NilObject = &Rule{ID: "EV522", Name: "nil-object", Severity: diag.Warning,
		Doc: "A recorder drops an event about a nil object, and nobody finds an event about an object without a name by its object."}
	MissingRight = &Rule{ID: "EV524", Name: "missing-right", Severity: diag.Error,
		Doc: "A program needs the right to create and patch events in the API group that it writes to."}
	SuperfluousRight = &Rule{ID: "EV525", Name: "superfluous-right", Severity: diag.Warning,
		Doc: "No recorder needs this right to events."}
	LocalRight = &Rule{ID: "EV526", Name: "local-right", Severity: diag.Warning,
		Doc: "Events about objects in other namespaces are refused if the right holds in one namespace only."}
	WrongType = &Rule{ID: "EV527", Name: "wrong-type", Severity: diag.Error,
		Doc: "A recorder drops an event whose type is neither Normal nor Warning."}
	RecorderName = &Rule{ID: "EV531", Name: "recorder-name", Severity: diag.Error,
		Doc: "The events API refuses every event of a recorder whose name is no qualified name."}
	IdleBroadcaster = &Rule{ID: "EV532", Name: "idle-broadcaster", Severity: diag.Warning,
		Doc: "A broadcaster without a sink and a watcher loses all events."}
	OneNamespaceSink = &Rule{ID: "EV533", Name: "one-namespace-sink", Severity: diag.Warning,
		Doc: "A sink that is bound to one namespace refuses events about objects in other ones."}
	UnsetRecorder = &Rule{ID: "EV534", Name: "unset-recorder", Severity: diag.Warning,
		Doc: "A recorder that nothing sets panics when it records."}
	FailureAsNormal = &Rule{ID: "EV535", Name: "failure-as-normal", Severity: diag.Warning,
		Doc: "A failure that is recorded as Normal is missed by people and alerts that look for warnings."}
	ComputedFormat = &Rule{ID: "EV536", Name: "computed-format", Severity: diag.Warning,
		Doc: "The verbs of a format that is computed can't be compared with its arguments."}
	EmptyNote = &Rule{ID: "EV537", Name: "empty-note", Severity: diag.Warning,
		Doc: "An event without a note tells its reader nothing but a name."}
	LiteralReason = &Rule{ID: "EV528", Name: "literal-reason", Severity: diag.Info,
		Doc: "A reason that is written as text, although a constant has the same value, stays behind when the constant changes."}
	Unread = &Rule{ID: "EV529", Name: "unread", Severity: diag.Warning,
		Doc: "If scan can't tell what a call records, the lack of other findings about it proves nothing."}
)

// Suppression is EV405, a rule of lint, for suppressions in Go code.
var Suppression = &Rule{ID: diag.UselessSuppression, Name: "useless-suppression", Severity: diag.Warning,
	Doc: "A suppression that suppresses nothing hides the next finding of its rule, and one without a reason explains nothing."}

// Rules returns all rules for calls and rights, sorted by id. Suppression is not among them. The
// ids of rules that are gone are not used again: EV502, EV521, EV523, EV530, EV538.
func Rules() []*Rule {
	return []*Rule{
		RawCall, DeprecatedEvent, UnknownValue,
		MalformedReason, ErrorAsReason, NonConstantFormat, FormatMismatch, NoteTooLong, EmptyAction, MessageAsAction, ChangingText,
		BothTypes, NearReasons, NilObject, MissingRight, SuperfluousRight, LocalRight, WrongType, LiteralReason,
		Unread,
		RecorderName, IdleBroadcaster, OneNamespaceSink, UnsetRecorder, FailureAsNormal, ComputedFormat, EmptyNote,
	}
}

// Of returns the rule with an id, or nil if there is none.
func Of(id string) *Rule {
	for _, r := range Rules() {
		if r.ID == id {
			return r
		}
	}
	return nil
}
