package scan

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// Movable reports whether an expression of the site's text has the value at the site that it has where it stands: it stands at
// the site itself; or before it in the same function, reads nothing that may be written in between, and has no effect.
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

// node is the call or the literal of the site.
func (s *Site) node() ast.Node {
	switch {
	case s.Call != nil:
		return s.Call
	case s.Fixes != nil:
		return s.Fixes
	}
	return nil
}

// mover decides whether an expression may be read later.
type mover struct {
	*index
	site *Site
	x    ast.Expr
	at   ast.Node
	info *types.Info

	roots []*types.Var // the local variables that x reads
	read  memory
}

// sameFunction reports whether no function literal holds only one of the two places.
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

// reads notes what the expression reads; it reports whether the expression has no effect, and its variables are the same at
// the site.
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

// ident reports whether a name means the same at the site, and a variable has the same value.
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

// isStructOrPointer: their address is taken to read or to call methods; writes are looked for by mover.unwritten.
func isStructOrPointer(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Pointer:
		return true
	}
	return false
}

// textual are packages whose functions only make values of their arguments.
var textual = []string{"strings", "strconv", "fmt", "path", "path/filepath", "k8s.io/klog/v2", "errors"}

// Pure reports whether an expression only reads: its calls are conversions, len, functions of packages for text, or methods that
// are named as if they only read.
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

// OnlyReads reports whether the calls in an expression of the site's package only read: as Pure says, or because the functions that
// they call only return what their arguments say.
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

// returns reports whether a call is of a function that only returns what its arguments say.
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

// span is a piece of the text.
type span struct{ from, to token.Pos }

func (s span) holds(n ast.Node) bool { return s.from < n.Pos() && n.Pos() < s.to }

// region is what can run between the place of the expression and the site: the text between them, up to the end of the
// outermost loop that holds the site alone.
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

// unwritten reports whether nothing in between may write what the expression reads beyond its variables.
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
