package rawcall

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// nonConstantFormat is EV513: text in place of a format. A function that passes on both a format and its arguments is
// not a finding.
func nonConstantFormat(c *checker, s *scan.Site) {
	format := argument(s, s.Shape.Message)
	if format == nil || !s.Shape.Formats || harmless(s.Message) {
		return
	}
	if _, ok := scan.ConstantText(s.Package.Info, format); ok {
		return
	}
	if len(s.Call.Args) > s.Shape.Message+1 && (s.Call.Ellipsis.IsValid() || !mixed(s.Message)) {
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

// harmless reports whether every text that a format can be is constant and has no verb.
func harmless(v scan.Value) bool {
	return v.Closed() && !strings.Contains(strings.Join(v.Constants(), ""), "%")
}

// mixed reports whether a format holds an error or another text that is no format itself.
func mixed(v scan.Value) bool {
	left := func(p scan.Part) bool { return p.Expr != nil && isError(p.Type) && p.Verb == "" }
	return slices.ContainsFunc(v.Alternatives, func(t scan.Text) bool { return slices.ContainsFunc(t.Parts, left) })
}

func short(e ast.Expr) string { return name(scan.Part{Expr: e}) }

// leftVerb matches a verb in text that nothing formats. It takes no space for a flag, because of texts such as "50% done".
var leftVerb = regexp.MustCompile(`%[-+#]?[0-9.]*[svdqtTxfgwp]\b`)

// formatMismatch is EV514.
func formatMismatch(c *checker, s *scan.Site) {
	message := argument(s, s.Shape.Message)
	if message == nil {
		return
	}
	text, ok := scan.ConstantText(s.Package.Info, message)
	switch {
	case !ok:
	case !s.Shape.Formats:
		if verb := leftVerb.FindString(strings.ReplaceAll(text, "%%", "")); verb != "" {
			c.report(message.Pos(), callrules.FormatMismatch, "%s does not format, so %s stays in the message; call Eventf", s.Shape.Name, verb)
		}
	case !s.Call.Ellipsis.IsValid():
		for _, problem := range mismatches(text, s.Call.Args[s.Shape.Message+1:], s.Package.Info) {
			c.report(message.Pos(), callrules.FormatMismatch, "%s", problem)
		}
	}
}

// mismatches compares the verbs of a format with its arguments, as package fmt would.
func mismatches(format string, args []ast.Expr, info *types.Info) (problems []string) {
	directives, ok := scan.Directives(format)
	if !ok {
		return []string{"the format ends in the middle of a verb"}
	}
	most, indexed := 0, false
	for _, v := range directives {
		if v.Letter == 0 {
			continue
		}
		most, indexed = max(most, v.Arg+1), indexed || v.Indexed
		if v.Arg >= len(args) {
			problems = append(problems, v.Text+" has no argument")
		} else if problem := unfit(v, info.TypeOf(args[v.Arg]), short(args[v.Arg])); problem != "" {
			problems = append(problems, problem)
		}
	}
	if most < len(args) && !indexed {
		problems = append(problems, "no verb shows the argument "+short(args[most]))
	}
	return problems
}
