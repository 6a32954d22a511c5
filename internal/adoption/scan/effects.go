package scan

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// effects looks for writes to the memory that an expression reads, in a function and in the
// functions that it calls.
//
// It assumes that a call of an interface's method, or of a function without source, writes only
// memory that its arguments and its receiver lead to. It ignores pointers that such a function may
// have kept from an earlier call.
type effects struct {
	*mover
	info *types.Info
	seen map[*function]bool
	// called: the statements belong to a called function, which has its own variables.
	called bool
}

// sparedByNode reports whether a node, without the nodes below it, writes no memory that the
// expression reads.
func (e *effects) sparedByNode(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Tok == token.DEFINE || !slices.ContainsFunc(n.Lhs, e.writes)
	case *ast.IncDecStmt:
		return !e.writes(n.X)
	case *ast.RangeStmt:
		return n.Tok != token.ASSIGN || !(n.Key != nil && e.writes(n.Key) || n.Value != nil && e.writes(n.Value))
	case *ast.CallExpr:
		return e.sparedByCall(n)
	case *ast.UnaryExpr:
		return n.Op != token.ARROW || e.called
	case *ast.GoStmt, *ast.SendStmt:
		return e.called
	}
	return true
}

// writes reports whether an assignment to lhs may write memory that the expression reads. It judges
// a whole variable only if the variable's address is taken: mover.steady judges the others.
func (e *effects) writes(lhs ast.Expr) bool {
	switch lhs := ast.Unparen(lhs).(type) {
	case *ast.Ident:
		v, ok := e.info.ObjectOf(lhs).(*types.Var)
		return ok && (!e.called || isGlobal(v)) && e.variable(v).loose.IsValid() && e.read.hasValue(v.Type())
	case *ast.SelectorExpr:
		sel := e.info.Selections[lhs]
		if sel == nil { // a variable of another package
			return e.read.hasValue(e.info.TypeOf(lhs))
		}
		return !e.ownCopy(lhs.X) && e.writesField(sel)
	case *ast.IndexExpr:
		t := e.info.TypeOf(lhs.X)
		if _, array := t.Underlying().(*types.Array); array && e.ownCopy(lhs.X) {
			return false
		}
		return e.read.hasElements(t)
	case *ast.StarExpr:
		return e.read.hasValue(e.info.TypeOf(lhs))
	}
	return true
}

// writesField reports whether the expression may read the last field of a selection.
func (e *effects) writesField(sel *types.Selection) bool {
	owner, in, index := lastField(sel)
	return in == nil || e.read.hasField(owner, in.Field(index).Name())
}

// ownCopy reports whether x is part of a local variable that the moved expression does not read. No
// pointer leads to such a variable.
func (e *effects) ownCopy(x ast.Expr) bool {
	x = ast.Unparen(x)
	switch e.info.TypeOf(x).Underlying().(type) {
	case *types.Struct, *types.Array:
	default:
		return false
	}
	switch x := x.(type) {
	case *ast.Ident:
		v, ok := e.info.ObjectOf(x).(*types.Var)
		return ok && !isGlobal(v) && !e.variable(v).loose.IsValid() && !slices.Contains(e.roots, v)
	case *ast.SelectorExpr:
		return e.ownCopy(x.X)
	case *ast.IndexExpr:
		return e.ownCopy(x.X)
	}
	return false
}

// quiet lists packages whose functions and methods never write to their arguments, such as loggers.
var quiet = []string{"log", "log/slog", "github.com/go-logr/logr", "k8s.io/klog/v2", "k8s.io/apimachinery/pkg/api/errors", "context", "time", "errors"}

// sparedByCall reports whether a call writes no memory that the expression reads.
func (e *effects) sparedByCall(c *ast.CallExpr) bool {
	if e.info.Types[c.Fun].IsType() || pure(e.info, c) {
		return true
	}
	switch callee := typeutil.Callee(e.info, c).(type) {
	case *types.Builtin:
		writes := slices.Contains([]string{"append", "copy", "delete", "clear"}, callee.Name())
		return !writes || len(c.Args) > 0 && !e.read.hasElements(e.info.TypeOf(c.Args[0]))
	case *types.Func:
		return e.sparedByFunction(callee, c)
	case nil:
		return isLiteral(c.Fun) // its statements are judged at their place
	}
	return false
}

func isLiteral(x ast.Expr) bool {
	_, ok := ast.Unparen(x).(*ast.FuncLit)
	return ok
}

func (e *effects) sparedByFunction(fn *types.Func, c *ast.CallExpr) bool {
	if fn.Pkg() == nil || slices.Contains(quiet, RealPath(fn.Pkg().Path())) {
		return true
	}
	if f := e.functions[funcKey(fn)]; f != nil && f.body != nil {
		return e.sparedByBody(f)
	}
	if fn.Signature().Recv() == nil && slices.Contains(textual, RealPath(fn.Pkg().Path())) && !strings.Contains(strings.ToLower(fn.Name()), "scan") {
		return true
	}
	on := receiver(c)
	return (on == nil || fn.Signature().Recv() == nil || !e.read.ledTo(e.info.TypeOf(on))) &&
		!slices.ContainsFunc(c.Args, func(x ast.Expr) bool { return !isLiteral(x) && e.read.ledTo(e.info.TypeOf(x)) })
}

// sparedByBody looks into a called function, once for each function.
func (e *effects) sparedByBody(f *function) bool {
	if e.seen[f] {
		return true
	}
	e.seen[f] = true
	in := &effects{mover: e.mover, info: f.pkg.Info, seen: e.seen, called: true}
	return every(f.body, in.sparedByNode, true)
}
