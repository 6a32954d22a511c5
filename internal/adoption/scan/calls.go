package scan

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
)

// call returns the texts that a call of string type can return: a conversion, fmt.Sprintf, a String
// method, or a function with source.
func (e *evaluator) call(x *ast.CallExpr) []Text {
	if e.pkg.Info.Types[x.Fun].IsType() {
		return e.conversion(x)
	}
	unknown := e.opaque(x, "it is a result of "+nameOf(x))
	fn := e.callee(x)
	if fn == nil {
		return unknown
	}
	switch fn.FullName() {
	case "fmt.Sprintf":
		return e.formatted(x, 0, 1)
	case "fmt.Sprint":
		if len(x.Args) == 1 {
			return []Text{e.expand("%v", []Part{e.argument(x.Args[0])}, Text{Pos: x.Pos(), How: Runtime})}
		}
	}
	if texts := e.pure(x, fn); texts != nil {
		return texts
	}
	if recv := receiver(x); recv != nil && len(x.Args) == 0 {
		switch fn.Name() {
		case "Error":
			return e.opaque(recv, "it is the text of an error")
		case "String":
			if texts := e.stringMethod(x, recv, fn); texts != nil {
				return texts
			}
		}
	}
	if texts := e.result(x, 0); texts != nil {
		return texts
	}
	return unknown
}

func receiver(x *ast.CallExpr) ast.Expr {
	if sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok {
		return sel.X
	}
	return nil
}

// conversion returns the texts of string(x) and other conversions of strings.
func (e *evaluator) conversion(x *ast.CallExpr) []Text {
	if len(x.Args) != 1 {
		return nil
	}
	if t := e.pkg.Info.TypeOf(x.Args[0]); t == nil || !IsString(t) {
		return nil
	}
	texts := how(e.eval(x.Args[0]), Conversion)
	if onlyExpr(texts) == x.Args[0] && !texts[0].symbolic() {
		return e.opaque(x, texts[0].Parts[0].Cause)
	}
	return texts
}

// stringMethod returns the texts that a String method returns, if its source can be read. Without
// the source it assumes nothing, even if the receiver is a string.
func (e *evaluator) stringMethod(x *ast.CallExpr, recv ast.Expr, fn *types.Func) []Text {
	if texts := e.result(x, 0); texts != nil {
		return how(texts, Conversion)
	}
	return e.opaque(recv, "it is the text of "+types.ExprString(recv)+", whose String method is not read")
}

// formatted returns the texts that fmt.Sprintf returns and Eventf records. format and first are the
// indexes of the format and its first argument. The text is unknown if a format that is not
// constant has arguments, or if fmt.Sprintf has too many.
func (e *evaluator) formatted(x *ast.CallExpr, format, first int) []Text {
	if len(x.Args) <= format {
		return nil
	}
	args, isText := e.arguments(x, first), IsString(e.pkg.Info.TypeOf(x))
	var out []Text
	for _, f := range e.eval(x.Args[format]) {
		s, constant := f.Constant()
		switch {
		case constant && args.rest != nil:
			t := e.expand(s, nil, f)
			t.How, t.Parts = Runtime, e.spreadOver(s, x.Args[len(x.Args)-1])
			out = append(out, t)
		case constant && (!isText || !leavesOver(s, len(args.parts))):
			out = append(out, e.expand(s, args.parts, f))
		case constant:
			out = append(out, e.opaque(x, "it has more arguments than verbs")...)
		case f.symbolic():
			t := e.pendingFormat(x.Args[format], f, args)
			t.Parts[0].bare = !isText && args.none()
			out = append(out, t)
		case isText:
			out = append(out, e.opaque(x, "its format is not constant")...)
		case first < len(x.Args):
			out = append(out, e.pendingFormat(x.Args[format], f, args))
		default:
			out = append(out, f)
		}
	}
	return out
}

// spreadOver returns the text of a format whose arguments are a slice. Each verb shows an element
// of the slice.
func (e *evaluator) spreadOver(format string, slice ast.Expr) (parts []Part) {
	part := Part{Expr: slice, Info: e.pkg.Info, Cause: isSlice}
	directives, _ := Directives(format)
	for _, d := range directives {
		switch d.Letter {
		case 0:
			parts = appendLiteral(parts, d.Text)
		case '*':
		default:
			part.Verb = d.verb()
			parts = append(parts, part)
		}
	}
	if part.Verb == "" {
		part.Verb = "%v"
		parts = append(parts, part)
	}
	return parts
}

// isSlice is the cause of the parts for which Spread returns true.
const isSlice = "the arguments are a slice"

// Spread reports whether the part is an element of the slice Expr, because the format's arguments
// are slice... .
func (p Part) Spread() bool { return p.Cause == isSlice }

// pendingFormat returns a text whose format the callers pass, or whose format is not constant and
// has arguments.
func (e *evaluator) pendingFormat(x ast.Expr, f Text, args *formatArgs) Text {
	p := Part{Expr: x, Info: e.pkg.Info, Type: e.pkg.Info.TypeOf(x), Verb: "%s", format: f.Parts, args: args, in: &e.scope}
	return Text{Parts: []Part{p}, How: Runtime, Pos: f.Pos, Def: f.Def, Info: f.Info, entry: f.entry}
}

// arguments returns the arguments of a format, starting at an index.
func (e *evaluator) arguments(x *ast.CallExpr, first int) *formatArgs {
	args := &formatArgs{}
	for i := first; i < len(x.Args); i++ {
		if x.Ellipsis.IsValid() && i == len(x.Args)-1 {
			args.rest = cmp.Or(e.untouched(x.Args[i]), &paramRef{})
			break
		}
		args.parts = append(args.parts, e.argument(x.Args[i]))
	}
	return args
}

// argument returns an argument of a format as a part.
func (e *evaluator) argument(x ast.Expr) Part {
	return Part{Expr: x, Info: e.pkg.Info, Type: e.pkg.Info.TypeOf(x), in: &e.scope, param: e.untouched(x)}
}

// untouched returns the parameter that an expression names, or nil if an assignment can come
// before.
func (e *evaluator) untouched(x ast.Expr) *paramRef {
	v := Variable(e.pkg.Info, x)
	if v == nil || e.fn.owner(v) == nil {
		return nil
	}
	if defs, entry := e.reaching(v, e.fn, ast.Unparen(x).Pos()); !entry || len(defs) > 0 {
		return nil
	}
	return e.fn.owner(v)
}

// result returns the texts of one result of a call, or nil if they are not known.
func (e *evaluator) result(x ast.Expr, index int) []Text {
	if call, ok := ast.Unparen(x).(*ast.CallExpr); ok {
		return e.inlined(e.source(e.pkg.Info, call), call, index)
	}
	return nil
}

// inlined returns the texts of a function's return statements, with the call's arguments in place
// of the parameters.
func (e *evaluator) inlined(f *function, call *ast.CallExpr, index int) []Text {
	if f == nil || f.body == nil || e.busy[f] || e.depth > mostDepth {
		return nil
	}
	e.busy[f] = true
	defer delete(e.busy, f)
	in := e.in(f, f.pkg)
	var out []Text
	for _, r := range returns(f.body) {
		texts := in.returned(f, r, index)
		if texts == nil || len(out) > mostAlternatives {
			return nil
		}
		for i := range texts {
			texts[i].Def = cmp.Or(texts[i].Def, ast.Node(r))
		}
		out = append(out, texts...)
	}
	if !useful(out) {
		return nil
	}
	return (&binding{e: e, fn: f, call: call}).texts(out)
}

// useful reports whether texts of a function show anything: literal text, or text that the caller
// decides.
func useful(texts []Text) bool {
	return slices.ContainsFunc(texts, func(t Text) bool {
		return t.symbolic() || slices.ContainsFunc(t.Parts, func(p Part) bool { return p.isLiteral() && p.Literal != "" })
	})
}

func (e *evaluator) returned(f *function, r *ast.ReturnStmt, index int) []Text {
	switch {
	case len(r.Results) > index && (len(r.Results) > 1 || f.sig != nil && f.sig.Results().Len() == 1):
		return e.eval(r.Results[index])
	case len(r.Results) == 1:
		return e.result(r.Results[0], index)
	}
	return nil
}

// returns lists the return statements of a function, without return statements of function literals
// inside it.
func returns(body *ast.BlockStmt) []*ast.ReturnStmt {
	var out []*ast.ReturnStmt
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			out = append(out, n)
		}
		return true
	})
	return out
}

// Statements returns the statements of a block, or of a clause of a switch or a select; nil for
// another node.
func Statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}
