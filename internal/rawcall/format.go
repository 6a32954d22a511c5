package rawcall

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"strings"

	"github.com/event-gen/event-gen/internal/callrules"
	"github.com/event-gen/event-gen/internal/scan"
)

// nonConstantFormat is EV513: text in place of a format. A function that passes on both a format and its arguments is
// not a finding.
func nonConstantFormat(c *checker, s *scan.Site) {
	format := argument(s, s.Shape.Message)
	if format == nil || !s.Shape.Formats || constantText(s, format) != nil || len(s.Call.Args) > s.Shape.Message+1 && passedOn(s) {
		return
	}
	if harmless(s.Message) {
		return
	}
	if len(s.Call.Args) > s.Shape.Message+1 && !mixed(s.Message) {
		return
	}
	c.report(format.Pos(), callrules.NonConstantFormat, "%s is not constant and is taken for a format, so that a %% in it spoils the message; write \"%%s\" before it%s",
		short(format), unformatted(s))
}

// unformatted names the method that takes a text as it is. Only Eventf of the record API has one beside it.
func unformatted(s *scan.Site) string {
	if s.Shape.API == scan.Record && s.Shape.Name == "Eventf" {
		return ", or call Event"
	}
	return ""
}

// passedOn reports whether the arguments of a format come from a caller: args... .
func passedOn(s *scan.Site) bool { return s.Call.Ellipsis.IsValid() }

// harmless reports whether every text that a format can be is constant and has no verb.
func harmless(v scan.Value) bool {
	if !v.Closed() {
		return false
	}
	for _, text := range v.Constants() {
		if strings.Contains(text, "%") {
			return false
		}
	}
	return true
}

// mixed reports whether a format holds an error or another text that is no format itself.
func mixed(v scan.Value) bool {
	for _, t := range v.Alternatives {
		for _, p := range t.Parts {
			if p.Expr != nil && isError(p.Type) && p.Verb == "" {
				return true
			}
		}
	}
	return false
}

// constantText is the value of an expression that the compiler knows; nil for others.
func constantText(s *scan.Site, e ast.Expr) *string {
	v := s.Package.Info.Types[e].Value
	if v == nil || v.Kind() != constant.String {
		return nil
	}
	text := constant.StringVal(v)
	return &text
}

func short(e ast.Expr) string { return name(scan.Part{Expr: e}) }

// leftVerb is a verb in text that is not formatted. A space before the letter is no flag here: "50% done".
var leftVerb = regexp.MustCompile(`%[-+#]?[0-9.]*[svdqtTxfgwp]\b`)

// formatMismatch is EV514.
func formatMismatch(c *checker, s *scan.Site) {
	message := argument(s, s.Shape.Message)
	if message == nil {
		return
	}
	text := constantText(s, message)
	if text == nil {
		return
	}
	if !s.Shape.Formats {
		if verb := leftVerb.FindString(strings.ReplaceAll(*text, "%%", "")); verb != "" {
			c.report(message.Pos(), callrules.FormatMismatch, "%s does not format, so %s stays in the message; call Eventf", s.Shape.Name, verb)
		}
		return
	}
	if s.Call.Ellipsis.IsValid() {
		return
	}
	for _, problem := range mismatches(*text, s.Call.Args[s.Shape.Message+1:], s.Package.Info) {
		c.report(message.Pos(), callrules.FormatMismatch, "%s", problem)
	}
}

// mismatches compares the verbs of a format with its arguments, as package fmt would.
func mismatches(format string, args []ast.Expr, info *types.Info) (problems []string) {
	verbs, ok := parseFormat(format)
	if !ok {
		return []string{"the format ends in the middle of a verb"}
	}
	most, indexed := 0, false
	for _, v := range verbs {
		most, indexed = max(most, v.arg+1), indexed || v.indexed
		switch {
		case v.arg >= len(args):
			problems = append(problems, v.text+" has no argument")
		case v.letter == '*':
		default:
			if problem := unfit(v, info.TypeOf(args[v.arg]), short(args[v.arg])); problem != "" {
				problems = append(problems, problem)
			}
		}
	}
	if most < len(args) && !indexed {
		problems = append(problems, "no verb shows the argument "+short(args[most]))
	}
	return problems
}
