package rawcall

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// nilObject is EV522. nil itself as the related object means that there is none. A nil pointer does
// not: it becomes an interface that is not nil.
func nilObject(c *checker, s *scan.Site) {
	regarding, related := argument(s, s.Shape.Regarding), argument(s, s.Shape.Related)
	if s.Scope == scan.Derived && !checksNil(s) {
		regarding, related = passed(s, s.Regarding), passed(s, s.Related)
	}
	info := s.Package.Info
	if regarding != nil && !leftNil(c, s, regarding, "the recorder drops the event") {
		if what := unnamed(s, regarding); what != "" {
			c.report(regarding.Pos(), callrules.NilObject, "%s: no server takes an event about it", what)
		}
	}
	if related != nil && !info.Types[ast.Unparen(related)].IsNil() && isPointer(info.TypeOf(scan.Unwrapped(info, related))) {
		leftNil(c, s, related, "client-go v0.37 reads the related object, and panics")
	}
}

// leftNil reports an object that is nil.
func leftNil(c *checker, s *scan.Site, object ast.Expr, then string) bool {
	info := s.Package.Info
	switch {
	case info.Types[scan.Unwrapped(info, object)].IsNil():
		c.report(object.Pos(), callrules.NilObject, "the object is nil: %s", then)
	case knownNil(s, object):
		c.report(object.Pos(), callrules.NilObject, "%s is nil here: %s", short(object), then)
	default:
		return false
	}
	return true
}

// isPointer reports whether a value is a pointer, or a nil that was converted to one.
func isPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, pointer := t.Underlying().(*types.Pointer)
	return pointer || types.Identical(t, types.Typ[types.UntypedNil])
}

// passed returns the object that a call passes to a function that records.
func passed(s *scan.Site, o scan.Object) ast.Expr {
	if s.Call == nil || o.Expr == nil || o.Info != s.Package.Info || o.Expr.Pos() < s.Call.Pos() || s.Call.End() < o.Expr.End() {
		return nil
	}
	return o.Expr
}

// checksNil reports whether a function between a site and the recorder compares anything with nil.
func checksNil(s *scan.Site) (found bool) {
	for _, via := range s.Via {
		if via.Func == nil || via.Func.Body == nil {
			continue
		}
		ast.Inspect(via.Func.Body, func(n ast.Node) bool {
			if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
				info := via.Package.Info
				found = found || info.Types[b.X].IsNil() || info.Types[b.Y].IsNil()
			}
			return !found
		})
	}
	return found
}

// unnamed describes an object that was made for the call, and has no name. It returns "" for other
// objects.
func unnamed(s *scan.Site, object ast.Expr) string {
	info := s.Package.Info
	x := scan.Unwrapped(info, object)
	if lit, made := literalOf(info, x); made {
		if lacksName(info, lit, info.TypeOf(x)) {
			return short(x) + " has no name"
		}
		return ""
	}
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.AND {
		x = ast.Unparen(u.X)
	}
	if v := scan.Variable(info, x); scan.IsLocal(v) && s.Func != nil && s.Func.Body != nil && onlyRecorded(s, v) {
		return v.Name() + " is made here and never filled, so it has no name"
	}
	return ""
}

// literalOf returns the composite literal that an expression is or points to. It is nil for new(T).
// made is false for other expressions.
func literalOf(info *types.Info, x ast.Expr) (lit *ast.CompositeLit, made bool) {
	switch x := ast.Unparen(x).(type) {
	case *ast.CompositeLit:
		return x, true
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			lit, _ = ast.Unparen(x.X).(*ast.CompositeLit)
		}
		return lit, lit != nil
	case *ast.CallExpr:
		builtin, ok := scan.Named(info, x.Fun).(*types.Builtin)
		return nil, ok && builtin.Name() == "new"
	}
	return nil, false
}

// lacksName reports whether a literal of an API object, or of its metadata, sets neither name nor
// generateName.
func lacksName(info *types.Info, lit *ast.CompositeLit, t types.Type) bool {
	fields, ok := scan.Deref(t).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	if lit == nil || len(lit.Elts) == 0 {
		return true
	}
	named := false
	for f := range fields.Fields() {
		named = named || f.Name() == "Name" || f.Name() == "ObjectMeta"
	}
	if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); !keyed || !named {
		return false
	}
	for _, field := range []string{"Name", "GenerateName"} {
		if _, set := scan.Element(info, lit, field); set {
			return false
		}
	}
	meta, set := scan.Element(info, lit, "ObjectMeta")
	if !set {
		return true
	}
	inner, made := literalOf(info, meta)
	return made && lacksName(info, inner, info.TypeOf(meta))
}

// onlyRecorded reports whether a local variable starts as an empty struct, and is used as an
// argument of recorders' calls only.
func onlyRecorded(s *scan.Site, v *types.Var) bool {
	info := s.Package.Info
	empty, other := false, false
	ast.Inspect(s.Func.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if info.Defs[id] == v {
					_, isStruct := v.Type().Underlying().(*types.Struct)
					empty = len(n.Values) == 0 && isStruct || i < len(n.Values) && isEmpty(info, n.Values[i])
				}
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if id := identifier(left); id != nil && info.Defs[id] == v && len(n.Lhs) == len(n.Rhs) {
					empty = isEmpty(info, n.Rhs[i])
				}
			}
		case *ast.CallExpr:
			if n == s.Call {
				return false
			}
		case *ast.Ident:
			other = other || info.Uses[n] == v
		}
		return true
	})
	return empty && !other
}

// isEmpty reports whether an expression makes a struct without any field set.
func isEmpty(info *types.Info, x ast.Expr) bool {
	lit, made := literalOf(info, x)
	if !made || lit != nil && len(lit.Elts) > 0 {
		return false
	}
	_, isStruct := scan.Deref(info.TypeOf(x)).Underlying().(*types.Struct)
	return isStruct
}

// knownNil holds for a variable inside of if x == nil { … }, and for one that was declared without
// a value, as long as nothing before the call assigns to it or takes its address.
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
