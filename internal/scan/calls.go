package scan

import (
	"go/ast"
	"go/types"
	"slices"
)

// call returns the texts that a call of string type can return: a conversion, fmt.Sprintf, a String method, or a function with source.
func (e *evaluator) call(x *ast.CallExpr) []Text {
	if tv, ok := e.pkg.Info.Types[x.Fun]; ok && tv.IsType() {
		return e.conversion(x)
	}
	fn := e.callee(x)
	if fn == nil {
		return e.opaque(x, "it is a result of "+nameOf(x))
	}
	switch fn.FullName() {
	case "fmt.Sprintf":
		return e.formatted(x, 0, 1)
	case "fmt.Sprint":
		if len(x.Args) == 1 {
			return e.formatOf("%v", x.Args, x)
		}
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
	return e.opaque(x, "it is a result of "+nameOf(x))
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
	if t := e.pkg.Info.TypeOf(x.Args[0]); t == nil || !isString(t) {
		return nil
	}
	texts := how(e.eval(x.Args[0]), Conversion)
	if len(texts) == 1 && len(texts[0].Parts) == 1 && texts[0].Parts[0].Expr == x.Args[0] && !texts[0].symbolic() {
		return e.opaque(x, texts[0].Parts[0].Cause)
	}
	return texts
}

// stringMethod returns the texts that a String method returns, if its source can be read. Without the source it assumes nothing, even if
// the receiver is a string.
func (e *evaluator) stringMethod(x *ast.CallExpr, recv ast.Expr, fn *types.Func) []Text {
	if texts := e.result(x, 0); texts != nil {
		return how(texts, Conversion)
	}
	if e.functions[funcKey(fn)] == nil {
		if f := e.fromSource(fn); f != nil {
			return how(e.inlined(f, x, 0), Conversion)
		}
	}
	return e.opaque(recv, "it is the text of "+types.ExprString(recv)+", whose String method is not read")
}

// formatted returns the texts that fmt.Sprintf returns and Eventf records. format and first are the indexes of the format and its first
// argument.
func (e *evaluator) formatted(x *ast.CallExpr, format, first int) []Text {
	if len(x.Args) <= format {
		return nil
	}
	args := e.arguments(x, first)
	var out []Text
	for _, f := range e.eval(x.Args[format]) {
		s, constant := f.Constant()
		switch {
		case constant:
			t := e.expand(s, args.parts)
			if args.rest != nil {
				t = e.spreadOver(s, x.Args[len(x.Args)-1])
			}
			t.How, t.Pos, t.Info, t.Def = Runtime, f.Pos, e.pkg.Info, f.Def
			if _, ok := t.Constant(); ok {
				t.How = f.How
			}
			out = append(out, t)
		case f.symbolic():
			out = append(out, e.pendingFormat(x.Args[format], f, args))
		default:
			out = append(out, f)
		}
	}
	return out
}

// spreadOver returns the text of a format whose arguments are a slice. Each verb shows an element of the slice.
func (e *evaluator) spreadOver(format string, slice ast.Expr) Text {
	literals, verbs := directives(format)
	part := Part{Expr: slice, Info: e.pkg.Info, Cause: isSlice}
	var t Text
	for i, v := range verbs {
		part.Verb = v.text
		t.Parts = appendPart(appendLiteral(t.Parts, literals[i]), part)
	}
	t.Parts = appendLiteral(t.Parts, literals[len(verbs)])
	if len(verbs) == 0 {
		part.Verb = "%v"
		t.Parts = append(t.Parts, part)
	}
	return t
}

// isSlice is the cause of the parts for which Spread returns true.
const isSlice = "the arguments are a slice"

// Spread reports whether the part is an element of the slice Expr, because the format's arguments are slice... .
func (p Part) Spread() bool { return p.Cause == isSlice }

// pendingFormat returns a text whose format the callers pass.
func (e *evaluator) pendingFormat(x ast.Expr, f Text, args *formatArgs) Text {
	p := Part{Expr: x, Info: e.pkg.Info, Type: e.pkg.Info.TypeOf(x), Verb: "%s", format: f.Parts, args: args, in: e.here()}
	return Text{Parts: []Part{p}, How: Runtime, Pos: f.Pos, Def: f.Def, Info: f.Info}
}

func (e *evaluator) formatOf(format string, args []ast.Expr, x ast.Expr) []Text {
	parts := make([]Part, len(args))
	for i, a := range args {
		parts[i] = e.argument(a)
	}
	t := e.expand(format, parts)
	t.How, t.Pos, t.Info = Runtime, x.Pos(), e.pkg.Info
	return []Text{t}
}

// arguments returns the arguments of a format, starting at an index.
func (e *evaluator) arguments(x *ast.CallExpr, first int) *formatArgs {
	args := &formatArgs{}
	for i := first; i < len(x.Args); i++ {
		if x.Ellipsis.IsValid() && i == len(x.Args)-1 {
			args.rest = e.spread(x.Args[i])
			break
		}
		args.parts = append(args.parts, e.argument(x.Args[i]))
	}
	return args
}

// spread returns the variadic parameter that a call passes on as x... . Any other slice gives a reference without a function.
func (e *evaluator) spread(x ast.Expr) *paramRef {
	if p := e.untouched(x); p != nil {
		return p
	}
	return &paramRef{}
}

// argument returns an argument of a format as a part.
func (e *evaluator) argument(x ast.Expr) Part {
	p := Part{Expr: x, Info: e.pkg.Info, Type: e.pkg.Info.TypeOf(x), in: e.here()}
	p.param = e.untouched(x)
	return p
}

// untouched returns the parameter that an expression names, or nil if an assignment can come before.
func (e *evaluator) untouched(x ast.Expr) *paramRef {
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := e.pkg.Info.Uses[id].(*types.Var)
	if !ok || e.fn.owner(v) == nil {
		return nil
	}
	if defs, entry := e.reaching(v, e.fn, id.Pos()); !entry || len(defs) > 0 {
		return nil
	}
	return e.fn.owner(v)
}

// result returns the texts of one result of a call, or nil if they are not known.
func (e *evaluator) result(x ast.Expr, index int) []Text {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return nil
	}
	fn := e.callee(call)
	if fn == nil {
		return nil
	}
	f := e.functions[funcKey(fn)]
	if f == nil {
		return nil
	}
	return e.inlined(f, call, index)
}

// inlined returns the texts of a function's return statements, with the call's arguments in place of the parameters.
func (e *evaluator) inlined(f *function, call *ast.CallExpr, index int) []Text {
	if f.body == nil || e.busy[f] || e.depth > mostDepth {
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
			if texts[i].Def == nil {
				texts[i].Def = r
			}
		}
		out = append(out, texts...)
	}
	if !useful(out) {
		return nil
	}
	bound := &binding{e: e, fn: f, call: call}
	return bound.texts(out)
}

// useful reports whether reading a function has shown anything: literal text, or text that the caller decides.
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
	case f.sig != nil && index < f.sig.Results().Len():
		return e.named(f.sig.Results().At(index), r)
	}
	return nil
}

// named returns the texts of a named result at a return without expressions.
func (e *evaluator) named(v *types.Var, r *ast.ReturnStmt) []Text {
	defs, entry := e.reaching(v, e.fn, r.Pos())
	var out []Text
	if entry {
		out = append(out, literalText("", ZeroValue, r.Pos()))
	}
	for _, d := range defs {
		if d.kind != assigned {
			return nil
		}
		out = append(out, e.in(d.fn, d.pkg).eval(d.rhs)...)
	}
	return out
}

// returns lists the return statements of a function, without those of function literals inside it.
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
