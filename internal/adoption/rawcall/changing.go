package rawcall

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// deepestHelper bounds how far EV518 looks into values, and functions that functions call.
const deepestHelper = 3

// scope is code in which values are looked up.
type scope struct {
	site *scan.Site
	info *types.Info
	body *ast.BlockStmt // nil: unknown
}

// clocks are functions that give another text each time, and what they give.
var clocks = map[string]string{
	"time.Now":   "the time",
	"time.Since": "a time that has passed",
	"time.Until": "a time to come",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Now": "the time",
	"github.com/google/uuid.New":               "a random text",
	"github.com/google/uuid.NewString":         "a random text",
	"math/rand.Int":                            "a random number",
	"math/rand.Intn":                           "a random number",
	"math/rand/v2.Int":                         "a random number",
	"math/rand/v2.IntN":                        "a random number",
	"crypto/rand.Text":                         "a random text",
	"maps.Keys":                                inRandomOrder,
	"maps.Values":                              inRandomOrder,
	"golang.org/x/exp/maps.Keys":               inRandomOrder,
	"UnsortedList":                             inRandomOrder, // of any set
}

const inRandomOrder = "in another order each time"

// showing are functions that keep the order of their arguments. adds matches functions that add to
// a list or a text, and keeps those that sort no list.
var (
	showing = []string{"fmt.Sprintf", "fmt.Sprint", "strings.Join", "slices.Collect"}
	adds    = regexp.MustCompile(`^append$|\.(Fprintf|Fprint|WriteString)$`)
	keeps   = regexp.MustCompile(`^(append|len)$|\.(Join|Sprintf?|(Annotated)?Eventf?|Infof?|Errorf?)$`)
)

// changingText is EV518.
func changingText(c *checker, s *scan.Site) {
	for _, text := range s.Message.Alternatives {
		for _, p := range text.Args() {
			in := scope{site: s, info: p.Info}
			if p.Info == s.Package.Info && s.Func != nil {
				in.body = s.Func.Body
			}
			if p.Expr == nil || p.Info == nil || strings.HasSuffix(p.Verb, "T") {
				continue
			}
			if call, what := in.clock(p.Expr, 0); call != nil {
				c.reportChange(s, p, call, what)
				return
			}
		}
	}
}

func (c *checker) reportChange(s *scan.Site, p scan.Part, call ast.Expr, what string) {
	pos := at(s, s.Message)
	from := ""
	if c.Fset.Position(call.Pos()).Line != c.Fset.Position(pos).Line {
		from = fmt.Sprintf(" (%s at %s)", short(call), c.Where(call.Pos()))
	}
	then := "each new text is an event of its own"
	if s.Shape.API == scan.Events {
		then = "client-go counts all occurrences in one event with the first note, and event-gen's recorder makes an event of each text"
	}
	who := "the message shows"
	if len(s.Message.Alternatives) > 1 {
		who = "one of the messages shows"
	}
	advice := map[bool]string{true: "sort it", false: "leave it out, or log it"}[strings.HasSuffix(what, inRandomOrder)]
	c.report(pos, callrules.ChangingText, "%s %s, %s%s; %s; %s", who, name(p), what, from, then, advice)
}

// clock returns the call by which an expression is another text each time: the expression itself,
// the value of a variable that is written once, what a variable collects from a map, a method of a
// time, a part of a text, or a result of a function.
func (in scope) clock(x ast.Expr, depth int) (found ast.Expr, what string) {
	if depth > deepestHelper || isBoolean(in.info.TypeOf(x)) {
		return nil, ""
	}
	var parts []ast.Expr
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		v := scan.Variable(in.info, x)
		added, sorted := in.order(v)
		if sorted {
			return nil, ""
		} else if added != nil {
			return added, inRandomOrder
		}
		parts = append(parts, in.site.OnlyValue(v))
	case *ast.BinaryExpr:
		parts = append(parts, x.X, x.Y)
	case *ast.CallExpr:
		called := calleeName(in.info, x)
		of, method := selected(x)
		if what = cmp.Or(clocks[called], clocks[method]); what != "" {
			return x, what
		}
		if body, info := in.site.Body(scan.Callee(in.info, x)); body != nil {
			return scope{in.site, info, body}.clockOfResults(depth + 1)
		} else if slices.Contains(showing, called) || in.info.Types[x.Fun].IsType() {
			parts = x.Args
		} else if of != nil && (isTime(in.info.TypeOf(of)) && !isCoarse(in.info, x) || called == "(*strings.Builder).String") {
			parts = append(parts, of)
		}
	}
	for _, part := range parts {
		if part != nil && found == nil {
			found, what = in.clock(part, depth+1)
		}
	}
	return found, what
}

// isTime reports whether a type is a time, a duration or a random id, whose methods show it.
func isTime(t types.Type) bool {
	return t != nil && slices.Contains([]string{"time.Time", "time.Duration", "k8s.io/apimachinery/pkg/apis/meta/v1.Time", "github.com/google/uuid.UUID"}, scan.TypeName(scan.Deref(t)))
}

// sometimes begins the description of a text that can also stay the same.
const sometimes = "which can be "

// clockOfResults returns a call in a result of a function that gives another text each time, and
// says if other results have none.
func (in scope) clockOfResults(depth int) (found ast.Expr, what string) {
	every := true
	ast.Inspect(in.body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok {
			var one ast.Expr
			is := ""
			if len(r.Results) == 1 {
				one, is = in.clock(r.Results[0], depth)
			}
			found, what, every = cmp.Or(found, one), cmp.Or(what, is), every && one != nil
		}
		_, literal := n.(*ast.FuncLit)
		return !literal
	})
	if !every && found != nil && !strings.HasPrefix(what, sometimes) {
		what = sometimes + what
	}
	return found, what
}

// isCoarse reports whether a method of a time returns the same text for an hour or longer, as far
// as that is known.
func isCoarse(info *types.Info, call *ast.CallExpr) bool {
	switch _, method := selected(call); method {
	case "Format":
		layout, ok := scan.ConstantText(info, call.Args[0])
		return ok && !strings.ContainsAny(layout, "45") // neither minutes nor seconds
	case "Truncate", "Round":
		step := info.Types[call.Args[0]].Value
		return step != nil && constant.Compare(step, token.GEQ, constant.MakeInt64(int64(time.Hour)))
	case "Year", "YearDay", "Month", "Weekday", "Day", "Hour", "Location":
		return true
	}
	return false
}

// order returns what a loop over a map adds to a local list or text, and whether a call may sort
// the list.
func (in scope) order(v *types.Var) (added ast.Expr, sorted bool) {
	if !scan.IsLocal(v) || in.body == nil {
		return nil, false
	}
	_, list := v.Type().Underlying().(*types.Slice)
	for n := range ast.Preorder(in.body) {
		switch n := n.(type) {
		case *ast.CallExpr:
			of, _ := selected(n)
			given := slices.ContainsFunc(append(slices.Clone(n.Args), of), func(x ast.Expr) bool { return in.means(x, v) })
			sorted = sorted || list && given && !keeps.MatchString(types.ExprString(n.Fun))
		case *ast.RangeStmt:
			if t := in.info.TypeOf(n.X); t != nil && v.Pos() < n.Pos() && added == nil {
				if _, ok := t.Underlying().(*types.Map); ok {
					added = in.added(n.Body, v)
				}
			}
		}
	}
	return added, sorted
}

// added returns the last text that is not constant and that code adds to a list or a text.
func (in scope) added(loop ast.Node, v *types.Var) (found ast.Expr) {
	for n := range ast.Preorder(loop) {
		var last ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.ADD_ASSIGN && scan.IsString(v.Type()) && in.means(n.Lhs[0], v) {
				last = n.Rhs[0]
			}
		case *ast.CallExpr:
			to, name := selected(n)
			if name != "WriteString" && len(n.Args) > 0 {
				to = n.Args[0]
			}
			if len(n.Args) > 0 && in.means(to, v) && adds.MatchString(types.ExprString(n.Fun)) {
				last = n.Args[len(n.Args)-1]
			}
		}
		if last != nil && in.info.Types[last].Value == nil {
			found = last
		}
	}
	return found
}

// means reports whether an expression is a variable or its address. It accepts nil.
func (in scope) means(x ast.Expr, v *types.Var) bool {
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.AND {
		x = u.X
	}
	id, _ := ast.Unparen(x).(*ast.Ident)
	return id != nil && in.info.Uses[id] == v
}

func isBoolean(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}
