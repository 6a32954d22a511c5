package scan

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// pureCall is a call of a function that only computes a text from texts, or a slice of a text.
// Callers decide at least one of the texts.
type pureCall struct {
	name string // in pureFunctions
	args []Text
}

// pureFunctions are functions of the standard library and of golang.org/x/text/cases, by their full
// names. Numbers among the arguments are texts too.
var pureFunctions = map[string]func(args []string) string{
	"strings.ToLower": func(a []string) string { return strings.ToLower(a[0]) },
	"strings.ToUpper": func(a []string) string { return strings.ToUpper(a[0]) },
	//lint:ignore SA1019 code that is read calls it
	"strings.Title":      func(a []string) string { return strings.Title(a[0]) },
	"strings.TrimSpace":  func(a []string) string { return strings.TrimSpace(a[0]) },
	"strings.TrimPrefix": func(a []string) string { return strings.TrimPrefix(a[0], a[1]) },
	"strings.TrimSuffix": func(a []string) string { return strings.TrimSuffix(a[0], a[1]) },
	"strings.ReplaceAll": func(a []string) string { return strings.ReplaceAll(a[0], a[1], a[2]) },
	"strconv.Itoa":       func(a []string) string { return a[0] },
	slicing: func(a []string) string {
		end := max(0, min(number(a[2]), len(a[0])))
		return a[0][max(0, min(number(a[1]), end)):end]
	},

	"cases.Title":         func(a []string) string { return cases.Title(language.Und).String(a[0]) },
	"cases.Title NoLower": func(a []string) string { return cases.Title(language.Und, cases.NoLower).String(a[0]) },
}

// slicing is the name in pureFunctions of text[low:high].
const slicing = "slicing"

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// ownCases are the languages of golang.org/x/text with rules of their own for upper and lower case.
var ownCases = []string{"Azerbaijani", "Dutch", "Greek", "Lithuanian", "Turkish"}

// pure returns the texts of a call of a function in pureFunctions, or of strings.Join. It returns
// nil for other calls.
func (e *evaluator) pure(x *ast.CallExpr, fn *types.Func) []Text {
	args, name := x.Args, fn.FullName()
	switch {
	case len(args) != fn.Signature().Params().Len(): // it does not compile
		return nil
	case name == "(golang.org/x/text/cases.Caser).String":
		name = e.caser(receiver(x))
	}
	if pureFunctions[name] == nil || x.Ellipsis.IsValid() {
		return nil
	}
	values := make([][]Text, len(args))
	for i, arg := range args {
		values[i] = e.textOrNumber(arg)
	}
	return e.applied(x, name, values)
}

// sliced returns the texts of text[low:high], if the bounds are constant.
func (e *evaluator) sliced(x *ast.SliceExpr) []Text {
	bound := func(x ast.Expr, absent int) []Text {
		if x == nil {
			return []Text{literalText(strconv.Itoa(absent), Literal, token.NoPos)}
		}
		return e.textOrNumber(x)
	}
	return e.applied(x, slicing, [][]Text{e.textOrNumber(x.X), bound(x.Low, 0), bound(x.High, math.MaxInt)})
}

func (e *evaluator) textOrNumber(x ast.Expr) []Text {
	if v := e.pkg.Info.Types[x].Value; v != nil && v.Kind() == constant.Int {
		return []Text{literalText(v.ExactString(), Literal, x.Pos())}
	}
	if t := e.pkg.Info.TypeOf(x); t == nil || !IsString(t) {
		return nil
	}
	return e.eval(x)
}

// applied applies a function, whose call or slice expression is x, to arguments.
func (e *evaluator) applied(x ast.Expr, name string, values [][]Text) []Text {
	if slices.ContainsFunc(values, func(texts []Text) bool { return texts == nil }) {
		return nil
	}
	return applied(Part{Expr: x, Info: e.pkg.Info, Type: e.pkg.Info.TypeOf(x), Verb: "%s", in: &e.scope}, name, values)
}

// applied applies a function to each combination of arguments. If callers decide an argument, the
// result stays the part call. applied returns nil if an argument is unknown for another reason.
func applied(call Part, name string, values [][]Text) (out []Text) {
	for _, args := range combinations(values) {
		texts := make([]string, len(args))
		known, symbolic := true, false
		t := Text{Pos: call.Expr.Pos(), Info: call.Info, How: Conversion}
		for i, arg := range args {
			text, constant := arg.Constant()
			texts[i], known, symbolic = text, known && constant, symbolic || arg.symbolic()
			if t.Def == nil {
				t.Def = arg.Def
			}
		}
		switch {
		case known:
			t.Parts = []Part{{Literal: pureFunctions[name](texts)}}
		case symbolic:
			call.Cause, call.pure = "it is a result of "+name, &pureCall{name, args}
			t.Parts, t.How = []Part{call}, Runtime
		default:
			return nil
		}
		out = append(out, t)
	}
	return out
}

// combinations returns all ways to choose one of each list, or nothing if there are too many.
func combinations(lists [][]Text) [][]Text {
	all := [][]Text{nil}
	for _, list := range lists {
		var next [][]Text
		for _, head := range all {
			for _, t := range list {
				next = append(next, append(slices.Clone(head), t))
			}
		}
		if all = next; len(all) > mostAlternatives {
			return nil
		}
	}
	return all
}

// caser returns the name in pureFunctions of a value of type cases.Caser. It returns "" if the
// value's constructor is unknown, or if its language or options have rules that pureFunctions
// lacks.
func (e *evaluator) caser(x ast.Expr) string {
	switch x := ast.Unparen(x).(type) {
	case *ast.UnaryExpr:
		return e.caser(x.X)
	case *ast.CallExpr:
		return e.newCaser(x)
	}
	if v, ok := Named(e.pkg.Info, x).(*types.Var); ok && !v.IsField() {
		if known := e.variable(v); len(known.defs) == 1 && known.defs[0].kind == assigned && e.depth <= mostDepth {
			d := known.defs[0]
			return e.in(d.fn, d.pkg).caser(d.rhs)
		}
	}
	return ""
}

func (e *evaluator) newCaser(x *ast.CallExpr) string {
	fn := e.callee(x)
	if fn == nil || fn.Pkg() == nil || RealPath(fn.Pkg().Path()) != "golang.org/x/text/cases" || len(x.Args) == 0 {
		return ""
	}
	tag, ok := Named(e.pkg.Info, x.Args[0]).(*types.Var)
	if !ok || tag.Pkg() == nil || RealPath(tag.Pkg().Path()) != "golang.org/x/text/language" || slices.Contains(ownCases, tag.Name()) {
		return ""
	}
	name := "cases." + fn.Name()
	for _, option := range x.Args[1:] {
		v := Named(e.pkg.Info, option)
		if v == nil || v.Name() != "NoLower" {
			return ""
		}
		name += " NoLower"
	}
	return name
}

// boundPure returns the texts of a part with the arguments that a caller passes.
func (p Part) boundPure(b *binding) []Text {
	values := make([][]Text, len(p.pure.args))
	for i, arg := range p.pure.args {
		values[i] = b.texts([]Text{arg})
	}
	if texts := applied(p, p.pure.name, values); texts != nil {
		return texts
	}
	return p.unresolved(p.Cause)
}

// leaves returns the part, or the parts of the arguments of its pure call.
func (p Part) leaves() []Part {
	if p.pure == nil {
		return []Part{p}
	}
	var out []Part
	for _, arg := range p.pure.args {
		out = append(out, arg.leaves()...)
	}
	return out
}

func (t Text) leaves() (out []Part) {
	for _, p := range t.Parts {
		out = append(out, p.leaves()...)
	}
	return out
}

// Computed returns a part that a function computes this part from, and that callers decide. It
// reports whether there is one.
func (p Part) Computed() (Part, bool) {
	if p.pure != nil {
		for _, leaf := range p.leaves() {
			if leaf.symbolic() {
				return leaf, true
			}
		}
	}
	return Part{}, false
}
