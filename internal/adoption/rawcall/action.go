package rawcall

import (
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// emptyAction is EV516.
func emptyAction(c *checker, s *scan.Site) {
	if s.Shape.API != scan.Events || passesOn(s) && !s.Action.Closed() || fixedBehind(s, func(v *scan.Site) scan.Value { return v.Action }) {
		return
	}
	if slices.Contains(s.Action.Constants(), "") {
		c.report(at(s, s.Action), callrules.EmptyAction, "the action is empty, which the events API refuses; name the action in UpperCamelCase, or repeat the reason")
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
			c.report(at(s, s.Action), callrules.MessageAsAction, "the action %q is a message; name the action in UpperCamelCase%s", action, moved(s))
			return
		case constant:
		default:
			if p, found := wordsAround(s, text); found {
				c.report(at(s, s.Action), callrules.MessageAsAction, "the action holds %s, which changes; use a constant, and put %s into the note", name(p), name(p))
				return
			}
		}
	}
}

// moved says that the text of an action belongs into the note, if that has no text of its own.
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
