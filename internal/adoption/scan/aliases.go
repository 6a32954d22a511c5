package scan

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// writesTo reports whether an assignment to a field, in the evaluator's function, writes the struct
// of a local variable.
func (e *evaluator) writesTo(a fieldAssign, v *types.Var) bool {
	return v != nil && e.together(a) && Variable(a.pkg.Info, a.base) == v
}

// mayWrite reports whether an assignment to a field may write the struct of a local variable by a
// pointer: by another variable of the evaluator's function, or by a parameter of another function.
func (e *evaluator) mayWrite(a fieldAssign, v *types.Var) bool {
	if v == nil || !e.shared(v) {
		return false
	}
	if e.together(a) {
		base := Variable(a.pkg.Info, a.base)
		return base != nil && isPointer(base.Type())
	}
	p := e.in(a.fn, a.pkg).root(a.base, 0)
	return p != nil && isPointer(p.variable().Type())
}

// shared reports whether the evaluator's function gives the address of a variable's struct to a
// call, or to another variable.
func (e *evaluator) shared(v *types.Var) (found bool) {
	if e.fn == nil || e.fn.decl == nil || e.fn.decl.Body == nil {
		return false
	}
	for n := range ast.Preorder(e.fn.decl.Body) {
		var values []ast.Expr
		switch n := n.(type) {
		case *ast.CallExpr:
			values = n.Args
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
				found = found || Variable(e.pkg.Info, sel.X) == v
			}
		case *ast.AssignStmt:
			values = n.Rhs
		case *ast.ValueSpec:
			values = n.Values
		}
		for _, x := range values {
			found = found || pointsTo(e.pkg.Info, x, v)
		}
	}
	return found
}

// pointsTo reports whether an expression is the address of a variable's struct.
func pointsTo(info *types.Info, x ast.Expr, v *types.Var) bool {
	if u, ok := ast.Unparen(x).(*ast.UnaryExpr); ok && u.Op == token.AND {
		return Variable(info, u.X) == v
	}
	return Variable(info, x) == v && isPointer(v.Type())
}

func isPointer(t types.Type) bool {
	_, pointer := t.Underlying().(*types.Pointer)
	return pointer
}

// variable returns the parameter or the receiver.
func (p *paramRef) variable() *types.Var {
	if p.index < 0 {
		return p.fn.sig.Recv()
	}
	return p.fn.sig.Params().At(p.index)
}

// fills indexes the writes of a call through its arguments: elements, by copy and clear, and
// decoded structs.
func (w *indexer) fills(c *ast.CallExpr, callee types.Object) {
	_, builtin := callee.(*types.Builtin)
	switch name := callee.Name(); {
	case builtin && (name == "copy" || name == "clear"):
		if v := Variable(w.pkg.Info, c.Args[0]); v != nil {
			w.variable(v).written = c.Pos()
		}
	case !builtin && (strings.HasPrefix(name, "Unmarshal") || strings.HasPrefix(name, "Decode")):
		for _, arg := range c.Args {
			w.decodesInto(arg)
		}
	}
}

func (w *indexer) decodesInto(x ast.Expr) {
	w.decodes[structKey(w.pkg.Info.TypeOf(x))] = true
	if u, ok := ast.Unparen(x).(*ast.UnaryExpr); ok && u.Op == token.AND {
		x = u.X
	}
	if v := Variable(w.pkg.Info, x); v != nil {
		w.variable(v).decoded = true
	}
}
