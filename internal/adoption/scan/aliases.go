package scan

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// writesTo reports whether an assignment to a field writes the struct of a local variable: by the
// variable's name, by a copy of its pointer, or in a function that gets the pointer. calls lead to
// that function, innermost first.
func (e *evaluator) writesTo(a fieldAssign, v *types.Var) (calls []*binding, writes bool) {
	if v == nil {
		return nil, false
	}
	if e.together(a) {
		base := Variable(a.pkg.Info, a.base)
		return nil, base == v || e.copies(base, v)
	}
	return e.handed(e.in(a.fn, a.pkg).root(a.base, 0), v, 0)
}

// mayWrite reports whether an assignment stands in a function that code may call with the address
// of a variable's struct, by a function value or an interface, such as an option.
func (e *evaluator) mayWrite(a fieldAssign, v *types.Var) bool {
	if v == nil || a.fn == nil || e.fn == nil || e.fn.decl == nil || e.fn.decl.Body == nil {
		return false
	}
	p := e.in(a.fn, a.pkg).root(a.base, 0)
	if p == nil || !isPointer(p.variable().Type()) {
		return false
	}
	for n := range ast.Preorder(e.fn.decl.Body) {
		call, ok := n.(*ast.CallExpr)
		if !ok || e.pkg.Info.Types[call.Fun].IsType() || !slices.ContainsFunc(call.Args, func(x ast.Expr) bool { return pointsTo(e.pkg.Info, x, v) }) {
			continue
		}
		switch callee := typeutil.Callee(e.pkg.Info, call).(type) {
		case *types.Builtin:
		case *types.Func:
			if recv := callee.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) && answers(p.fn.obj, callee) {
				return true
			}
		default:
			if p.fn.obj == nil || len(e.asValue[p.fn.key]) > 0 {
				return true
			}
		}
	}
	return false
}

// copies reports whether a local variable holds a pointer to the struct of another one.
func (e *evaluator) copies(pointer, v *types.Var) bool {
	if !IsLocal(pointer) {
		return false
	}
	for _, d := range e.variable(pointer).defs {
		if d.kind == assigned && pointsTo(d.pkg.Info, d.rhs, v) {
			return true
		}
	}
	return false
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

// handed reports whether the evaluator's function passes the address of a variable's struct for a
// parameter, directly or through other functions. It returns the calls, innermost first.
func (e *evaluator) handed(p *paramRef, v *types.Var, depth int) (calls []*binding, found bool) {
	if p == nil || depth > mostDepth || !isPointer(p.variable().Type()) {
		return nil, false
	}
	for _, at := range e.calls[p.fn.key] {
		b := &binding{e: e.in(at.fn, at.pkg), fn: p.fn, call: at.node.(*ast.CallExpr)}
		arg := b.of(p)
		if arg == nil || at.fn == nil {
			continue
		}
		if at.fn.decl == e.fn.decl {
			if pointsTo(at.pkg.Info, arg, v) || p.index < 0 && Variable(at.pkg.Info, arg) == v {
				return []*binding{b}, true
			}
		} else if outer, ok := e.handed(b.e.root(arg, 0), v, depth+1); ok {
			return append([]*binding{b}, outer...), true
		}
	}
	return nil, false
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
