package program

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/event-gen/event-gen/internal/adoption/rights"
	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// managerOptions is the type whose field LeaderElection switches it on (controller-runtime, pkg/manager/manager.go). The lock's
// events go to the core group: pkg/leaderelection/leader_election.go takes the recorder of GetEventRecorderFor.
const managerOptions = controllerRuntime + "/pkg/manager.Options"

const leaderElection = "LeaderElection"

// options reads a literal of the manager's options.
func (g *graph) options(p *scan.Package, lit *ast.CompositeLit, into *node) {
	if value, ok := scan.Element(p.Info, lit, leaderElection); ok && isManagerOptions(p.Info.TypeOf(lit)) {
		g.election(p, value, into)
	}
}

// assignments reads options.LeaderElection = value.
func (g *graph) assignments(p *scan.Package, a *ast.AssignStmt, into *node) {
	if len(a.Lhs) != len(a.Rhs) {
		return
	}
	for i, left := range a.Lhs {
		sel, ok := left.(*ast.SelectorExpr)
		if ok && sel.Sel.Name == leaderElection && isManagerOptions(p.Info.TypeOf(sel.X)) {
			g.election(p, a.Rhs[i], into)
		}
	}
}

// election adds the rights that a program needs because of a value of LeaderElection.
func (g *graph) election(p *scan.Package, value ast.Expr, into *node) {
	need := rights.Need{Group: rights.CoreGroup, Local: true, What: "leader election", Pos: g.position(value.Pos())}
	switch v := p.Info.Types[value].Value; {
	case v == nil:
		need.Unless = types.ExprString(value) + " disables it"
	case v.Kind() == constant.Bool && !constant.BoolVal(v):
		return
	}
	into.needs = append(into.needs, need)
}

func isManagerOptions(t types.Type) bool { return scan.TypeName(scan.Deref(t)) == managerOptions }
