package scan

import (
	"go/ast"
	"go/token"
	"slices"
)

// Controller is the name that code passes to make a recorder. Events carry it as their reporting controller.
type Controller struct {
	Name string
	Pos  token.Position
	// At is the position of the argument. API is Events if the recorder is one of the events API.
	At  token.Pos
	API API
}

// makers holds the methods that make recorders, with the index of the name's argument: controller-runtime's Cluster
// (pkg/recorder/recorder.go) and client-go's EventBroadcaster (tools/events/interfaces.go).
var makers = map[string]int{"GetEventRecorderFor": 0, "GetEventRecorder": 0, "NewRecorder": 1}

// controllers collects the constant names that recorders are made with.
func (s *scanner) controllers() {
	add := func(e *evaluator, x ast.Expr, api API) {
		if t := e.pkg.Info.TypeOf(x); e.pkg.Dependency || t == nil || !IsString(t) {
			return
		}
		for _, t := range e.eval(x) {
			if name, ok := t.Constant(); ok && name != "" {
				s.result.Controllers = append(s.result.Controllers, Controller{name, s.prog.Fset.Position(x.Pos()), x.Pos(), api})
			}
		}
	}
	for method, index := range makers {
		for _, c := range s.dynamic[method] {
			if args := c.node.(*ast.CallExpr).Args; len(args) == index+1 {
				api := Events
				if method == "GetEventRecorderFor" {
					api = Record
				}
				add(s.evaluator(c.fn, c.pkg), args[index], api)
			}
		}
	}
	for _, l := range s.literals["k8s.io/api/core/v1.EventSource"] {
		if x, ok := Element(l.pkg.Info, l.node.(*ast.CompositeLit), "Component"); ok {
			add(s.evaluator(l.fn, l.pkg), x, Record)
		}
	}
	slices.SortFunc(s.result.Controllers, func(a, b Controller) int { return byPosition(a.Pos, b.Pos) })
}
