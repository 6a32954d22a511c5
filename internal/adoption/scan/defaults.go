package scan

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/astutil"
)

// unset returns the texts of a field that a carrier's literal leaves out. A function that gets the
// literal as an argument may fill the field in. Of several implementations of an interface only the
// ones that fill it in count: the others are often fakes, which record nothing.
func (b *binding) unset(p Part) []Text {
	var out []Text
	if assigns := b.e.assigns[p.field.key()]; len(assigns) > 0 && b.e.fn != nil && b.e.fn.file != nil {
		call, index := argumentOf(b.e.fn, b.literal)
		for _, f := range b.e.targets(call) {
			out = append(out, b.e.filledIn(f, index, assigns)...)
		}
	}
	if len(out) == 0 {
		return []Text{literalText("", ZeroValue, b.literal.Pos())}
	}
	return distinct(undefined(out))
}

// argumentOf returns the call that has a literal, or its address, as an argument, and the index of
// the argument.
func argumentOf(fn *function, literal ast.Expr) (*ast.CallExpr, int) {
	path, _ := astutil.PathEnclosingInterval(fn.file, literal.Pos(), literal.End())
	arg := literal
	for i := 1; i < len(path); i++ {
		switch n := path[i].(type) {
		case *ast.UnaryExpr, *ast.ParenExpr:
			arg = n.(ast.Expr)
			continue
		case *ast.CallExpr:
			if i := slices.Index(n.Args, arg); i >= 0 {
				return n, i
			}
		}
		break
	}
	return nil, 0
}

// targets returns the functions with source that a call can enter. The call may be nil.
func (e *evaluator) targets(call *ast.CallExpr) []*function {
	if call == nil {
		return nil
	}
	if f := e.source(e.pkg.Info, call); f != nil {
		return []*function{f}
	}
	callee := e.callee(call)
	if callee == nil {
		return nil
	}
	var out []*function
	for _, f := range e.methods[callee.Name()] {
		if answers(f.obj, callee) {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *function) int { return cmp.Compare(a.key, b.key) })
	return out
}

// filledIn returns the texts that a function assigns to an empty field of a parameter.
func (e *evaluator) filledIn(f *function, index int, assigns []fieldAssign) (out []Text) {
	if f.sig == nil || index >= f.sig.Params().Len() {
		return nil
	}
	param := f.sig.Params().At(index)
	for _, a := range assigns {
		if a.fn == f && a.value != nil && Variable(f.pkg.Info, a.base) == param && always(f, a) {
			out = append(out, e.in(f, f.pkg).eval(a.value)...)
		}
	}
	return out
}

// always reports whether an assignment to a field stands in the function's outermost block, or in
// the body of: if field == "".
func always(f *function, a fieldAssign) bool {
	assign, ok := a.node.(*ast.AssignStmt)
	if !ok || slices.Contains(f.body.List, ast.Stmt(assign)) {
		return ok
	}
	for _, s := range f.body.List {
		i, ok := s.(*ast.IfStmt)
		if !ok || !within(i.Body, a.node) || len(i.Body.List) != 1 {
			continue
		}
		c, ok := ast.Unparen(i.Cond).(*ast.BinaryExpr)
		if !ok || c.Op != token.EQL {
			return false
		}
		text, constant := ConstantText(f.pkg.Info, c.Y)
		return constant && text == "" && types.ExprString(c.X) == types.ExprString(assign.Lhs[0])
	}
	return false
}
