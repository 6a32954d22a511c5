package fields

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/facts"
	"github.com/event-gen/event-gen/internal/adoption/scan"
)

func realPath(p *types.Package) string { return scan.RealPath(p.Path()) }

// made is a call that makes a recorder.
type made struct {
	call, method, receiver span
	// name is the constant name of the recorder; known reports whether there is one.
	name  string
	known bool
	// hasEvents: the manager has GetEventRecorder.
	hasEvents bool
	// ours: the manager is this project's, or becomes so.
	ours        bool
	receiverKey token.Position
	// broadcasters: the receiver is a broadcaster of client-go.
	broadcasters bool
}

// managerCall is a call of NewManager.
type managerCall struct {
	span
	fun  span
	test bool
	// ours: it is ctrlevents.NewManager already.
	ours bool
	pos  token.Position
}

// classifyCall recognizes calls that make recorders.
func (r *reader) classifyCall(in *inflow, c *ast.CallExpr) {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok || facts.Methods[sel.Sel.Name] == "" {
		return
	}
	m := &made{call: r.span(c), method: r.span(sel.Sel), receiver: r.span(sel.X)}
	receiver := r.info().TypeOf(sel.X)
	switch {
	case receiver == nil:
		return
	case sel.Sel.Name == "NewRecorder":
		if len(c.Args) != 2 || in.api == "" {
			return
		}
		in.kind, in.made = fromBroadcaster, m
		m.broadcasters, m.ours = isBroadcaster(receiver), isDropIn(receiver)
		m.name, m.known = r.componentName(c.Args[1])
	case len(c.Args) == 1:
		in.kind, in.made = fromManager, m
		m.name, m.known = scan.ConstantText(r.info(), c.Args[0])
		method, _, _ := types.LookupFieldOrMethod(receiver, true, r.pkg.Types, "GetEventRecorder")
		m.hasEvents = method != nil
		m.ours = isOurManager(receiver)
		if v, ok := r.target(sel.X).(*types.Var); ok {
			m.receiverKey = r.position(v.Origin().Pos())
		}
	}
}

func isOurManager(t types.Type) bool {
	return scan.TypeName(scan.Deref(t)) == facts.Managers+".Manager"
}

// isDropIn reports whether a type is a broadcaster of the drop-in.
func isDropIn(t types.Type) bool {
	return strings.HasPrefix(scan.TypeName(scan.Deref(t)), facts.DropIn+".")
}

// noteManager notes a call of NewManager, and the variable that gets the manager.
func (r *reader) noteManager(c *ast.CallExpr, target types.Object) {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	obj := r.info().Uses[sel.Sel]
	if obj == nil || obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() {
		return
	}
	name := realPath(obj.Pkg()) + "." + obj.Name()
	ours, known := facts.ManagerMakers[name]
	if !known || !r.editable {
		return
	}
	m := &managerCall{span: r.span(c), fun: r.span(c.Fun), test: isTest(r.path), ours: ours}
	m.pos = r.onDisk(r.position(c.Pos()))
	if !slices.ContainsFunc(r.managers, func(o *managerCall) bool { return o.span == m.span }) {
		r.managers = append(r.managers, m)
	}
	if v, ok := target.(*types.Var); ok && !m.test && r.defines {
		r.managerVars[r.position(v.Origin().Pos())] = true
	}
}
