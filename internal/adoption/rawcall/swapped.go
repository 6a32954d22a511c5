package rawcall

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// leastSwapped is the number of callers that prove a wrapper's swapped parameters.
const leastSwapped = 2

// swaps finds wrappers that take the wrong parameter for the reason: each caller passes text for
// it, and a name for another parameter. It reports each wrapper once (EV511), and returns the sites
// of its callers: their reasons have no other mistake.
func (c *checker) swaps() map[*scan.Site]bool {
	var order []*scan.Site
	callers := map[*scan.Site][]*scan.Site{}
	for _, s := range c.Sites {
		if len(s.Via) == 0 || s.Scope != scan.ThroughWrapper || s.Call == nil || s.Either || s.Via[0].Package.Dependency {
			continue
		}
		if callers[s.Via[0]] == nil {
			order = append(order, s.Via[0])
		}
		callers[s.Via[0]] = append(callers[s.Via[0]], s)
	}
	of := map[*scan.Site]bool{}
	for _, wrapper := range order {
		name := swapped(wrapper, callers[wrapper])
		if name == "" {
			continue
		}
		var calls []token.Pos
		for _, s := range callers[wrapper] {
			of[s] = true
			calls = append(calls, s.Node().Pos())
		}
		slices.Sort(calls)
		calls = slices.Compact(calls)
		c.report(at(wrapper, wrapper.Reason), callrules.MalformedReason,
			"each of the %d calls that lead here gives text for the reason, and a name in UpperCamelCase for %s: they are swapped", len(calls), name)
		c.findings[len(c.findings)-1].Callers = calls
	}
	return of
}

// swapped returns the parameter of a wrapper for which each caller passes a name, while it passes
// text for the reason; "" if there is none.
func swapped(wrapper *scan.Site, callers []*scan.Site) string {
	fn, _, ok := parameterOf(wrapper.Reason)
	if !ok || fn == nil || len(callers) < leastSwapped || slices.ContainsFunc(callers, func(s *scan.Site) bool { return !isText(s) }) {
		return ""
	}
	params := fn.Signature().Params()
	for i := range params.Len() {
		if !scan.IsString(params.At(i).Type()) {
			continue
		}
		if !slices.ContainsFunc(callers, func(s *scan.Site) bool { return !givesName(s, i) }) {
			return params.At(i).Name()
		}
	}
	return ""
}

// parameterOf returns the parameter that a value stands for.
func parameterOf(v scan.Value) (fn *types.Func, index int, ok bool) {
	if len(v.Alternatives) != 1 || len(v.Alternatives[0].Parts) != 1 {
		return nil, 0, false
	}
	return v.Alternatives[0].Parts[0].Param()
}

// isText reports whether a site's reason looks like a message: it has several words, or is the text
// of an error.
func isText(s *scan.Site) bool {
	return s.Reason.Known() && !slices.ContainsFunc(s.Reason.Alternatives, func(t scan.Text) bool {
		return !slices.ContainsFunc(t.Parts, func(p scan.Part) bool {
			return literally(p) && strings.Contains(p.Literal, " ") || !literally(p) && isError(origin(s, p).Type)
		})
	})
}

// givesName reports whether an argument of a site's call is a constant name in UpperCamelCase that
// is no type of events.
func givesName(s *scan.Site, index int) bool {
	if index >= len(s.Call.Args) {
		return false
	}
	text, constant := scan.ConstantText(s.Package.Info, ast.Unparen(s.Call.Args[index]))
	return constant && upperCamelCase.MatchString(text) && text != "Normal" && text != "Warning"
}
