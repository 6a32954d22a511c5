package rawcall

import (
	"go/token"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// emptyAction is EV516.
func emptyAction(c *checker, s *scan.Site) {
	if s.Shape.API != scan.Events || callersDecide(s) && !s.Action.Closed() {
		return
	}
	if slices.Contains(s.Action.Constants(), "") {
		c.reportValue(s, actionOf, callrules.EmptyAction, "the action is empty, which the events API refuses; name the action in UpperCamelCase, or repeat the reason")
	}
}

// messageAsAction is EV517.
func messageAsAction(c *checker, s *scan.Site) {
	if s.Shape.API != scan.Events {
		return
	}
	for _, text := range s.Action.Alternatives {
		action, constant := text.Constant()
		switch {
		case constant && action == s.FormatAsAction(): // leftOutAction reports it
		case constant && action != "" && (strings.ContainsAny(action, " %:,") || len(action) > mostName):
			c.reportAction(s, "the action %q is a message; name the action in UpperCamelCase%s", action, moved(s))
			return
		case constant:
		default:
			if p, found := wordsAround(s, text); found {
				c.reportAction(s, "the action holds %s, which changes; use a constant, and put %s into the note", name(p), name(p))
				return
			}
		}
	}
}

// reportAction reports a message in the place of the action. Its position is in the innermost
// wrapper that passes its message as the action too; without one it is the action's.
func (c *checker) reportAction(s *scan.Site, format string, args ...any) {
	for _, v := range slices.Backward(append([]*scan.Site{s}, s.Via...)) {
		if v.Scope == scan.InWrapper && !v.Package.Dependency && sameParam(v.Action, v.Message) {
			c.report(at(v, v.Action), callrules.MessageAsAction, "the action is the message, which changes; name the action in UpperCamelCase")
			if v != s {
				c.findings[len(c.findings)-1].Callers = []token.Pos{s.Node().Pos()}
			}
			return
		}
	}
	c.reportValue(s, actionOf, callrules.MessageAsAction, format, args...)
}

// sameParam reports whether two values are one parameter, which a format may show.
func sameParam(a, b scan.Value) bool {
	param := func(v scan.Value) (index int, ok bool) {
		if len(v.Alternatives) != 1 || len(v.Alternatives[0].Parts) != 1 {
			return 0, false
		}
		p := v.Alternatives[0].Parts[0]
		if _, index, ok = p.FormatParam(); !ok {
			_, index, ok = p.Param()
		}
		return index, ok
	}
	i, one := param(a)
	j, other := param(b)
	return one && other && i == j
}

// moved returns the advice to move an action's text into the note, if the note has no text of its
// own.
func moved(s *scan.Site) string {
	note := argument(s, s.Shape.Message)
	if note == nil {
		return ""
	}
	if _, constant := scan.ConstantText(s.Package.Info, note); constant {
		return ""
	}
	return ", and put the message into the note"
}

// wordsAround finds an error in a text, or a part that stands among words.
func wordsAround(s *scan.Site, t scan.Text) (scan.Part, bool) {
	words := slices.ContainsFunc(t.Parts, func(p scan.Part) bool { return literally(p) && strings.Contains(p.Literal, " ") })
	for _, p := range t.Args() {
		if words || isError(origin(s, p).Type) {
			return p, true
		}
	}
	return scan.Part{}, false
}
