package rawcall

import (
	"cmp"
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
			if what := c.changing(s, p); what != "" {
				c.report(at(s, s.Message), callrules.ChangingText, "the message shows %s, %s, so that each occurrence is an event of its own; leave it out, or log it", name(p), what)
				return
			}
		}
	}
}

// changing returns why the text of a part is new each time; empty if it need not be.
func (c *checker) changing(s *scan.Site, p scan.Part) string {
	if p.Expr == nil {
		return ""
	}
	if strings.HasSuffix(p.Verb, "p") {
		return "an address in memory"
	}
	in := declaration{info: p.Info}
	if p.Info == s.Package.Info {
		in.FuncDecl = s.Func
	}
	if what := c.changingValue(in, p.Expr, 0); what != "" {
		return what
	}
	if p.Type != nil && strings.HasSuffix(p.Verb, "v") && !isError(p.Type) && !isStringer(p.Type) && showsAddress(p.Type, 0) {
		return "whose fields hold addresses or times"
	}
	return ""
}

// changingValue follows variables that are written once, methods of what changes, the results of
// functions, and texts that are put together.
func (c *checker) changingValue(in declaration, x ast.Expr, depth int) string {
	if in.info == nil || depth > deepestHelper {
		return ""
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		if value := in.only(scan.Variable(in.info, x)); value != nil {
			return c.changingValue(in, value, depth+1)
		}
	case *ast.SelectorExpr:
		if x.Sel.Name == "ResourceVersion" {
			return "a resource version"
		}
	case *ast.BinaryExpr:
		return cmp.Or(c.changingValue(in, x.X, depth), c.changingValue(in, x.Y, depth))
	case *ast.CallExpr:
		return c.changingCall(in, x, depth)
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

// changingCall looks through methods, as in time.Now().Format(…), and into functions.
func (c *checker) changingCall(in declaration, call *ast.CallExpr, depth int) string {
	if what := clocks[calleeName(in.info, call)]; what != "" {
		return what
	}
	if name := calleeName(in.info, call); name == "fmt.Sprintf" || name == "fmt.Sprint" {
		for _, arg := range call.Args {
			if what := c.changingValue(in, arg, depth+1); what != "" {
				return what
			}
		}
		return ""
	}
	x, name := selected(call)
	if name == "GetResourceVersion" {
		return "a resource version"
	}
	if helper, ok := c.helper(in.info, call); ok {
		for n := range ast.Preorder(helper.Body) {
			if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) == 1 {
				if what := c.changingValue(helper, r.Results[0], depth+1); what != "" {
					return what
				}
			}
		}
		return ""
	}
	if x != nil && isTime(in.info.TypeOf(x)) {
		return c.changingValue(in, x, depth+1)
	}
	return ""
}

// isTime reports whether a type is a time, a duration, or a random id, whose methods show it.
func isTime(t types.Type) bool {
	if t == nil {
		return false
	}
	switch scan.TypeName(scan.Deref(t)) {
	case "time.Time", "time.Duration", "k8s.io/apimachinery/pkg/apis/meta/v1.Time", "github.com/google/uuid.UUID":
		return true
	}
	return false
}

// deepest bounds how far types are looked into.
const deepest = 4

// showsAddress reports whether %v of a value shows addresses in memory, or an object's metadata:
// fmt follows a pointer at the top only.
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
