package program

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"time"

	"github.com/event-gen/event-gen/internal/adoption/facts"
	"github.com/event-gen/event-gen/internal/adoption/rights"
	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// unknownTimeout is a timeout that no constant gives, or that never ends.
const unknownTimeout = -time.Second

// timeouts maps a type of options to the field that bounds the manager's stop, and its default:
// controller-runtime, pkg/manager/manager.go, and ctrlevents/options.go.
var timeouts = map[string]struct {
	field string
	value time.Duration
}{
	facts.ControllerRuntime + "/pkg/manager.Options": {"GracefulShutdownTimeout", 30 * time.Second},
	facts.Managers + ".Options":                      {"ShutdownTimeout", 10 * time.Second},
}

// timeout notes a value that code gives to the field of options.
func (g *graph) timeout(p *scan.Package, options types.Type, field string, value ast.Expr, into *node) {
	name := scan.TypeName(scan.Deref(options))
	if t, known := timeouts[name]; known && t.field == field {
		if into.timeouts == nil {
			into.timeouts = map[string][]time.Duration{}
		}
		into.timeouts[name] = append(into.timeouts[name], duration(p.Info, value))
	}
}

// duration returns a constant, or the constant that new or ptr.To points to.
func duration(info *types.Info, x ast.Expr) time.Duration {
	x = ast.Unparen(x)
	if call, ok := x.(*ast.CallExpr); ok && len(call.Args) == 1 {
		switch obj := scan.Named(info, call.Fun); {
		case obj != nil && obj.Name() == "new", obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == "k8s.io/utils/ptr" && obj.Name() == "To":
			x = call.Args[0]
		}
	}
	if v := info.Types[x].Value; v != nil && v.Kind() == constant.Int {
		if d, exact := constant.Int64Val(v); exact && d >= 0 {
			return time.Duration(d)
		}
	}
	return unknownTimeout
}

// shutdown notes a Shutdown of a broadcaster, if its function gives the context a constant
// deadline.
func (g *graph) shutdown(p *scan.Package, d ast.Node, call *ast.CallExpr, into *node) {
	fn := scan.Callee(p.Info, call)
	if fn == nil || fn.Pkg() == nil || len(call.Args) != 1 || fn.Signature().Recv() == nil || !within(scan.RealPath(fn.Pkg().Path()), facts.RunTime) ||
		fn.Name() != "Shutdown" && fn.Name() != "ShutdownWithContext" {
		return
	}
	ctx := scan.Variable(p.Info, call.Args[0])
	var limits []time.Duration
	for n := range ast.Preorder(d) {
		a, ok := n.(*ast.AssignStmt)
		if !ok || scan.Variable(p.Info, a.Lhs[0]) != ctx || ctx == nil {
			continue
		}
		limit := unknownTimeout
		if c, ok := a.Rhs[0].(*ast.CallExpr); ok && len(c.Args) == 2 {
			if made := scan.Callee(p.Info, c); made != nil && made.FullName() == "context.WithTimeout" {
				limit = duration(p.Info, c.Args[1])
			}
		}
		limits = append(limits, limit)
	}
	if len(limits) == 1 && limits[0] != unknownTimeout {
		into.stops = append(into.stops, rights.Stop{Takes: limits[0], What: fn.Name() + " of a broadcaster", Pos: g.position(call.Pos())})
	}
}

// slowestStop returns the part of a program's stop that takes longest. A manager of this project
// waits for its reconcilers, and then writes; if code gives several values, the least counts.
func slowestStop(nodes []*node) (slowest rights.Stop) {
	manager := time.Duration(0)
	for name, t := range timeouts {
		var given []time.Duration
		for _, n := range nodes {
			given = append(given, n.timeouts[name]...)
		}
		least := t.value
		if len(given) > 0 {
			least = slices.Min(given)
		}
		if least == unknownTimeout || manager == unknownTimeout {
			manager = unknownTimeout
			continue
		}
		manager += least
	}
	for _, n := range nodes {
		for _, s := range n.stops {
			if s.Takes == 0 { // a manager
				s.Takes = max(manager, 0)
			}
			if s.Takes > slowest.Takes {
				slowest = s
			}
		}
	}
	return slowest
}
