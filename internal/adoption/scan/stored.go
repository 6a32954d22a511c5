package scan

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/astutil"
)

// justStored returns the value that a statement right before a call stores in a field of the passed
// struct. Only assignments to other fields and calls without the struct may stand between statement
// and call. It returns nil if there is none.
func (e *evaluator) justStored(arg ast.Expr, ref *fieldRef, call *ast.CallExpr) ast.Expr {
	v := Variable(e.pkg.Info, arg)
	if !IsLocal(v) || e.fn == nil || e.fn.file == nil {
		return nil
	}
	for _, s := range slices.Backward(e.before(call)) {
		assign, ok := s.(*ast.AssignStmt)
		if !ok {
			if line, isCall := s.(*ast.ExprStmt); isCall && !mentions(e.pkg.Info, line.X, v) {
				continue
			}
			return nil
		}
		for i, lhs := range assign.Lhs {
			sel, ok := ast.Unparen(lhs).(*ast.SelectorExpr)
			if !ok || len(assign.Lhs) != len(assign.Rhs) {
				return nil
			}
			if fieldOwner(e.pkg.Info, sel)+"."+sel.Sel.Name == ref.key() && rootVariable(e.pkg.Info, sel) == v {
				return assign.Rhs[i]
			}
		}
	}
	return nil
}

// before returns the statements before a call in the innermost list around it.
func (e *evaluator) before(call *ast.CallExpr) []ast.Stmt {
	path, _ := astutil.PathEnclosingInterval(e.fn.file, call.Pos(), call.End())
	for i := 1; i < len(path); i++ {
		list := Statements(path[i])
		if at := slices.IndexFunc(list, func(s ast.Stmt) bool { return ast.Node(s) == path[i-1] }); at >= 0 {
			return list[:at]
		}
	}
	return nil
}

// mentions reports whether an expression names a variable.
func mentions(info *types.Info, x ast.Expr, v *types.Var) bool {
	return !every(x, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return !ok || info.Uses[id] != v
	}, true)
}

// rootVariable returns the variable that the operands of selectors start with, or nil.
func rootVariable(info *types.Info, x ast.Expr) *types.Var {
	for {
		switch n := ast.Unparen(x).(type) {
		case *ast.SelectorExpr:
			x = n.X
		case *ast.StarExpr:
			x = n.X
		default:
			return Variable(info, x)
		}
	}
}
