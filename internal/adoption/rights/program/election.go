package program

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/facts"
	"github.com/event-gen/event-gen/internal/adoption/rights"
	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// electing are the types whose field LeaderElection switches leader election on
// (controller-runtime, pkg/manager/manager.go and pkg/leaderelection/leader_election.go). The
// lock's events go to the core group, because its recorder is one of GetEventRecorderFor. They are
// about the Lease, and so in its namespace.
var electing = []string{facts.ControllerRuntime + "/pkg/manager.Options", facts.ControllerRuntime + "/pkg/leaderelection.Options"}

// fromFile are the methods by which versions before v0.19 take the options from a file
// (pkg/manager/manager.go).
var fromFile = []string{electing[0] + ".AndFrom", electing[0] + ".AndFromOrDie"}

const (
	leaderElection = "LeaderElection"
	lockInterface  = "LeaderElectionResourceLockInterface"
)

// literal reads leader election, sinks and timeouts from a composite literal.
func (g *graph) literal(p *scan.Package, lit *ast.CompositeLit, into *node) {
	switch t := p.Info.TypeOf(lit); {
	case isElecting(t):
		value, ok := scan.Element(p.Info, lit, leaderElection)
		// the constructor of the lock's own recorder is seen anyway
		if lock, own := scan.Element(p.Info, lit, lockInterface); ok && (!own || p.Info.Types[lock].IsNil()) {
			g.election(p, value, into)
		}
	case scan.TypeName(t) == coreSink:
		into.sinks = append(into.sinks, g.isLocal(p, lit))
	}
}

// assignments reads options.LeaderElection = value, and assignments of timeouts.
func (g *graph) assignments(p *scan.Package, a *ast.AssignStmt, into *node) {
	for i, left := range a.Lhs {
		if len(a.Lhs) == len(a.Rhs) && electionField(p, left) {
			g.election(p, a.Rhs[i], into)
		}
	}
}

// address reads &options.LeaderElection, which a flag gets.
func (g *graph) address(p *scan.Package, u *ast.UnaryExpr, into *node) {
	if u.Op == token.AND && electionField(p, u.X) {
		g.election(p, u.X, into)
	}
}

func electionField(p *scan.Package, x ast.Expr) bool {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	return ok && sel.Sel.Name == leaderElection && isElecting(p.Info.TypeOf(sel.X))
}

func isElecting(t types.Type) bool { return slices.Contains(electing, scan.TypeName(scan.Deref(t))) }

// election adds the rights that a program needs because of a value of LeaderElection.
func (g *graph) election(p *scan.Package, value ast.Expr, into *node) {
	need := rights.Need{Group: rights.CoreGroup, Local: true, What: "leader election", Pos: g.position(value.Pos())}
	switch v := p.Info.Types[value].Value; {
	case v == nil:
		need.Unless = g.unless(p, value)
	case v.Kind() == constant.Bool && !constant.BoolVal(v):
		return
	}
	into.needs = append(into.needs, need)
}

// unless returns the condition under which a value is false, if it has a flag.
func (g *graph) unless(p *scan.Package, value ast.Expr) string {
	x := ast.Unparen(value)
	if star, ok := x.(*ast.StarExpr); ok {
		x = star.X
	}
	if text := g.flags[scan.Named(p.Info, x)]; text != "" {
		return text
	}
	return types.ExprString(value) + " disables it"
}

// flag notes the variable or field that a call gives to a flag: flag.BoolVar(&v, "name", false, …)
// and v := flag.Bool("name", false, …), also of pflag and with a shorthand.
func (g *graph) flag(p *scan.Package, call *ast.CallExpr, result ast.Expr) {
	fn, ok := scan.Named(p.Info, call.Fun).(*types.Func)
	if !ok || !strings.HasPrefix(fn.Name(), "Bool") {
		return
	}
	target := result
	for _, arg := range call.Args {
		if u, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok && u.Op == token.AND {
			target = u.X
		}
		name, isName := scan.ConstantText(p.Info, arg)
		if isName && target != nil && scan.Named(p.Info, target) != nil {
			g.flags[scan.Named(p.Info, target)] = fmt.Sprintf("--%s is %s", name, whenOff(p, call))
			return
		}
	}
}

// whenOff describes how a flag is off: it is left out, unless its default is true.
func whenOff(p *scan.Package, call *ast.CallExpr) string {
	for _, arg := range call.Args {
		if v := p.Info.Types[arg].Value; v != nil && v.Kind() == constant.Bool && constant.BoolVal(v) {
			return "false"
		}
	}
	return "left out"
}

// isLocal reports whether a sink writes to one namespace only: Interface: client.Events(namespace).
// It notes the call, because it serves a recorder.
func (g *graph) isLocal(p *scan.Package, lit *ast.CompositeLit) bool {
	value, _ := scan.Element(p.Info, lit, "Interface")
	call, ok := ast.Unparen(value).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		g.serving[sel.Sel] = true
	}
	namespace, known := scan.ConstantText(p.Info, call.Args[0])
	return !known || namespace != ""
}
