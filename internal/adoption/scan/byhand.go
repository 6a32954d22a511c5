package scan

import (
	"go/ast"
	"go/types"
	"slices"
)

// eventTypes are the API types of events, in all versions.
var eventTypes = []string{"k8s.io/api/core/v1.Event", "k8s.io/api/events/v1.Event", "k8s.io/api/events/v1beta1.Event"}

// creates are the methods of clients that create an event.
var creates = []string{"Create", "CreateWithEventNamespace", "CreateWithEventNamespaceWithContext"}

// byHand notes the events that the program builds and creates itself, without a recorder: one cause
// for each call of a client's Create. Events that the program forwards or copies do not count.
func (s *scanner) byHand() {
	for _, calls := range []map[string][]place{s.calls, s.dynamic} {
		for _, list := range calls {
			for _, c := range list {
				call := c.node.(*ast.CallExpr)
				if fn := Callee(c.pkg.Info, call); fn == nil || !slices.Contains(creates, fn.Name()) || c.pkg.Dependency || s.inTest(c.file) {
					continue
				}
				if slices.ContainsFunc(call.Args, func(x ast.Expr) bool { return s.builds(c, x, 0) }) {
					s.result.Left = append(s.result.Left, Cause{
						s.prog.Fset.Position(call.Pos()), "call", "this event is built by hand, without a recorder: it is not read",
					})
				}
			}
		}
	}
}

// builds reports whether an argument is an event that a literal of the program makes, or a
// parameter for which a caller passes such an event.
func (s *scanner) builds(c place, x ast.Expr, depth int) bool {
	t := c.pkg.Info.TypeOf(x)
	if t == nil || !slices.Contains(eventTypes, TypeName(Deref(t))) {
		return false
	}
	e := s.evaluator(c.fn, c.pkg)
	if literals, _ := e.made(x, 0); len(literals) > 0 {
		return true
	}
	if p := e.untouched(x); p != nil && p.index >= 0 && depth < mostForwards {
		return slices.ContainsFunc(s.callsOf(p.fn), func(from place) bool {
			arg := (&binding{fn: p.fn, call: from.node.(*ast.CallExpr)}).of(p)
			return arg != nil && s.builds(from, arg, depth+1)
		})
	}
	v := Variable(c.pkg.Info, x)
	if u, ok := ast.Unparen(x).(*ast.UnaryExpr); ok {
		v = Variable(c.pkg.Info, u.X)
	}
	return v != nil && s.filled(v)
}

// filled reports whether code declares a variable without a value, or with a new one, and then sets
// the reason of the event in it.
func (s *scanner) filled(v *types.Var) bool {
	for _, owner := range eventTypes {
		if slices.ContainsFunc(s.assigns[owner+".Reason"], func(a fieldAssign) bool { return rootVariable(a.pkg.Info, a.base) == v }) {
			known := s.variable(v)
			return len(known.defs) > 0 && !slices.ContainsFunc(known.defs, func(d def) bool { return d.kind != zeroed && !isNew(d) })
		}
	}
	return false
}

// isNew reports whether a definition makes a value by new.
func isNew(d def) bool {
	call, ok := d.rhs.(*ast.CallExpr)
	if !ok {
		return false
	}
	b, ok := Named(d.pkg.Info, call.Fun).(*types.Builtin)
	return ok && b.Name() == "new"
}
