package scan

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Movable reports whether an expression of the site's text can move to the site without changing
// its value. It can if it is part of the site. It also can if it comes before the site in the same
// function, has no effect, and reads only memory that nothing writes in between.
func (r *Result) Movable(s *Site, x ast.Expr, info *types.Info) bool {
	at := s.Node()
	switch {
	case x == nil || at == nil:
		return false
	case at.Pos() <= x.Pos() && x.End() <= at.End():
		return true
	case s.fn == nil || info != s.Package.Info || r.index == nil || x.End() > at.Pos() || !within(s.fn.body, x):
		return false
	}
	m := r.mover(s, x, at)
	return m.sameFunction() && m.findsMemory(x) && m.unwritten()
}

func (r *Result) mover(s *Site, x ast.Expr, at ast.Node) *mover {
	return &mover{index: r.index, site: s, x: x, at: at, info: s.Package.Info, read: newMemory()}
}

// SameBefore reports whether an expression in a statement of the site's function has the same value
// before the statement: the parts that the statement evaluates first must not write memory that the
// expression reads.
func (r *Result) SameBefore(s *Site, x ast.Expr, statement ast.Stmt) bool {
	if s.fn == nil || r.index == nil {
		return false
	}
	m := r.mover(s, x, statement)
	return m.findsMemory(x) && m.spared(statement, func(n ast.Node) bool { return n.End() <= x.Pos() })
}

// spared reports whether the nodes of a body for which counts returns true may not write memory
// that the expression reads.
func (m *mover) spared(body ast.Node, counts func(ast.Node) bool) bool {
	e := &effects{mover: m, info: m.info, seen: map[*function]bool{}}
	return !m.read.any || every(body, func(n ast.Node) bool { return !counts(n) || e.sparedByNode(n) }, true)
}

// Late reports whether an object of the site may be written between the site and the call: a call
// behind defer or go runs later, and reads the object then.
func (r *Result) Late(s *Site, x ast.Expr) bool {
	if x == nil || s.fn == nil || r.index == nil || !s.deferred() {
		return false
	}
	m := r.mover(s, x, s.Node())
	return !m.findsMemory(x) || !m.unwritten()
}

// deferred reports whether the site's call stands behind defer or go.
func (s *Site) deferred() bool {
	found := false
	for n := range ast.Preorder(s.fn.body) {
		switch n := n.(type) {
		case *ast.DeferStmt:
			found = found || n.Call == s.Call
		case *ast.GoStmt:
			found = found || n.Call == s.Call
		}
	}
	return found
}

func within(body *ast.BlockStmt, x ast.Node) bool {
	return body != nil && body.Pos() <= x.Pos() && x.End() <= body.End()
}

// Node returns the call, literal or assignment of the site, or nil.
func (s *Site) Node() ast.Node {
	if s.Call != nil {
		return s.Call
	}
	return s.Fixes
}

// mover decides whether the expression x can be evaluated later, at the site.
type mover struct {
	*index
	site *Site
	x    ast.Expr
	at   ast.Node
	info *types.Info

	roots []*types.Var // local variables that x reads
	read  memory
}

// sameFunction reports whether no function literal contains only one of the two places.
func (m *mover) sameFunction() bool {
	same := true
	ast.Inspect(m.site.fn.body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			same = same && within(lit.Body, m.x) == within(lit.Body, m.at)
		}
		return same
	})
	return same
}

// findsMemory records the memory that the expression reads. It reports whether the expression has
// no effect, and whether its variables have the same values at the site.
func (m *mover) findsMemory(x ast.Expr) bool {
	m.read.all(m.info.TypeOf(x))
	return m.readsIn(x)
}

func (m *mover) readsIn(x ast.Expr) bool {
	ok := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			ok = ok && m.ident(n)
		case *ast.SelectorExpr:
			if sel := m.info.Selections[n]; sel != nil {
				m.read.selection(sel)
			} else if v, isVar := m.info.Uses[n.Sel].(*types.Var); isVar && !v.IsField() {
				ok = false // of another package
			}
			ok = ok && m.readsIn(n.X) // the selected name means the same at the site
			return false
		case *ast.StarExpr:
			m.read.value(m.info.TypeOf(n))
		case *ast.IndexExpr:
			m.read.container(m.info.TypeOf(n.X))
		case *ast.SliceExpr:
			m.read.container(m.info.TypeOf(n.X))
		case *ast.CallExpr:
			for _, a := range append(slices.Clone(n.Args), receiver(n)) {
				if a != nil {
					m.read.all(m.info.TypeOf(a))
				}
			}
			ok = ok && m.onlyReads(n)
		case *ast.UnaryExpr:
			ok = ok && m.onlyReads(n)
		case *ast.FuncLit, *ast.TypeAssertExpr:
			ok = false
		}
		return ok
	})
	return ok
}

// ident reports whether a name means the same at the site and, if it is a variable, has the same
// value there.
func (m *mover) ident(id *ast.Ident) bool {
	obj := m.info.Uses[id]
	if obj == nil {
		return false
	}
	if scope := m.site.Package.Types.Scope().Innermost(m.at.Pos()); scope == nil {
		return false
	} else if _, found := scope.LookupParent(id.Name, m.at.Pos()); found != obj {
		return false
	}
	v, ok := obj.(*types.Var)
	if !ok {
		return true
	}
	if isGlobal(v) {
		return false
	}
	m.roots = append(m.roots, v)
	return m.steady(v, id.Pos())
}

// steady reports whether a local variable keeps its value from a place to the site.
func (m *mover) steady(v *types.Var, from token.Pos) bool {
	known := m.variable(v)
	if known.loose.IsValid() {
		m.read.value(v.Type())
	}
	if known.loose.IsValid() && !isStructOrPointer(v.Type()) || len(known.fields) > 0 {
		return false
	}
	owner := m.site.fn.owner(v)
	for _, d := range known.defs {
		if d.fn != m.site.fn && (owner != nil || len(known.defs) > 1) || m.region().holds(d.node) {
			return false
		}
	}
	before, entryBefore := m.reaching(v, m.site.fn, from)
	after, entryAfter := m.reaching(v, m.site.fn, m.at.Pos())
	return entryBefore == entryAfter && len(before) == len(after) &&
		!slices.ContainsFunc(before, func(d def) bool {
			return !slices.ContainsFunc(after, func(o def) bool { return o.node == d.node })
		})
}

// isStructOrPointer reports whether code may take the variable's address only to read it or to call
// methods. mover.unwritten looks for the writes.
func isStructOrPointer(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Pointer:
		return true
	}
	return false
}

// textual lists packages whose functions only compute a value from their arguments.
var textual = []string{"strings", "strconv", "fmt", "path", "path/filepath", "k8s.io/klog/v2", "errors"}

// Pure reports whether an expression only reads. Its calls must be conversions, len and the like,
// functions of the packages in textual, or methods named like getters.
func Pure(info *types.Info, x ast.Expr) bool {
	return every(x, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return !receives(n) && (!ok || pure(info, call))
	}, false)
}

func receives(n ast.Node) bool {
	u, ok := n.(*ast.UnaryExpr)
	return ok && u.Op == token.ARROW
}

// every reports whether a condition holds for all nodes of an expression, and with inLiterals for
// nodes in function literals, too.
func every(x ast.Node, holds func(ast.Node) bool, inLiterals bool) bool {
	ok := true
	ast.Inspect(x, func(n ast.Node) bool {
		_, literal := n.(*ast.FuncLit)
		ok = ok && (n == nil || holds(n))
		return ok && (inLiterals || !literal)
	})
	return ok
}

// OnlyReads reports whether the calls in an expression of the site's package only read. It accepts
// every expression that Pure accepts, and calls of functions that only return a pure expression of
// their arguments.
func (r *Result) OnlyReads(s *Site, x ast.Expr) bool {
	return r.index != nil && every(x, r.mover(s, x, nil).onlyReads, true)
}

// onlyReads reports whether a node, without the nodes below it, has no effect.
func (m *mover) onlyReads(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	return !receives(n) && (!ok || pure(m.info, call) || m.returns(call))
}

// pure reports whether a call only reads.
func pure(info *types.Info, c *ast.CallExpr) bool {
	if info.Types[c.Fun].IsType() {
		return true
	}
	switch fn := Named(info, c.Fun).(type) {
	case *types.Builtin:
		return slices.Contains([]string{"len", "cap", "min", "max"}, fn.Name())
	case *types.Func:
		switch {
		case fn.Pkg() == nil: // of the predeclared error
			return true
		case fn.Signature().Recv() != nil:
			return len(c.Args) == 0 && (fn.Name() == "Error" || fn.Name() == "String" || strings.HasPrefix(fn.Name(), "Get"))
		}
		return slices.Contains(textual, RealPath(fn.Pkg().Path())) && !strings.HasPrefix(fn.Name(), "Print") && !strings.HasPrefix(fn.Name(), "Fprint")
	}
	return false
}

// returns reports whether a call's function only returns a pure expression of its arguments.
func (m *mover) returns(c *ast.CallExpr) bool {
	f := m.source(m.info, c)
	if f == nil || f.body == nil || len(f.body.List) != 1 {
		return false
	}
	r, ok := f.body.List[0].(*ast.ReturnStmt)
	return ok && len(r.Results) == 1 && Pure(f.pkg.Info, r.Results[0]) && every(r.Results[0], func(n ast.Node) bool {
		id, _ := n.(*ast.Ident)
		v, ok := f.pkg.Info.Uses[id].(*types.Var)
		return !ok || !isGlobal(v)
	}, true)
}

// span is a range of source text.
type span struct{ from, to token.Pos }

func (s span) holds(n ast.Node) bool { return s.from < n.Pos() && n.Pos() < s.to }

// region is the code that can run between the expression and the site: the text between them and,
// if a loop contains only the site, the rest of the outermost such loop. Before a deferred call,
// the rest of the function runs too.
func (m *mover) region() span {
	r := span{m.x.End(), m.at.Pos()}
	if m.site.deferred() {
		r.to = m.site.fn.body.End()
	}
	ast.Inspect(m.site.fn.body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if n.Pos() > m.x.End() && n.Pos() <= m.at.Pos() && m.at.End() <= n.End() {
				r.to = max(r.to, n.End())
			}
		}
		return true
	})
	return r
}

// unwritten reports whether no code in between may write memory that the expression reads.
func (m *mover) unwritten() bool {
	region := m.region()
	return m.spared(m.site.fn.body, func(n ast.Node) bool {
		return region.holds(n) && (n.Pos() < m.at.Pos() || m.at.End() <= n.Pos())
	})
}
