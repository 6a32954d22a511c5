package scan

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/astutil"
)

// compared returns the constants that a variable equals at its use: inside if v == C, or inside a
// case of switch v. It returns nil if an assignment can come between the comparison and the use.
func (e *evaluator) compared(id *ast.Ident, v *types.Var) []Text {
	if e.fn == nil || e.fn.file == nil {
		return nil
	}
	path, _ := astutil.PathEnclosingInterval(e.fn.file, id.Pos(), id.Pos())
	for i, n := range path {
		if n == e.fn.node {
			return nil
		}
		var by []ast.Expr
		var at token.Pos
		switch n := n.(type) {
		case *ast.IfStmt:
			if i > 0 && path[i-1] == ast.Node(n.Body) {
				by, at = e.equals(n.Cond, v), n.Cond.Pos()
			}
		case *ast.CaseClause:
			if s, ok := path[i+2].(*ast.SwitchStmt); ok && s.Tag != nil && Variable(e.pkg.Info, s.Tag) == v {
				by, at = n.List, s.Tag.Pos()
			}
		}
		if texts := e.constants(by); texts != nil && e.unchanged(v, at, id.Pos()) {
			return texts
		}
	}
	return nil
}

// equals returns the expressions that a condition compares with a variable by ==.
func (e *evaluator) equals(cond ast.Expr, v *types.Var) []ast.Expr {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return nil
	}
	switch b.Op {
	case token.EQL:
		if Variable(e.pkg.Info, b.X) == v {
			return []ast.Expr{b.Y}
		}
		if Variable(e.pkg.Info, b.Y) == v {
			return []ast.Expr{b.X}
		}
	case token.LAND:
		if found := e.equals(b.X, v); found != nil {
			return found
		}
		return e.equals(b.Y, v)
	}
	return nil
}

// constants returns expressions as texts, or nil if any is not constant.
func (e *evaluator) constants(list []ast.Expr) []Text {
	var out []Text
	for _, x := range list {
		t, ok := e.constant(x)
		if !ok {
			return nil
		}
		out = append(out, t)
	}
	return how(out, Local)
}

// unchanged reports whether the same definitions of a variable reach two places.
func (e *evaluator) unchanged(v *types.Var, before, after token.Pos) bool {
	a, entryA := e.reaching(v, e.fn, before)
	b, entryB := e.reaching(v, e.fn, after)
	return entryA == entryB && slices.EqualFunc(a, b, func(p, q def) bool { return p.node == q.node })
}

// checked reports whether a condition before a call excludes that an argument is empty: the call
// stands in the body of if x != "", or after if x == "" { return }.
func (e *evaluator) checked(x ast.Expr, call ast.Node) bool {
	if e.fn.file == nil {
		return false
	}
	path, _ := astutil.PathEnclosingInterval(e.fn.file, call.Pos(), call.End())
	for i := 1; i < len(path) && path[i] != e.fn.node; i++ {
		if s, ok := path[i].(*ast.IfStmt); ok && (path[i-1] == ast.Node(s.Body) && says(s.Cond, x, token.NEQ) || path[i-1] == ast.Node(s.Else) && says(s.Cond, x, token.EQL)) {
			return e.still(x, s.Cond, call)
		}
		for _, before := range Statements(path[i]) {
			if before == path[i-1] {
				break
			}
			if s, ok := before.(*ast.IfStmt); ok && says(s.Cond, x, token.EQL) && e.leaves(s.Body) {
				return e.still(x, s.Cond, call)
			}
		}
	}
	return false
}

// says reports whether a condition has the operand x != "", among operands of &&, or x == "", among
// operands of ||.
func says(cond, x ast.Expr, op token.Token) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	if b.Op == token.LAND && op == token.NEQ || b.Op == token.LOR && op == token.EQL {
		return says(b.X, x, op) || says(b.Y, x, op)
	}
	text := types.ExprString(x)
	forms := []string{text + ` == ""`, `"" == ` + text, "len(" + text + ") == 0"}
	if op == token.NEQ {
		forms = []string{text + ` != ""`, `"" != ` + text, "len(" + text + ") != 0", "len(" + text + ") > 0"}
	}
	return slices.Contains(forms, types.ExprString(b))
}

// leaves reports whether a block ends by leaving the statements after it.
func (e *evaluator) leaves(block *ast.BlockStmt) bool {
	if len(block.List) == 0 {
		return false
	}
	switch last := block.List[len(block.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := last.X.(*ast.CallExpr)
		return ok && ends(e.pkg.Info, call)
	}
	return false
}

// still reports whether an expression has the same value in a condition and at a later call: if it
// is a variable, nothing may assign to it in between.
func (e *evaluator) still(x, cond ast.Expr, call ast.Node) bool {
	v := Variable(e.pkg.Info, x)
	return v == nil || isGlobal(v) || e.unchanged(v, cond.Pos(), call.Pos())
}
