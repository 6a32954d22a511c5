package scan

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/astutil"
)

// unset returns the texts of a field that a carrier's literal leaves out. A function that gets the literal as an argument may fill the
// field in. Of several implementations of an interface those count that do: the others are often fakes, which record nothing.
func (b *binding) unset(p Part) []Text {
	zero := []Text{literalText("", ZeroValue, b.literal.Pos())}
	assigns := b.e.assigns[p.field.owner+"."+p.field.name]
	if len(assigns) == 0 || b.e.fn == nil || b.e.fn.file == nil {
		return zero
	}
	call, index := argumentOf(b.e.fn, b.literal)
	if call == nil {
		return zero
	}
	var out []Text
	for _, f := range b.e.targets(call) {
		out = append(out, b.e.filledIn(f, index, assigns)...)
	}
	if len(out) == 0 {
		return zero
	}
	for i := range out {
		out[i].Def = nil
	}
	return distinct(out)
}

// argumentOf returns the call that has a literal, or its address, as an argument, and the index of the argument.
func argumentOf(fn *function, literal ast.Expr) (*ast.CallExpr, int) {
	path, _ := astutil.PathEnclosingInterval(fn.file, literal.Pos(), literal.End())
	var arg ast.Node = literal
	for _, n := range path {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if ast.Expr(n) != literal {
				return nil, 0
			}
		case *ast.UnaryExpr, *ast.ParenExpr:
			arg = n
		case *ast.CallExpr:
			for i, a := range n.Args {
				if ast.Node(a) == arg {
					return n, i
				}
			}
			return nil, 0
		default:
			return nil, 0
		}
	}
	return nil, 0
}

// targets returns the functions with source that a call can enter.
func (e *evaluator) targets(call *ast.CallExpr) []*function {
	callee := e.callee(call)
	if callee == nil {
		return nil
	}
	if f := e.functions[funcKey(callee)]; f != nil {
		return []*function{f}
	}
	recv := callee.Signature().Recv()
	if recv == nil || !types.IsInterface(recv.Type()) {
		return nil
	}
	var out []*function
	for _, f := range e.functions {
		if f.obj == nil || f.obj.Name() != callee.Name() || f.obj.Signature().Recv() == nil {
			continue
		}
		if implements(f.obj.Signature().Recv().Type(), callee) && signatureText(f.obj) == signatureText(callee) {
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
		id, ok := ast.Unparen(a.base).(*ast.Ident)
		if !ok || a.fn != f || a.value == nil || f.pkg.Info.Uses[id] != param {
			continue
		}
		if unconditional(f, a.node) || ifEmpty(f, a) {
			out = append(out, e.in(f, f.pkg).eval(a.value)...)
		}
	}
	return out
}

// unconditional reports whether a statement stands in the function's outermost block.
func unconditional(f *function, n ast.Node) bool {
	for _, s := range f.body.List {
		if ast.Node(s) == n {
			return true
		}
	}
	return false
}

// ifEmpty reports whether an assignment to a field is the body of: if field == "".
func ifEmpty(f *function, a fieldAssign) bool {
	assign, ok := a.node.(*ast.AssignStmt)
	if !ok {
		return false
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
		text, constant := constantString(f.pkg.Info.Types[c.Y].Value)
		return constant && text == "" && types.ExprString(c.X) == types.ExprString(assign.Lhs[0])
	}
	return false
}
