package rawcall

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// nilObject is EV522. nil itself as the related object means no related object. A nil pointer does
// not: it becomes an interface that is not nil.
func nilObject(c *checker, s *scan.Site) {
	regarding, related := argument(s, s.Shape.Regarding), argument(s, s.Shape.Related)
	if s.Scope == scan.ThroughWrapper && !checksNil(s) {
		regarding, related = passed(s, s.Regarding), passed(s, s.Related)
	}
	in := declaration{s.Func, s.Package.Info}
	for _, at := range c.objects(in, s.Call, regarding, s.Scope == scan.Direct) {
		c.regarded(at, "the recorder drops the event")
	}
	for _, at := range c.objects(in, s.Call, related, s.Scope == scan.Direct) {
		if isPointer(in.info, related) || isPointer(at.in.info, at.object) {
			leftNil(c, at, "client-go v0.37 reads the related object, and panics")
		}
	}
}

// regarded reports a regarding object that is nil, or has no name.
func (c *checker) regarded(at objectAt, then string) {
	if leftNil(c, at, then) {
		return
	}
	if what := unnamed(c, at); what != "" {
		c.report(at.object.Pos(), callrules.NilObject, "%s: no server takes an event about it", what)
	}
}

// objectAt is an object that a call passes, and the function that contains the call.
type objectAt struct {
	in     declaration
	call   *ast.CallExpr
	object ast.Expr
}

// objects returns the object of a call. With callers, if the object is a parameter, it also returns
// the objects that the function's callers pass, unless the function compares anything with nil. It
// leaves out callers in _test.go files.
func (c *checker) objects(in declaration, call *ast.CallExpr, object ast.Expr, callers bool) []objectAt {
	if object == nil {
		return nil
	}
	all := []objectAt{{in, call, object}}
	i := in.parameter(scan.Variable(in.info, object))
	if !callers || i < 0 || comparesNil(in) {
		return all
	}
	for _, at := range c.whole().calls[scan.ObjectName(in.info.Defs[in.Name])] {
		if i < len(at.call.Args) && !strings.HasSuffix(c.Fset.Position(at.call.Pos()).Filename, "_test.go") {
			all = append(all, objectAt{at.in, at.call, at.call.Args[i]})
		}
	}
	return all
}

// leftNil reports an object that is nil.
func leftNil(c *checker, at objectAt, then string) bool {
	what := c.surelyNil(at)
	if what != "" {
		c.report(at.object.Pos(), callrules.NilObject, "%s: %s", what, then)
	}
	return what != ""
}

// surelyNil returns how an object is nil; empty if the object may have a value.
func (c *checker) surelyNil(at objectAt) string {
	in, value := c.value(at.in, at.object)
	switch {
	case at.in.info.Types[scan.Unwrapped(at.in.info, at.object)].IsNil():
		return "the object is nil"
	case in.info.Types[value].IsNil(), knownNil(at.in, at.object):
		return short(at.object) + " is nil here"
	}
	return ""
}

// isPointer reports whether a value is a pointer, or was one before its conversion to an interface.
func isPointer(info *types.Info, x ast.Expr) bool {
	t := info.TypeOf(x)
	if t == nil {
		return false
	}
	if _, pointer := t.Underlying().(*types.Pointer); pointer {
		return true
	}
	c, ok := ast.Unparen(x).(*ast.CallExpr)
	return ok && len(c.Args) == 1 && info.Types[c.Fun].IsType() && isPointer(info, c.Args[0])
}

// value returns the expression that gives an object its value, and the function with it: it follows
// variables that are written once, and calls of functions that only return.
func (c *checker) value(in declaration, object ast.Expr) (declaration, ast.Expr) {
	x := scan.Unwrapped(in.info, object)
	for range deepestHelper {
		f, next := in, ast.Expr(nil)
		switch x := x.(type) {
		case *ast.Ident:
			next = in.only(scan.Variable(in.info, x))
		case *ast.CallExpr:
			f, next = c.returned(in.info, x)
		}
		if next == nil {
			break
		}
		in, x = f, scan.Unwrapped(f.info, next)
	}
	return in, x
}

// returned returns the result of a function that only returns, or nil.
func (c *checker) returned(info *types.Info, call *ast.CallExpr) (declaration, ast.Expr) {
	f, ok := c.helper(info, call)
	if !ok || len(f.Body.List) != 1 {
		return f, nil
	}
	r, ok := f.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return f, nil
	}
	return f, r.Results[0]
}

// passed returns the object that a call passes to a function that records.
func passed(s *scan.Site, o scan.Object) ast.Expr {
	if s.Call == nil || o.Expr == nil || o.Info != s.Package.Info || o.Expr.Pos() < s.Call.Pos() || s.Call.End() < o.Expr.End() {
		return nil
	}
	return o.Expr
}

// checksNil reports whether a function between a site and the recorder compares anything with nil.
func checksNil(s *scan.Site) bool {
	return slices.ContainsFunc(s.Via, func(via *scan.Site) bool { return comparesNil(declaration{via.Func, via.Package.Info}) })
}

func comparesNil(in declaration) bool {
	if in.FuncDecl == nil || in.Body == nil {
		return false
	}
	for n := range ast.Preorder(in.Body) {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) &&
			(in.info.Types[b.X].IsNil() || in.info.Types[b.Y].IsNil()) {
			return true
		}
	}
	return false
}

// unnamed describes an object that was made for the call, and has no name. It returns "" for other
// objects.
func unnamed(c *checker, at objectAt) string {
	x := scan.Unwrapped(at.in.info, at.object)
	if c.nameless(at.in, x) {
		return short(x) + " has no name"
	}
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.AND {
		x = ast.Unparen(u.X)
	}
	if v := scan.Variable(at.in.info, x); scan.IsLocal(v) && at.in.FuncDecl != nil && onlyRecorded(c, at, v) {
		return v.Name() + " is made here without a name, and nothing gives it one"
	}
	return ""
}

// nameless reports whether an expression makes an object without a name: a literal, new, or a call
// of a function that only returns one of them.
func (c *checker) nameless(in declaration, x ast.Expr) bool {
	if call, ok := ast.Unparen(x).(*ast.CallExpr); ok {
		if f, result := c.returned(in.info, call); result != nil {
			in, x = f, result
		}
	}
	lit, made := literalOf(in.info, x)
	return made && lacksName(in.info, lit, in.info.TypeOf(x))
}

// literalOf returns the composite literal in an expression, or behind its pointer; nil for new(T).
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

// onlyRecorded reports whether a local variable starts as a struct without a name, and is only used
// as an argument of the call.
func onlyRecorded(c *checker, at objectAt, v *types.Var) bool {
	in, info := at.in, at.in.info
	empty, other := false, false
	ast.Inspect(in.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if info.Defs[id] == v {
					_, isStruct := v.Type().Underlying().(*types.Struct)
					empty = len(n.Values) == 0 && isStruct || i < len(n.Values) && c.nameless(in, n.Values[i])
				}
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if id := identifier(left); id != nil && info.Defs[id] == v && len(n.Lhs) == len(n.Rhs) {
					empty = c.nameless(in, n.Rhs[i])
				}
			}
		case *ast.CallExpr:
			if n == at.call {
				return false
			}
		case *ast.Ident:
			other = other || info.Uses[n] == v
		}
		return true
	})
	return empty && !other
}

// knownNil reports whether a variable is nil at the call: the call is inside of if x == nil { … }
// and the like, or the variable was declared without a value. Nothing before the call may assign to
// the variable or take its address.
func knownNil(in declaration, object ast.Expr) bool {
	v := scan.Variable(in.info, object)
	if in.FuncDecl == nil || in.Body == nil || !scan.IsLocal(v) {
		return false
	}
	at := object.Pos()
	for _, branch := range nilBranches(in, v) {
		if branch.Pos() <= at && at < branch.End() && !written(in.info, branch, v, at) {
			return true
		}
	}
	return declaredEmpty(in, v) && !written(in.info, in.Body, v, in.End())
}

// nilBranches returns the branches of if and switch statements that run only if a variable is nil.
func nilBranches(in declaration, v *types.Var) (branches []ast.Node) {
	info := in.info
	for n := range ast.Preorder(in.Body) {
		switch n := n.(type) {
		case *ast.IfStmt:
			if saysNil(info, n.Cond, v, token.EQL) {
				branches = append(branches, n.Body)
			}
			if n.Else != nil && saysNil(info, n.Cond, v, token.NEQ) {
				branches = append(branches, n.Else)
			}
		case *ast.SwitchStmt:
			for _, clause := range n.Body.List {
				if c := clause.(*ast.CaseClause); len(c.List) == 1 && (n.Tag == nil && saysNil(info, c.List[0], v, token.EQL) ||
					n.Tag != nil && scan.Variable(info, n.Tag) == v && info.Types[c.List[0]].IsNil()) {
					branches = append(branches, c)
				}
			}
		}
	}
	return branches
}

// saysNil reports whether a variable is nil if a condition holds (op is ==), or if it does not hold
// (op is !=). If a && b holds, both operands hold; if a || b does not hold, neither operand holds.
func saysNil(info *types.Info, cond ast.Expr, v *types.Var, op token.Token) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	if b.Op == token.LAND && op == token.EQL || b.Op == token.LOR && op == token.NEQ {
		return saysNil(info, b.X, v, op) || saysNil(info, b.Y, v, op)
	}
	return b.Op == op &&
		(scan.Variable(info, b.X) == v && info.Types[b.Y].IsNil() || scan.Variable(info, b.Y) == v && info.Types[b.X].IsNil())
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

// declaredEmpty reports whether the function declares a variable as var x *T, without a value.
func declaredEmpty(in declaration, v *types.Var) (found bool) {
	if _, ok := v.Type().Underlying().(*types.Pointer); !ok {
		return false
	}
	ast.Inspect(in.Body, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 0 {
			for _, id := range spec.Names {
				found = found || in.info.Defs[id] == v
			}
		}
		return !found
	})
	return found
}
