package rawcall

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// deepestHelper bounds how far rules look into functions that functions call.
const deepestHelper = 3

// declaration is a declared function.
type declaration struct {
	*ast.FuncDecl
	info *types.Info
}

// declarations returns the declared functions by name. The first call fills it.
func (c *checker) declarations() map[string]declaration {
	if c.declared == nil {
		c.declared = map[string]declaration{}
		for _, p := range c.Packages {
			for _, f := range p.Syntax {
				for _, d := range f.Decls {
					if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && p.Info.Defs[fn.Name] != nil {
						c.declared[scan.ObjectName(p.Info.Defs[fn.Name])] = declaration{fn, p.Info}
					}
				}
			}
		}
	}
	return c.declared
}

// helper returns the function that a call enters, if its source was read.
func (c *checker) helper(info *types.Info, call *ast.CallExpr) (declaration, bool) {
	callee := scan.Callee(info, call)
	if callee == nil {
		return declaration{}, false
	}
	d, ok := c.declarations()[scan.ObjectName(callee)]
	return d, ok
}

// only returns the value of a local variable that is written once, where it is declared. It returns
// nil for other variables.
func (d declaration) only(v *types.Var) (value ast.Expr) {
	if !scan.IsLocal(v) || d.FuncDecl == nil || d.Body == nil || written(d.info, d.Body, v, d.End()) {
		return nil
	}
	for n := range ast.Preorder(d.Body) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE || len(n.Lhs) != len(n.Rhs) {
				continue
			}
			for i, left := range n.Lhs {
				if id := identifier(left); id != nil && d.info.Defs[id] == v {
					value = n.Rhs[i]
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if d.info.Defs[id] == v && len(n.Values) == len(n.Names) {
					value = n.Values[i]
				}
			}
		}
	}
	return value
}

// written reports whether something in a node assigns to a variable before a position, or takes its
// address.
func written(info *types.Info, in ast.Node, v *types.Var, before token.Pos) (found bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				found = found || info.Uses[identifier(left)] == v && n.Pos() < before
			}
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && info.Uses[identifier(n.X)] == v
		case *ast.RangeStmt:
			found = found || info.Uses[identifier(n.Key)] == v || info.Uses[identifier(n.Value)] == v
		}
		return !found
	})
	return found
}

func identifier(e ast.Expr) *ast.Ident {
	id, _ := ast.Unparen(e).(*ast.Ident)
	return id
}

// selected returns x and f of a call x.f(…), or nothing for other calls.
func selected(call *ast.CallExpr) (x ast.Expr, f string) {
	if call != nil {
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			return sel.X, sel.Sel.Name
		}
	}
	return nil, ""
}
