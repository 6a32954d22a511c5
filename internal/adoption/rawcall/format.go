package rawcall

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// formats judges the calls that pass a format to a recorder: EV513, EV514 and EV536. A call whose
// reason or action is the format has no format to judge.
func (c *checker) formats() {
	for _, f := range c.Formats {
		if !c.leftOut[f.Call] {
			c.format(f)
		}
	}
}

func (c *checker) format(f *scan.FormatCall) {
	format, args := f.Call.Args[f.Format], f.Call.Args[min(f.Args, len(f.Call.Args)):]
	for _, problem := range c.mismatchesOf(f, args) {
		c.report(format.Pos(), callrules.FormatMismatch, "%s", problem)
	}
	switch {
	case f.Value.Closed() && (len(args) > 0 || harmless(f.Value)):
	case len(f.Value.Alternatives) == 1 && constantFormat(f, format):
	case len(args) == 0 && !slices.ContainsFunc(f.Known.Alternatives, mayHoldPercent):
		c.report(format.Pos(), callrules.NonConstantFormat, "%s is not constant and is taken for a format; no %% can be in it%s; write \"%%s\" before it%s",
			short(format), refused(f.Shape), unformatted(f.Shape))
		c.findings[len(c.findings)-1].Severity = diag.Warning
	case len(args) == 0, slices.ContainsFunc(f.Value.Alternatives, formatted):
		c.report(format.Pos(), callrules.NonConstantFormat, "%s is not constant and is taken for a format, so that a %% in it spoils the message; write \"%%s\" before it%s",
			short(format), unformatted(f.Shape))
	case !f.Callers && !f.Known.Closed() && !slices.ContainsFunc(f.Known.Alternatives, fromCallers):
		c.report(format.Pos(), callrules.ComputedFormat, "%s is not constant, so that nothing compares its verbs with the arguments; use a constant format", short(format))
	}
}

// constantFormat reports whether the format is constant for the compiler, also if verbs have no
// arguments.
func constantFormat(f *scan.FormatCall, format ast.Expr) bool {
	_, ok := scan.ConstantText(f.Package.Info, format)
	return ok
}

// mismatchesOf returns the mistakes in each constant that the format can be, each once.
func (c *checker) mismatchesOf(f *scan.FormatCall, args []ast.Expr) (problems []string) {
	constants := f.Value.Constants()
	if len(args) > 0 && !f.Callers && f.Known.Closed() && c.alone(f) {
		constants = f.Known.Constants()
	}
	if len(args) == 0 && harmless(f.Value) {
		return nil
	}
	for _, text := range constants {
		for _, problem := range mismatches(text, f.Call, args, f.Package) {
			if len(constants) > 1 {
				problem = "of the format " + quote(text) + ": " + problem
			}
			if !slices.Contains(problems, problem) {
				problems = append(problems, problem)
			}
		}
	}
	return problems
}

// alone reports whether no other call of its function passes a format. If there are several, the
// function may choose the call by the format.
func (c *checker) alone(f *scan.FormatCall) bool {
	return !slices.ContainsFunc(c.Formats, func(other *scan.FormatCall) bool { return other != f && other.Func != nil && other.Func == f.Func })
}

// fromCallers reports whether unread callers decide a part of a text.
func fromCallers(t scan.Text) bool {
	return slices.ContainsFunc(t.Parts, func(p scan.Part) bool {
		_, _, ok := p.Param()
		return ok
	})
}

// refused returns the note that go vet refuses a format that is not constant. Vet does not know the
// events API.
func refused(s scan.Shape) string {
	if s.API == scan.Record {
		return ", but go vet refuses such a format with client-go v0.36 and later"
	}
	return ""
}

// unformatted names the method that takes a text as it is. Only Eventf of the record API has one
// beside it.
func unformatted(s scan.Shape) string {
	if s.API == scan.Record && s.Name == "Eventf" {
		return ", or call Event"
	}
	return ""
}

// harmless reports whether every text that a format can be is constant and has no verb.
func harmless(v scan.Value) bool {
	return v.Closed() && !strings.Contains(strings.Join(v.Constants(), ""), "%")
}

// formatted reports whether a text was formatted already: an error's text, or constant text joined
// with values that callers do not decide.
func formatted(t scan.Text) bool {
	constant, computed := false, false
	for _, p := range t.Parts {
		switch {
		case literally(p):
			constant = constant || p.Literal != ""
		case isError(p.Type):
			return true
		default:
			computed = computed || !p.IsFromCaller()
		}
	}
	return constant && computed
}

// mayHoldPercent reports whether a % can be in a text. Numbers, booleans, and names and namespaces
// of objects hold none.
func mayHoldPercent(t scan.Text) bool {
	return slices.ContainsFunc(t.Parts, func(p scan.Part) bool {
		if literally(p) {
			return strings.Contains(p.Literal, "%")
		}
		return p.Pending() || !withoutPercent(p)
	})
}

func withoutPercent(p scan.Part) bool {
	if p.Type == nil || p.Verb == "" || strings.Contains(p.Verb, "*") || isStringer(p.Type) || isError(p.Type) || hasMethod(p.Type, "Format", 2) {
		return false
	}
	b, ok := p.Type.Underlying().(*types.Basic)
	if !ok {
		return false
	}
	verb := p.Verb[len(p.Verb)-1:]
	switch info := b.Info(); {
	case info&types.IsInteger != 0:
		return strings.Contains("dvxXob", verb)
	case info&types.IsFloat != 0:
		return strings.Contains("veEfFgG", verb)
	case info&types.IsBoolean != 0:
		return strings.Contains("tv", verb)
	}
	return strings.Contains("svqxX", verb) && (identifies(p, "Name", "Namespace") || digits(p))
}

// digits reports whether a part is a number or boolean that strconv has turned into text.
func digits(p scan.Part) bool {
	call, ok := ast.Unparen(p.Expr).(*ast.CallExpr)
	return ok && p.Info != nil && slices.Contains([]string{"strconv.Itoa", "strconv.FormatInt", "strconv.FormatUint", "strconv.FormatBool"}, calleeName(p.Info, call))
}

func short(e ast.Expr) string { return name(scan.Part{Expr: e}) }

// quote returns a text in quotes, and cuts a long one.
func quote(text string) string { return `"` + shortened(text) + `"` }

// unformattedVerb is EV514 for a text that a recorder stores as it is.
func unformattedVerb(c *checker, s *scan.Site) {
	if s.Shape.Formats {
		return
	}
	text, ok := s.Message.Constant()
	at, called := at(s, s.Message), s.Shape.Name
	if s.Scope == scan.ThroughWrapper {
		if called = s.Method; len(s.Via) == 0 || s.Call == nil || !says(s, text) {
			return
		}
	} else if message := argument(s, s.Shape.Message); message == nil {
		return
	} else if text, ok = scan.ConstantText(s.Package.Info, message); ok {
		at = message.Pos()
	}
	if verb := scan.LeftVerb(strings.ReplaceAll(text, "%%", "")); ok && verb != "" && !c.formatsToo(s) {
		remedy := "format the text first"
		if called == "Event" {
			remedy = "call Eventf"
		}
		c.report(at, callrules.FormatMismatch, "%s does not format, so %s stays in the message; %s", called, verb, remedy)
	}
}

// formatsToo reports whether the same call can record by a method that formats.
func (c *checker) formatsToo(s *scan.Site) bool {
	return slices.ContainsFunc(c.Sites, func(o *scan.Site) bool { return o.Shape.Formats && o.Node() == s.Node() })
}

// says reports whether an argument of a site's call is a constant text.
func says(s *scan.Site, text string) bool {
	return text != "" && slices.ContainsFunc(s.Call.Args, func(x ast.Expr) bool {
		argument, ok := scan.ConstantText(s.Package.Info, x)
		return ok && argument == text
	})
}

// leftOutReason is EV514 for a call in which the format stands in the place of the reason.
func leftOutReason(c *checker, s *scan.Site) {
	for _, reason := range s.Reason.Constants() {
		if verb := scan.LeftVerb(reason); verb != "" {
			if s.Call != nil {
				c.leftOut[s.Call] = true
			}
			c.report(at(s, s.Reason), callrules.FormatMismatch, "the format %s stands in the place of the reason; name the reason before it", quote(reason))
		}
	}
}

// leftOutAction is EV514 for a call in which the format stands in the place of the action.
func leftOutAction(c *checker, s *scan.Site) {
	if format := s.FormatAsAction(); format != "" {
		c.leftOut[s.Call] = true
		c.report(at(s, s.Action), callrules.FormatMismatch, "the format %s stands in the place of the action, so that %s is taken for the format; name the action before it",
			quote(format), short(s.Call.Args[s.Shape.Message]))
	}
}
