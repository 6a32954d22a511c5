package analyzer

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// throughFacts adds the sites that call wrappers of other packages or fill their structs. A
// function that passes its own parameter to a wrapper is a wrapper too, so throughFacts repeats
// until it finds no new wrapper.
func (u *unit) throughFacts(known forwards) {
	if len(known.Functions) == 0 && len(known.Carriers) == 0 {
		return
	}
	u.sites = slices.DeleteFunc(u.sites, known.changes)
	seen := map[ast.Node]bool{}
	for _, s := range u.sites {
		seen[s.Node()] = true
	}
	u.literals(known, seen)
	for more := true; more; {
		more = false
		u.eachCall(func(f *ast.File, call *ast.CallExpr, fn *types.Func) {
			i := slices.IndexFunc(known.Functions, func(w forward) bool { return w.matches(fn) })
			if i < 0 || seen[call] {
				return
			}
			seen[call] = true
			s := u.derived(f, call, fn, known.Functions[i])
			u.sites = append(u.sites, s)
			if w, ok := u.wrapper(s, known.Functions[i], call); ok {
				s.Scope, more, u.passing[s] = scan.InWrapper, true, true
				known.add(w)
				u.own = append(u.own, w)
			}
		})
	}
}

// imported returns the facts of all packages that this one depends on.
func (u *unit) imported() (all forwards) {
	for _, f := range u.AllPackageFacts() {
		if fact, ok := f.Fact.(*forwards); ok && f.Package != u.Pkg {
			for _, fn := range fact.Functions {
				all.add(fn)
			}
			all.Carriers = append(all.Carriers, fact.Carriers...)
			all.Formats = append(all.Formats, fact.Formats...)
			all.Recorders = append(all.Recorders, fact.Recorders...)
		}
	}
	return all
}

// formatFunction describes a function of another package that passes on a format.
func (f *forwards) formatFunction(fn *types.Func) (scan.FormatFunction, bool) {
	if fn == nil {
		return scan.FormatFunction{}, false
	}
	i := slices.IndexFunc(f.Formats, func(o formatter) bool { return o.Key == scan.ObjectName(fn) })
	if i < 0 {
		return scan.FormatFunction{}, false
	}
	o := f.Formats[i]
	return scan.FormatFunction{Function: fn, Format: o.Format, Args: o.Args, Shape: o.Shape, OnlyWithArgs: o.OnlyWithArgs}, true
}

// changes reports whether a site calls a recorder's method of another package that is a wrapper,
// because it does not store what it gets.
func (f *forwards) changes(s *scan.Site) bool {
	if s.Callee == nil || len(s.Via) > 0 {
		return false
	}
	key := scan.ObjectName(s.Callee)
	return slices.ContainsFunc(f.Recorders, func(m scan.RecorderMethod) bool { return m.Key == key && !m.Same }) &&
		slices.ContainsFunc(f.Functions, func(w forward) bool { return w.Key == key })
}

// matches reports whether a call of a function calls the wrapper. The function is the wrapper
// itself, or a method of an interface with the wrapper's name and parameters.
func (w forward) matches(fn *types.Func) bool {
	if scan.ObjectName(fn) == w.Key {
		return true
	}
	if _, records := scan.ShapeOf(fn); records { // which types stand behind it, is not known
		return false
	}
	recv := fn.Signature().Recv()
	return w.Method && recv != nil && types.IsInterface(recv.Type()) && fn.Name() == w.Name && scan.Parameters(fn) == w.Parameters
}

// derived returns the site for a call of a wrapper.
func (u *unit) derived(f *ast.File, call *ast.CallExpr, fn *types.Func, w forward) *scan.Site {
	argument := func(g given) scan.Value {
		if g.Known {
			return scan.Value{Alternatives: []scan.Text{{Parts: []scan.Part{{Literal: g.Text}}, How: scan.Const}}}
		}
		if g.Param == 0 || g.Param > len(call.Args) || g.Param == len(call.Args) && call.Ellipsis.IsValid() {
			return scan.Value{}
		}
		v := u.value(call.Args[g.Param-1])
		if _, constant := v.Constant(); constant && g.Computed {
			return scan.Value{}
		}
		return v
	}
	return &scan.Site{
		Pos: u.Fset.Position(call.Pos()), Package: u.pkg, File: f, Func: enclosing(f, call), Scope: scan.ThroughWrapper, Call: call,
		Method: fn.Name(), Callee: fn, Shape: scan.Shape{Name: w.Name, API: scan.API(w.API)},
		Type: argument(w.Type), Reason: argument(w.Reason), Action: argument(w.Action), Message: argument(w.Message),
	}
}

// value returns the value of an expression: its constant text, or one unknown part.
func (u *unit) value(e ast.Expr) scan.Value {
	text := scan.Text{Pos: e.Pos(), Info: u.TypesInfo, How: scan.Runtime}
	if s, ok := scan.ConstantText(u.TypesInfo, e); ok {
		text.Parts, text.How = []scan.Part{{Literal: s}}, scan.Literal
		if k, ok := scan.Named(u.TypesInfo, e).(*types.Const); ok {
			text.How, text.Const = scan.Const, k
		}
	} else {
		text.Parts = []scan.Part{{Expr: e, Info: u.TypesInfo, Type: u.TypesInfo.TypeOf(e), Verb: "%s"}}
	}
	return scan.Value{Expr: e, Alternatives: []scan.Text{text}}
}

func enclosing(f *ast.File, n ast.Node) *ast.FuncDecl {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Pos() <= n.Pos() && n.End() <= fn.End() {
			return fn
		}
	}
	return nil
}

// wrapper describes the function around a call of a wrapper, if it passes a parameter of its own as
// the reason.
func (u *unit) wrapper(s *scan.Site, w forward, call *ast.CallExpr) (forward, bool) {
	if s.Func == nil || w.Reason.Param == 0 {
		return forward{}, false
	}
	fn, ok := u.TypesInfo.Defs[s.Func.Name].(*types.Func)
	if !ok {
		return forward{}, false
	}
	handed := func(g given) given {
		if g.Known || g.Param == 0 || g.Param > len(call.Args) {
			return g
		}
		arg := call.Args[g.Param-1]
		if text, ok := scan.ConstantText(u.TypesInfo, arg); ok {
			return given{Text: text, Known: !g.Computed}
		}
		params := slices.Collect(fn.Signature().Params().Variables())
		return given{Param: slices.Index(params, scan.Variable(u.TypesInfo, arg)) + 1, Computed: g.Computed}
	}
	around := forward{
		Key: scan.ObjectName(fn), Name: fn.Name(), Parameters: scan.Parameters(fn), Method: fn.Signature().Recv() != nil, API: w.API,
		Type: handed(w.Type), Reason: handed(w.Reason), Action: handed(w.Action), Message: handed(w.Message),
	}
	return around, around.Reason.Param > 0
}

// literals adds the literals of structs of other packages that carry a reason.
func (u *unit) literals(known forwards, seen map[ast.Node]bool) {
	for _, f := range u.Files {
		for n := range ast.Preorder(f) {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || seen[lit] {
				continue
			}
			owner := scan.TypeName(u.TypesInfo.TypeOf(lit))
			i := slices.IndexFunc(known.Carriers, func(c carrier) bool {
				reason, gives := scan.Element(u.TypesInfo, lit, c.Reason)
				return c.Owner == owner && gives && !u.fieldOf(reason, owner)
			})
			if i >= 0 {
				seen[lit] = true
				u.sites = append(u.sites, u.carried(f, lit, known.Carriers[i]))
			}
		}
	}
}

// fieldOf reports whether an expression is a field of a struct: a literal with such a reason copies
// another one.
func (u *unit) fieldOf(x ast.Expr, owner string) bool {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	return ok && scan.FieldOwner(u.TypesInfo, sel) == owner
}

// carried returns the site for a struct literal that carries a reason.
func (u *unit) carried(f *ast.File, lit *ast.CompositeLit, c carrier) *scan.Site {
	field := func(name string) scan.Value {
		if e, ok := scan.Element(u.TypesInfo, lit, name); ok {
			return u.value(e)
		}
		return scan.Value{}
	}
	return &scan.Site{
		Pos: u.Fset.Position(lit.Pos()), Package: u.pkg, File: f, Func: enclosing(f, lit), Scope: scan.ThroughWrapper, Fixes: lit,
		Method: c.Owner, Shape: scan.Shape{API: scan.API(c.API)},
		Reason: field(c.Reason), Type: field(c.Type), Action: field(c.Action), Message: field(c.Message),
	}
}
