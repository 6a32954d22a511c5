package rawcall

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// nilObject is EV522. A nil related object means no related object; only the regarding object is required.
func nilObject(c *checker, s *scan.Site) {
	object := argument(s, s.Shape.Regarding)
	if object == nil {
		return
	}
	info := s.Package.Info
	switch {
	case info.Types[scan.Unwrapped(info, object)].IsNil():
		c.report(object.Pos(), callrules.NilObject, "the object is nil: the recorder drops the event")
	case knownNil(s, object):
		c.report(object.Pos(), callrules.NilObject, "%s is nil here: the recorder drops the event", short(object))
	}
}

// knownNil holds for a variable inside of if x == nil { … }, and for one that was declared without a value, as long as nothing
// before the call assigns to it or takes its address.
func knownNil(s *scan.Site, object ast.Expr) bool {
	v := scan.Variable(s.Package.Info, object)
	if s.Func == nil || s.Func.Body == nil || !scan.IsLocal(v) {
		return false
	}
	at := object.Pos()
	for _, block := range nilBlocks(s, v) {
		if block.Pos() <= at && at < block.End() && !written(s.Package.Info, block, v, at) {
			return true
		}
	}
	return declaredEmpty(s, v) && !written(s.Package.Info, s.Func.Body, v, s.Func.End())
}

// nilBlocks returns the bodies of if statements whose condition holds only if a variable is nil.
func nilBlocks(s *scan.Site, v *types.Var) (blocks []*ast.BlockStmt) {
	ast.Inspect(s.Func.Body, func(n ast.Node) bool {
		if i, ok := n.(*ast.IfStmt); ok && saysNil(s.Package.Info, i.Cond, v) {
			blocks = append(blocks, i.Body)
		}
		return true
	})
	return blocks
}

// saysNil looks into && too, whose operands both hold.
func saysNil(info *types.Info, cond ast.Expr, v *types.Var) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	if b.Op == token.LAND {
		return saysNil(info, b.X, v) || saysNil(info, b.Y, v)
	}
	x, y := ast.Unparen(b.X), ast.Unparen(b.Y)
	return b.Op == token.EQL &&
		(scan.Variable(info, x) == v && info.Types[y].IsNil() || scan.Variable(info, y) == v && info.Types[x].IsNil())
}

// written reports whether something in a node assigns to a variable before a position, or takes its address.
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

// declaredEmpty holds for var x *T without a value, in the function.
func declaredEmpty(s *scan.Site, v *types.Var) (found bool) {
	if _, ok := v.Type().Underlying().(*types.Pointer); !ok {
		return false
	}
	ast.Inspect(s.Func.Body, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 0 {
			for _, id := range spec.Names {
				found = found || s.Package.Info.Defs[id] == v
			}
		}
		return !found
	})
	return found
}
