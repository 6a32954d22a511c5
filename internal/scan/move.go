package scan

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// Movable reports whether an expression of the site's text can move to the site without changing its value. It can if it is part of the
// site, or if it comes before the site in the same function, has no effect, and reads nothing that may be written in between.
func (r *Result) Movable(s *Site, x ast.Expr, info *types.Info) bool {
	at := s.node()
	switch {
	case x == nil || at == nil:
		return false
	case at.Pos() <= x.Pos() && x.End() <= at.End():
		return true
	case s.fn == nil || info != s.Package.Info || r.index == nil || x.End() > at.Pos() || !within(s.fn.body, x):
		return false
	}
	m := &mover{index: r.index, site: s, x: x, at: at, info: info}
	return m.sameFunction() && m.reads(x) && m.unwritten()
}

// Early reports whether an expression in a statement of the site's function has the same value before the statement: nothing that the
// statement evaluates before it may write what it reads.
func (r *Result) Early(s *Site, x ast.Expr, statement ast.Stmt) bool {
	if s.fn == nil || r.index == nil {
		return false
	}
	m := &mover{index: r.index, site: s, x: x, at: statement, info: s.Package.Info}
	if !m.reads(x) {
		return false
	}
	e := &effects{mover: m, info: m.info, seen: map[*function]bool{}}
	return !m.read.any || e.sparedBy(statement, func(n ast.Node) bool { return n.End() <= x.Pos() })
}

func within(body *ast.BlockStmt, x ast.Node) bool {
	return body != nil && body.Pos() <= x.Pos() && x.End() <= body.End()
}

// node returns the call, literal or assignment of the site.
func (s *Site) node() ast.Node {
	switch {
	case s.Call != nil:
		return s.Call
	case s.Fixes != nil:
		return s.Fixes
	}
	return nil
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

// reads records what the expression reads. It reports whether the expression has no effect, and whether its variables have the same values
// at the site.
func (m *mover) reads(x ast.Expr) bool {
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
			ok = ok && m.readsIn(n.X) // the selected name means what it means there
			return false
		case *ast.StarExpr:
			m.read.pointee(m.info.TypeOf(n))
		case *ast.IndexExpr:
			m.read.container(m.info.TypeOf(n.X))
		case *ast.SliceExpr:
			m.read.container(m.info.TypeOf(n.X))
		case *ast.CallExpr:
			ok = ok && (pure(m.info, n) || m.returns(n))
			for _, a := range n.Args {
				m.read.all(m.info.TypeOf(a))
			}
			if on := receiver(n); on != nil {
				m.read.all(m.info.TypeOf(on))
			}
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.FuncLit, *ast.TypeAssertExpr:
			ok = false
		}
		return ok
	})
	return ok
}

// ident reports whether a name means the same at the site and, if it is a variable, has the same value there.
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
		m.read.pointee(v.Type())
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

// isStructOrPointer reports whether code may take the variable's address only to read it or to call methods. mover.unwritten looks for the
// writes.
func isStructOrPointer(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Pointer:
		return true
	}
	return false
}

// textual lists packages whose functions only compute a value from their arguments.
var textual = []string{"strings", "strconv", "fmt", "path", "path/filepath", "k8s.io/klog/v2", "errors"}

// Pure reports whether an expression only reads. Its calls must be conversions, len and the like, functions of the packages in textual, or
// methods that are named like getters.
func Pure(info *types.Info, x ast.Expr) bool {
	ok := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			ok = ok && pure(info, n)
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.FuncLit:
			return false
		}
		return ok
	})
	return ok
}

// OnlyReads reports whether the calls in an expression of the site's package only read. It accepts what Pure accepts, and calls of
// functions that only return a pure expression of their arguments.
func (r *Result) OnlyReads(s *Site, x ast.Expr) bool {
	if r.index == nil {
		return false
	}
	m := &mover{index: r.index, site: s, info: s.Package.Info}
	ok := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			ok = ok && (pure(m.info, n) || m.returns(n))
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		}
		return ok
	})
	return ok
}

// pure reports whether a call only reads.
func pure(info *types.Info, c *ast.CallExpr) bool {
	if info.Types[c.Fun].IsType() {
		return true
	}
	switch fun := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		b, builtin := info.Uses[fun].(*types.Builtin)
		return builtin && slices.Contains([]string{"len", "cap", "min", "max"}, b.Name())
	case *ast.SelectorExpr:
		fn, ok := info.Uses[fun.Sel].(*types.Func)
		switch {
		case !ok:
			return false
		case fn.Pkg() == nil: // of the predeclared error
			return true
		case fn.Signature().Recv() != nil:
			return len(c.Args) == 0 && (fn.Name() == "Error" || fn.Name() == "String" || strings.HasPrefix(fn.Name(), "Get"))
		}
		return slices.Contains(textual, realPath(fn.Pkg().Path())) && !strings.HasPrefix(fn.Name(), "Print") && !strings.HasPrefix(fn.Name(), "Fprint")
	}
	return false
}

// returns reports whether a call's function only returns a pure expression of its arguments.
func (m *mover) returns(c *ast.CallExpr) bool {
	fn, ok := typeutil.Callee(m.info, c).(*types.Func)
	if !ok || m.functions[funcKey(fn)] == nil {
		return false
	}
	f := m.functions[funcKey(fn)]
	if f.body == nil || len(f.body.List) != 1 {
		return false
	}
	r, ok := f.body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 || !Pure(f.pkg.Info, r.Results[0]) {
		return false
	}
	local := true
	ast.Inspect(r.Results[0], func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := f.pkg.Info.Uses[id].(*types.Var); ok && isGlobal(v) {
				local = false
			}
		}
		return local
	})
	return local
}

// span is a range of source text.
type span struct{ from, to token.Pos }

func (s span) holds(n ast.Node) bool { return s.from < n.Pos() && n.Pos() < s.to }

// region is the code that can run between the expression and the site: the text between them and, if a loop contains only the site, the
// rest of the outermost such loop.
func (m *mover) region() span {
	r := span{m.x.End(), m.at.Pos()}
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

// unwritten reports whether nothing in between may write memory that the expression reads.
func (m *mover) unwritten() bool {
	if !m.read.any {
		return true
	}
	region := m.region()
	e := &effects{mover: m, info: m.info, seen: map[*function]bool{}}
	return e.sparedBy(m.site.fn.body, func(n ast.Node) bool {
		return region.holds(n) && (n.Pos() < m.at.Pos() || m.at.End() <= n.Pos())
	})
}
