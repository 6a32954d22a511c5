package analyzer

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// ourRuntime is the import path of event-gen's run time.
const ourRuntime = "github.com/event-gen/event-gen/runtime"

// remedy ends the messages about raw calls.
const remedy = "declare the event in a catalog and call the generated method"

// reportRaw reports raw calls (EV501), each place once.
func (u *unit) reportRaw() {
	if u.settings.NoRaw {
		return
	}
	seen := map[ast.Node]bool{}
	for _, s := range u.sites {
		at := s.Node()
		if at == nil || seen[at] || s.Typed() || u.judgedAtCallers(s) || u.config.allowed(s.Pos.Filename) {
			continue
		}
		seen[at] = true
		u.report(at.Pos(), callrules.RawCall, fmt.Sprintf("%s; %s", rawText(s), remedy))
	}
}

// judgedAtCallers reports whether a call passes on a reason that only callers give, so that the raw
// calls are theirs. The package's fact tells other packages.
func (u *unit) judgedAtCallers(s *scan.Site) bool {
	if u.passing[s] {
		return true
	}
	if s.Scope != scan.InWrapper || slices.ContainsFunc(s.Reason.Alternatives, func(t scan.Text) bool { return !t.IsFromCaller() }) {
		return false
	}
	_, function := forwardOf(s)
	c, fields := carrierOf(s)
	return function || fields && u.declares(c) || ofLiteral(s)
}

// ofLiteral reports whether the reason is a parameter of a function literal, which only this
// package calls.
func ofLiteral(s *scan.Site) bool {
	return slices.ContainsFunc(s.Reason.Alternatives, func(t scan.Text) bool {
		return slices.ContainsFunc(t.Parts, func(p scan.Part) bool {
			fn, _, ok := p.Param()
			return ok && fn == nil
		})
	})
}

func rawText(s *scan.Site) string {
	switch {
	case s.Call == nil:
		return "raw event in a value of " + s.Method
	case s.Recorder == nil || len(s.Via) > 0:
		return "raw call of " + s.Method + ", which records on a recorder"
	}
	return "raw call of " + s.Method
}

// reportForward reports calls of our own Forward.
func (u *unit) reportForward() {
	if u.settings.NoRaw {
		return
	}
	u.eachCall(func(f *ast.File, call *ast.CallExpr, fn *types.Func) {
		name := u.Fset.Position(call.Pos()).Filename
		if scan.ObjectName(fn) == ourRuntime+".Recorder.Forward" && u.judged(name, f) && !u.config.allowed(name) {
			u.report(call.Pos(), callrules.RawCall, "raw call of Forward; "+remedy)
		}
	})
}

// eachCall yields the calls of named functions and methods.
func (u *unit) eachCall(yield func(*ast.File, *ast.CallExpr, *types.Func)) {
	for _, f := range u.Files {
		for n := range ast.Preorder(f) {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				continue
			}
			if fn := scan.Callee(u.TypesInfo, call); fn != nil {
				yield(f, call, fn)
			}
		}
	}
}
