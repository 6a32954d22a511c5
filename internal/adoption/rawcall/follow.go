package rawcall

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// deepestHelper bounds how far rules look into functions that functions call.
const deepestHelper = 3

// declaration is a declared function.
type declaration struct {
	*ast.FuncDecl
	info *types.Info
}

// callOf is a call, and the function that contains it.
type callOf struct {
	call *ast.CallExpr
	in   declaration
}

// program holds the declared functions and their calls, by name. It is filled when a rule first
// asks.
type program struct {
	declared map[string]declaration
	calls    map[string][]callOf
}

func (c *checker) whole() *program {
	if c.program != nil {
		return c.program
	}
	c.program = &program{map[string]declaration{}, map[string][]callOf{}}
	for _, p := range c.Packages {
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
					c.program.add(p, fn)
				}
			}
		}
	}
	return c.program
}

func (w *program) add(p *scan.Package, fn *ast.FuncDecl) {
	d := declaration{fn, p.Info}
	if obj, ok := p.Info.Defs[fn.Name].(*types.Func); ok {
		w.declared[scan.ObjectName(obj)] = d
	}
	for n := range ast.Preorder(fn.Body) {
		if call, ok := n.(*ast.CallExpr); ok {
			if callee := scan.Callee(p.Info, call); callee != nil {
				w.calls[scan.ObjectName(callee)] = append(w.calls[scan.ObjectName(callee)], callOf{call, d})
			}
		}
	}
}

// helper returns the function that a call enters, if its source was read.
func (c *checker) helper(info *types.Info, call *ast.CallExpr) (declaration, bool) {
	callee := scan.Callee(info, call)
	if callee == nil {
		return declaration{}, false
	}
	d, ok := c.whole().declared[scan.ObjectName(callee)]
	return d, ok
}

// parameter returns the index of a parameter that nothing in the function writes, or -1.
func (d declaration) parameter(v *types.Var) int {
	if v == nil || d.FuncDecl == nil || d.Body == nil || written(d.info, d.Body, v, d.End()) {
		return -1
	}
	fn, ok := d.info.Defs[d.Name].(*types.Func)
	if !ok {
		return -1
	}
	return slices.Index(slices.Collect(fn.Signature().Params().Variables()), v)
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
