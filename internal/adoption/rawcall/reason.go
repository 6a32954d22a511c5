package rawcall

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

// upperCamelCase matches reasons in the form that the API conventions require.
var upperCamelCase = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)

// mostName is how long reasons and actions may be, in bytes (pkg/apis/core/validation/events.go).
const mostName = 128

// malformedReason is EV511.
func malformedReason(c *checker, s *scan.Site) {
	if c.swapped[s] {
		return
	}
	for _, reason := range s.Reason.Constants() {
		switch {
		case reason == "Normal" || reason == "Warning":
		case reason == "" && !s.Reason.Closed():
		case reason == "":
			c.report(at(s, s.Reason), callrules.MalformedReason, "the reason is empty; give it a name in UpperCamelCase")
		case len(reason) > mostName:
			c.report(at(s, s.Reason), callrules.MalformedReason, "the reason has %d bytes, and the events API takes %d", len(reason), mostName)
		case scan.LeftVerb(reason) != "": // leftOutReason reports it
		case !upperCamelCase.MatchString(reason):
			c.report(at(s, s.Reason), callrules.MalformedReason, "the reason %q is no name in UpperCamelCase, which alerts and field selectors match", reason)
		}
	}
}

// errorAsReason is EV512.
func errorAsReason(c *checker, s *scan.Site) {
	if c.swapped[s] {
		return
	}
	for _, text := range s.Reason.Alternatives {
		for _, p := range text.Args() {
			switch p = origin(s, p); {
			case isError(p.Type):
				c.report(at(s, s.Reason), callrules.ErrorAsReason, "the text of the error %s is the reason; use a constant, and put the error into the message", name(p))
				return
			case namesObject(p):
				c.report(at(s, s.Reason), callrules.ErrorAsReason, "%s, which is another one for each object, is in the reason; use a constant, and put the name into the message", name(p))
				return
			}
		}
	}
}

// namesObject reports whether a part is the name or the UID of an API object.
func namesObject(p scan.Part) bool { return identifies(p, "Name", "UID") }

// identifies reports whether a part is one of these fields of an API object's metadata.
func identifies(p scan.Part, fields ...string) bool {
	if p.Info == nil || p.Expr == nil {
		return false
	}
	x := ast.Unparen(p.Expr)
	if call, ok := x.(*ast.CallExpr); ok && len(call.Args) == 0 {
		x = ast.Unparen(call.Fun)
	}
	sel, ok := x.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if !slices.Contains(fields, strings.TrimPrefix(sel.Sel.Name, "Get")) {
		return false
	}
	t := p.Info.TypeOf(sel.X)
	if t == nil {
		return false
	}
	if scan.TypeName(t) == "k8s.io/apimachinery/pkg/apis/meta/v1.ObjectMeta" {
		return true
	}
	if _, pointer := t.Underlying().(*types.Pointer); !pointer && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	return hasMethod(t, "GetName", 0) && hasMethod(t, "GetUID", 0)
}

// wrongType is EV527.
func wrongType(c *checker, s *scan.Site) {
	for _, text := range s.Type.Alternatives {
		t, constant := text.Constant()
		if !constant || t == "Normal" || t == "Warning" || t == "" && !s.Type.Closed() {
			continue
		}
		if r, ok := s.Reason.Constant(); ok && (r == "Normal" || r == "Warning") {
			c.report(at(s, s.Type), callrules.WrongType, "type and reason are swapped: the type is %q and the reason %q", t, r)
			continue
		}
		if ofOtherModule(s, text.Const) {
			continue
		}
		c.reportValue(s, typeOf, callrules.WrongType, "the type is Normal or Warning, not %q: the recorder drops the event", t)
	}
}

// failureAsNormal is EV535.
func failureAsNormal(c *checker, s *scan.Site) {
	for _, text := range s.Reason.Alternatives {
		reason, constant := text.Constant()
		kind, one := scan.Value{Alternatives: s.Type.Along(text)}.Constant()
		if constant && one && kind == "Normal" && c.surelyOf(s) && spell.Outcome(reason) == "Warning" {
			c.report(at(s, s.Reason), callrules.FailureAsNormal, "the reason %s reads as a failure, and the event is Normal; record it as Warning, or give another reason", reason)
		}
	}
}

// ofOtherModule reports whether a third module, neither the site's nor Kubernetes', declares a type
// of events. The recorders of such a module take more types than client-go's, and translate them to
// Normal or Warning.
func ofOtherModule(s *scan.Site, k *types.Const) bool {
	if k == nil || k.Pkg() == nil || s.Package.Module == "" {
		return false
	}
	path := scan.RealPath(k.Pkg().Path())
	return path != s.Package.Module && !strings.HasPrefix(path, s.Package.Module+"/") && !strings.HasPrefix(path, "k8s.io/")
}

var errorInterface = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

func isError(t types.Type) bool {
	return t != nil && (types.Implements(t, errorInterface) || types.Identical(t, types.Universe.Lookup("error").Type()))
}

// name returns the name of a part of a text in messages.
func name(p scan.Part) string {
	if p.Expr == nil {
		return "argument"
	}
	return shortened(types.ExprString(p.Expr))
}

// shortened cuts a long text, between two characters.
func shortened(text string) string {
	if len(text) > 60 {
		text = strings.ToValidUTF8(text[:57], "") + "..."
	}
	return text
}
