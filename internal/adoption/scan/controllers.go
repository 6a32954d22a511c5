package scan

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// Controller is the name that code passes to make a recorder. Events carry it as their reporting
// controller.
type Controller struct {
	Name string
	Pos  token.Position
	// At is the position of the argument. API is Events if the recorder is one of the events API.
	At  token.Pos
	API API
}

// makers are functions that make recorders, and the family of the recorder. The name is their last
// string: controller-runtime's Cluster (pkg/recorder/recorder.go), client-go's EventBroadcaster and
// EventBroadcasterAdapter (tools/events/interfaces.go), and ours.
var makers = map[string]API{
	"GetEventRecorderFor": Record, "GetEventRecorder": Events, "NewRecorder": Events, "EventsRecorderOn": Events, "WithReportingController": Events,
}

const ourRuntime = "github.com/event-gen/event-gen/runtime"

// controllers collects the constant names that recorders are made with.
func (s *scanner) controllers() {
	add := func(at place, x ast.Expr, api API) {
		if x == nil { // one of several results
			return
		}
		for _, t := range s.evaluator(at.fn, at.pkg).eval(x) {
			if name, ok := t.Constant(); ok && name != "" && !at.pkg.Dependency {
				s.result.Controllers = append(s.result.Controllers, Controller{name, s.prog.Fset.Position(x.Pos()), x.Pos(), api})
			}
		}
	}
	made := func(name string, calls []place) {
		for _, c := range calls {
			for _, x := range slices.Backward(c.node.(*ast.CallExpr).Args) {
				if t := c.pkg.Info.TypeOf(x); t != nil && IsString(t) {
					add(c, x, makers[name])
					break
				}
			}
		}
	}
	for name := range makers {
		made(name, s.dynamic[name])
	}
	for _, key := range slices.Collect(maps.Keys(s.calls)) { // names may lead to further packages
		if name := key[strings.LastIndex(key, ".")+1:]; makers[name] != "" && strings.Contains(key, ourRuntime) {
			made(name, s.calls[key])
		}
	}
	for _, w := range s.writes(&fieldRef{owner: "k8s.io/api/core/v1.EventSource", name: "Component"}) {
		add(w.place, w.value, Record)
	}
	for _, w := range s.writes(&fieldRef{owner: ourRuntime + "/broadcaster.Options", name: "ReportingController"}) {
		add(w.place, w.value, Events)
	}
	slices.SortFunc(s.result.Controllers, func(a, b Controller) int { return ByPosition(a.Pos, b.Pos) })
}
