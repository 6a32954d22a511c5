package spell

import (
	"slices"
	"strings"
)

var (
	failures  = []string{"failed", "failure", "error"}
	successes = []string{"success", "succeeded", "successful", "successfully"}
	// turns are words that reverse or change the meaning of other words.
	turns = []string{"no", "not", "non", "un", "without", "too", "missing", "partial", "partially", "after", "recovered", "ignored", "ignoring"}
)

// Outcome returns the event type that the first or the last word of a reason suggests: Normal or
// Warning, or "" for neither. A failure that was dealt with ("ErrorCleared", "ClearedError",
// "FailedPodsRemoved") suggests neither.
func Outcome(reason string) string {
	words := Words(reason)
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
