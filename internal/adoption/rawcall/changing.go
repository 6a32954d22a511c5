package rawcall

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"time"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// change is the cause of a text that is new each time. The zero change means that the text may stay
// the same.
type change struct {
	what string
	// from is the expression that gives another value each time, if it is known.
	from ast.Expr
	// sometimes: the value has others too, which need not be new.
	sometimes bool
}

// surer returns the first change that always holds, or else the first.
func surer(changes ...change) (found change) {
	for _, c := range changes {
		if c.what != "" && (found.what == "" || found.sometimes && !c.sometimes) {
			found = c
		}
	}
	return found
}

// changingText is EV518.
func changingText(c *checker, s *scan.Site) {
	var found change
	var shown scan.Part
	every := true
	for _, text := range s.Message.Alternatives {
		ch, p := c.changingPart(s, text)
		every = every && ch.what != ""
		if found.what == "" {
			found, shown = ch, p
		}
	}
	if found.what != "" {
		c.reportChange(at(s, s.Message), found, name(shown), every)
	}
}

// changingPart returns the part of a text that changes most surely.
func (c *checker) changingPart(s *scan.Site, text scan.Text) (found change, shown scan.Part) {
	for _, p := range text.Args() {
		if ch := c.changing(s, p); surer(found, ch) != found {
			found, shown = ch, p
		}
	}
	return found, shown
}

// reportChange reports the changing part, its place if that is not the call, and the condition.
func (c *checker) reportChange(pos token.Pos, found change, shown string, every bool) {
	from := ""
	if found.from != nil && c.Fset.Position(found.from.Pos()).Line != c.Fset.Position(pos).Line {
		from = fmt.Sprintf(" (%s at %s)", short(found.from), c.Where(found.from.Pos()))
		if short(found.from) == shown {
			from = fmt.Sprintf(" (at %s)", c.Where(found.from.Pos()))
		}
	}
	who, then := "the message shows", "each occurrence is an event of its own"
	if !every {
		who, then = "one of the messages shows", "each occurrence with it is an event of its own"
	}
	what := found.what
	if found.sometimes {
		what, then = "which can be "+what, "each occurrence with it is an event of its own"
	}
	c.report(pos, callrules.ChangingText, "%s %s, %s%s, so that %s; leave it out, or log it", who, shown, what, from, then)
}

// changing returns the cause if the text of a part is new each time.
func (c *checker) changing(s *scan.Site, p scan.Part) change {
	if p.Expr == nil || strings.HasSuffix(p.Verb, "T") {
		return change{}
	}
	if strings.HasSuffix(p.Verb, "p") {
		return change{what: "an address in memory", from: p.Expr}
	}
	in := declaration{info: p.Info}
	if p.Info == s.Package.Info {
		in.FuncDecl = s.Func
	}
	if found := c.changingValue(in, p.Expr, 0); found.what != "" {
		return found
	}
	switch {
	case p.Type == nil || !strings.HasSuffix(p.Verb, "v") || formatsItself(p.Type):
	case isAddress(p.Type):
		return change{what: "an address in memory", from: p.Expr}
	case showsAddress(p.Type, 0):
		return change{what: "whose fields hold addresses", from: p.Expr}
	}
	return change{}
}

func formatsItself(t types.Type) bool {
	return isStringer(t) || isError(t) || hasMethod(t, "Format", 2)
}

// changingValue follows variables that are written once, methods of changing values, results of
// functions, concatenated texts, and literals that fmt shows. No boolean is new each time.
func (c *checker) changingValue(in declaration, x ast.Expr, depth int) (found change) {
	if in.info == nil || depth > deepestHelper || isBoolean(in.info.TypeOf(x)) {
		return change{}
	}
	if lit, _ := literalOf(in.info, x); lit != nil {
		if t := in.info.TypeOf(x); formatsItself(t) && !isTime(t) {
			return change{}
		}
		for _, element := range lit.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				element = pair.Value
			}
			found = surer(found, c.changingValue(in, element, depth+1))
		}
		return found
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		if value := in.only(scan.Variable(in.info, x)); value != nil {
			return c.changingValue(in, value, depth+1)
		}
	case *ast.SelectorExpr:
		if x.Sel.Name == "ResourceVersion" {
			return change{what: aVersion, from: x}
		}
	case *ast.BinaryExpr:
		return surer(c.changingValue(in, x.X, depth), c.changingValue(in, x.Y, depth))
	case *ast.CallExpr:
		return c.changingCall(in, x, depth)
	}
	return change{}
}

const aVersion = "a resource version"

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
func (c *checker) changingCall(in declaration, call *ast.CallExpr, depth int) change {
	called := calleeName(in.info, call)
	if what := clocks[called]; what != "" {
		return change{what: what, from: call}
	}
	if called == "fmt.Sprintf" || called == "fmt.Sprint" {
		var found change
		for _, arg := range call.Args {
			found = surer(found, c.changingValue(in, arg, depth+1))
		}
		return found
	}
	x, name := selected(call)
	if name == "GetResourceVersion" {
		return change{what: aVersion, from: call}
	}
	if helper, ok := c.helper(in.info, call); ok {
		return c.changingResult(helper, depth+1)
	}
	if x != nil && isTime(in.info.TypeOf(x)) && !isCoarse(in.info, call, name) {
		return c.changingValue(in, x, depth+1)
	}
	return change{}
}

// isCoarse reports whether a method of a time returns the same text for an hour or longer.
func isCoarse(info *types.Info, call *ast.CallExpr, method string) bool {
	switch method {
	case "Year", "YearDay", "Month", "Weekday", "Day", "Hour", "Location":
		return true
	case "Truncate", "Round":
		step := info.Types[call.Args[0]].Value
		return step != nil && constant.Compare(step, token.GEQ, constant.MakeInt64(int64(time.Hour)))
	case "Format":
		layout, ok := scan.ConstantText(info, call.Args[0])
		return ok && !strings.ContainsAny(layout, "45") // neither minutes nor seconds
	}
	return false
}

func isBoolean(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// changingResult returns how the result of a function changes. If not all of the function's return
// statements change, the result changes sometimes.
func (c *checker) changingResult(helper declaration, depth int) (found change) {
	every := true
	ast.Inspect(helper.Body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok {
			var one change
			if len(r.Results) == 1 {
				one = c.changingValue(helper, r.Results[0], depth)
			}
			every = every && one.what != "" && !one.sometimes
			if found.what == "" {
				found = one
			}
		}
		_, literal := n.(*ast.FuncLit)
		return !literal
	})
	found.sometimes = found.what != "" && !every
	return found
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

// isAddress reports whether %v shows a value as an address: a channel, or a pointer whose target
// fmt does not show.
func isAddress(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return true
	case *types.Pointer:
		switch u.Elem().Underlying().(type) {
		case *types.Basic, *types.Pointer, *types.Chan, *types.Signature:
			return true
		}
	}
	return false
}

// showsAddress reports whether %v of a value shows addresses in memory: fmt follows only a pointer
// at the top. A function at the top is EV514.
func showsAddress(t types.Type, depth int) bool {
	if depth > 0 && formatsItself(t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return depth > 0 || showsAddress(u.Elem(), depth+1)
	case *types.Chan, *types.Signature:
		return depth > 0
	case *types.Struct:
		return depth < deepest && slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool { return showsAddress(f.Type(), depth+1) })
	case *types.Slice:
		return depth < deepest && showsAddress(u.Elem(), depth+1)
	case *types.Map:
		return depth < deepest && showsAddress(u.Elem(), depth+1)
	}
	return false
}
