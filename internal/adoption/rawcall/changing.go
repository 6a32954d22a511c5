package rawcall

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// changingText is EV518.
func changingText(c *checker, s *scan.Site) {
	for _, text := range s.Message.Alternatives {
		for _, p := range text.Args() {
			if what := changing(p); what != "" {
				c.report(at(s, s.Message), callrules.ChangingText, "the message shows %s, %s, so that each occurrence is an event of its own; leave it out, or log it", name(p), what)
				return
			}
		}
	}
}

// changing returns why the text of a part is new each time; empty if it need not be.
func changing(p scan.Part) string {
	if p.Expr == nil {
		return ""
	}
	if strings.HasSuffix(p.Verb, "p") {
		return "an address in memory"
	}
	switch e := ast.Unparen(p.Expr).(type) {
	case *ast.CallExpr:
		if what := changingCall(p.Info, e); what != "" {
			return what
		}
	case *ast.SelectorExpr:
		if e.Sel.Name == "ResourceVersion" {
			return "a resource version"
		}
	}
	if p.Type != nil && strings.HasSuffix(p.Verb, "v") && !isError(p.Type) && !isStringer(p.Type) && showsAddress(p.Type, 0) {
		return "whose fields hold addresses or times"
	}
	return ""
}

// clocks are functions that give another text each time.
var clocks = map[string]string{
	"time.Now":   "the time",
	"time.Since": "a time that has passed",
	"time.Until": "a time to come",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Now": "the time",
	"github.com/google/uuid.NewString":         "a random text",
	"github.com/google/uuid.New":               "a random text",
}

// changingCall looks through methods: time.Now().Format(…).
func changingCall(info *types.Info, call *ast.CallExpr) string {
	if info == nil {
		return ""
	}
	if what := clocks[calleeName(info, call)]; what != "" {
		return what
	}
	x, name := selected(call)
	if name == "GetResourceVersion" {
		return "a resource version"
	}
	if inner, ok := ast.Unparen(x).(*ast.CallExpr); ok {
		return changingCall(info, inner)
	}
	return ""
}

// deepest bounds how far types are looked into.
const deepest = 4

// showsAddress reports whether %v of a value shows addresses in memory, or an object's metadata: fmt follows a pointer at the
// top only.
func showsAddress(t types.Type, depth int) bool {
	if depth > 0 && (isStringer(t) || isError(t)) {
		return scan.TypeName(t) == "k8s.io/apimachinery/pkg/apis/meta/v1.Time"
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return depth > 0 || showsAddress(u.Elem(), depth+1)
	case *types.Chan, *types.Signature:
		return true
	case *types.Struct:
		return depth < deepest && slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool { return showsAddress(f.Type(), depth+1) })
	case *types.Slice:
		return depth < deepest && showsAddress(u.Elem(), depth+1)
	case *types.Map:
		return depth < deepest && showsAddress(u.Elem(), depth+1)
	}
	return false
}
