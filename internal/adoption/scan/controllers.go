package scan

import (
	"cmp"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/facts"
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

// ours are functions of the run time. Their last string is the name of a recorder of the events
// API.
var ours = []string{"EventsRecorderOn", "WithReportingController"}

// controllers collects the constant names with which code makes recorders.
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
					add(c, x, cmp.Or(facts.Methods[name], Events))
					break
				}
			}
		}
	}
	for _, name := range slices.AppendSeq(ours, maps.Keys(facts.Methods)) {
		made(name, s.dynamic[name])
	}
	for _, key := range slices.Collect(maps.Keys(s.calls)) { // names may lead to further packages
		if name := key[strings.LastIndex(key, ".")+1:]; (facts.Methods[name] != "" || slices.Contains(ours, name)) && strings.Contains(key, facts.RunTime) {
			made(name, s.calls[key])
		}
	}
	for _, w := range s.writes(&fieldRef{owner: "k8s.io/api/core/v1.EventSource", name: "Component"}) {
		add(w.place, w.value, Record)
	}
	for _, w := range s.writes(&fieldRef{owner: facts.RunTime + "/broadcaster.Options", name: "ReportingController"}) {
		add(w.place, w.value, Events)
	}
	slices.SortFunc(s.result.Controllers, func(a, b Controller) int { return ByPosition(a.Pos, b.Pos) })
}
