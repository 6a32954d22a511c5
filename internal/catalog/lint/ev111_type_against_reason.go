package lint

import (
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

var typeAgainstReason = &Rule{
	ID:       diag.TypeAgainstReason,
	Name:     "type-against-reason",
	Doc:      "A reason that names a failure needs type Warning, one that names a success Normal; otherwise alerts and people miss it.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		for c, id := range p.Identities() {
			tells := outcomeOf(id.Reason.Value)
			if tells == "" || tells == id.Type.Value || !isType(id.Type) {
				continue
			}
			p.Reportf(c, id.Event, id.Reason.Pos, "reason %s reads as a %s, and the event is %s; give type: %s, or another reason",
				id.Reason.Value, outcomeWords[tells], id.Type.Value, tells)
		}
	},
}

// outcomeWords is the outcome that a reason tells, by the type that fits it.
var outcomeWords = map[string]string{"Warning": "failure", "Normal": "success"}

var (
	failures  = []string{"failed", "failure", "error"}
	successes = []string{"success", "succeeded", "successful", "successfully"}
	// turns are words that turn the meaning of others.
	turns = []string{"no", "not", "non", "un", "without", "too", "missing", "partial", "partially", "after", "recovered", "ignored", "ignoring"}
)

// outcomeOf returns the type that the first or the last word of a reason asks for; empty if neither of them does. An error that
// something was done about ("ErrorCleared", "ClearedError", "FailedPodsRemoved") asks for nothing.
func outcomeOf(reason string) string {
	words := spell.Words(reason)
	if len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return slices.Contains(turns, w) }) {
		return ""
	}
	first, last := words[0], words[len(words)-1]
	switch {
	case slices.Contains(successes, first), slices.Contains(successes, last):
		return "Normal"
	case last == "failed":
		return "Warning"
	case first == "failed" && !hasDeed(words[1:]), slices.Contains(failures, last) && !hasDeed(words[:len(words)-1]):
		return "Warning"
	}
	return ""
}

// hasDeed reports whether one of some words is a verb in the past tense.
func hasDeed(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return len(w) > len("ed")+1 && strings.HasSuffix(w, "ed")
	})
}
