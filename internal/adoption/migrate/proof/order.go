package proof

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// sameArgument reports whether two arguments are written alike and evaluated alike: the same
// expression without calls.
func sameArgument(a, b Argument) bool {
	return a.How == b.How && a.Type == b.Type && a.Method == b.Method && a.Format == b.Format && a.Spread == b.Spread && a.Text == b.Text &&
		a.Converted == b.Converted && sameExpr(a.Expr, b.Expr) && slices.EqualFunc(a.Args, b.Args, sameExpr)
}

func sameExpr(a, b ast.Expr) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a == b || types.ExprString(a) == types.ExprString(b) && !hasFuncLit(a)
}

func hasFuncLit(x ast.Expr) bool {
	for n := range ast.Preorder(x) {
		if _, is := n.(*ast.FuncLit); is {
			return true
		}
	}
	return false
}

// order compares the calls that the raw and the typed call evaluate, in their order.
func (p *prover) order() {
	raw := p.calls(slices.Concat([]ast.Expr{p.site.Regarding.Expr, p.site.Related.Expr, p.site.Annotations, p.site.Type, p.site.Reason, p.site.Action}, p.textArguments())...)
	typed := []ast.Expr{p.verdict.Annotations, p.site.Regarding.Expr, p.verdict.Related.Expr}
	for _, a := range p.verdict.Args {
		typed = append(append(typed, a.Expr), a.Args...)
	}
	if got := p.calls(typed...); !slices.Equal(raw, got) {
		p.cause(Order, "", "The raw call evaluates the calls in its arguments in another order, or another number of times: "+list(raw)+"; the typed one: "+list(got)+".")
	}
}

func list(calls []*ast.CallExpr) string {
	if len(calls) == 0 {
		return "none"
	}
	texts := make([]string, len(calls))
	for i, c := range calls {
		texts[i] = types.ExprString(c)
	}
	return strings.Join(texts, ", ")
}

// textArguments returns the expressions that the raw call evaluates for its text.
func (p *prover) textArguments() []ast.Expr {
	if len(p.site.Whole.Args) > 0 || p.site.Whole.Expr != nil && !p.sees(p.site.Whole.Expr) {
		return append([]ast.Expr{p.site.Whole.Expr}, p.site.Whole.Args...)
	}
	var out []ast.Expr
	for _, part := range p.site.Text {
		out = append(append(out, part.Expr), part.Args...)
	}
	return out
}

// sees reports whether an expression contains the text's arguments. The typed call then evaluates
// the arguments and not the expression.
func (p *prover) sees(x ast.Expr) bool {
	return slices.ContainsFunc(p.site.Text, func(part Part) bool {
		return part.Expr != nil && x.Pos() <= part.Expr.Pos() && part.Expr.End() <= x.End()
	})
}

// calls returns the calls in expressions that may have effects: all but conversions and functions
// that only read.
func (p *prover) calls(exprs ...ast.Expr) []*ast.CallExpr {
	var out []*ast.CallExpr
	for _, x := range exprs {
		if x == nil {
			continue
		}
		ast.Inspect(x, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok && !p.onlyReads(c) {
				out = append(out, c)
			}
			_, isFunc := n.(*ast.FuncLit)
			return !isFunc
		})
	}
	return out
}

// reading holds the functions and methods that change nothing, by convention.
var reading = []string{"Error", "String", "Join", "Sprintf", "Sprint", "Itoa", "Seconds", "Minutes", "Len", "Name", "Kind", "len", "cap", "min", "max"}

func (p *prover) onlyReads(c *ast.CallExpr) bool {
	if p.site.Info != nil && p.site.Info.Types[c.Fun].IsType() {
		return true
	}
	name := ""
	switch fun := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		name = fun.Sel.Name
	}
	getter := strings.HasPrefix(name, "Get") && len(c.Args) == 0
	return getter || slices.Contains(reading, name)
}

// extraArguments notes arguments without a verb in the raw call's format.
func (p *prover) extraArguments() {
	w := p.site.Whole
	if w.Expr == nil || len(w.Args) == 0 || w.Spread || p.passesWhole() {
		return
	}
	if format := p.site.Format; !strings.ContainsAny(format, "[*") && verbs(format) < len(w.Args) {
		p.cause(Extra, "", "The raw call has more arguments than verbs; fmt shows them as %!(EXTRA …).")
	}
}

// formatKnown reports whether the text of a formatting raw call is known, if the typed call does
// not format: the format is constant, and its arguments stand in the call.
func (p *prover) formatKnown() bool {
	w := p.site.Whole
	if len(w.Args) == 0 || p.passesWhole() || p.site.Format != "" && !w.Spread {
		return true
	}
	return p.fail(TextDiffers, p.unknownText())
}

// unknownText returns why the text of a formatting call is unknown.
func (p *prover) unknownText() string {
	w := p.site.Whole
	if p.site.Format != "" {
		return "The arguments of the format are a slice, " + types.ExprString(w.Args[len(w.Args)-1]) + ": what is stored depends on its length."
	}
	return "The format " + types.ExprString(w.Expr) + " is not constant, and arguments follow it: what is stored depends on both."
}

// passesWhole reports whether the typed call formats as the raw call does.
func (p *prover) passesWhole() bool {
	return slices.ContainsFunc(p.verdict.Args, func(a Argument) bool { return a.How == Sprintf && a.Expr == p.site.Whole.Expr && a.Expr != nil })
}

// directive is a verb with its flags, or a percent sign.
var directive = regexp.MustCompile(`%[-+# 0-9.]*[^-+# 0-9.]`)

// verbs counts the verbs of a format.
func verbs(format string) int {
	n := 0
	for _, d := range directive.FindAllString(format, -1) {
		if !strings.HasSuffix(d, "%") {
			n++
		}
	}
	return n
}
