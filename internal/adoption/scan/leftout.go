package scan

import (
	"regexp"
	"slices"
	"strings"
)

// leftVerb matches a verb in text that nothing formats. It takes no space for a flag, because of
// texts such as "50% done".
var leftVerb = regexp.MustCompile(`%[-+#]?[0-9.]*[svdqtTxfgwp]\b`)

// LeftVerb returns the first verb in a text that nothing formats, or "".
func LeftVerb(text string) string { return leftVerb.FindString(text) }

// FormatAsAction returns the format in the place of the action, if the call leaves the action out:
// the text in the place of the note then has no words of its own. It returns "" for other sites.
func (s *Site) FormatAsAction() string {
	if s.Scope == ThroughWrapper || s.Call == nil || s.Shape.API != Events || s.Shape.Message >= len(s.Call.Args) {
		return ""
	}
	if _, constant := ConstantText(s.Package.Info, s.Call.Args[s.Shape.Message]); constant {
		return ""
	}
	action, constant := ConstantText(s.Package.Info, s.Call.Args[s.Shape.Action])
	if !constant || LeftVerb(action) == "" || slices.ContainsFunc(s.Format.Alternatives, hasWords) {
		return ""
	}
	return action
}

// isFromCaller reports whether callers or carriers decide a reason. A text with words of its own is
// fixed at the words: it is a message in the place of a reason, whatever else it shows.
func (v Value) isFromCaller() bool {
	return slices.ContainsFunc(v.Alternatives, func(t Text) bool { return t.symbolic() && !hasWords(t) })
}

// hasWords reports whether a text has constant words of its own. A message has such words, and a
// name has not.
func hasWords(t Text) bool {
	return slices.ContainsFunc(t.Parts, func(p Part) bool { return p.Expr == nil && p.Verb == "" && strings.Contains(p.Literal, " ") })
}
