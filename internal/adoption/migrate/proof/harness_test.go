package proof

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// valuesPackage is the package of testdata/values, type-checked once.
var valuesPackage = sync.OnceValue(func() *packages.Package {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedImports},
		"./testdata/values")
	if err != nil || len(pkgs) != 1 || len(pkgs[0].Errors) > 0 {
		panic("testdata/values can't be loaded")
	}
	return pkgs[0]
})

// reader reads expressions as they would stand in the package of testdata/values.
type reader struct {
	t    testing.TB
	info *types.Info
}

func newReader(t testing.TB) *reader {
	return &reader{t: t, info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Defs: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{},
	}}
}

func (r *reader) expr(text string) ast.Expr {
	r.t.Helper()
	x, err := parser.ParseExpr(text)
	if err == nil {
		pkg := valuesPackage()
		err = types.CheckExpr(token.NewFileSet(), pkg.Types, pkg.Syntax[0].End()-1, x, r.info)
	}
	if err != nil {
		r.t.Fatalf("%s: %v", text, err)
	}
	return x
}

// part is an argument with a verb; x.Error() and x.String() are split.
func (r *reader) part(verb, text string) Part {
	r.t.Helper()
	x := r.expr(text)
	p := Part{Expr: x, Type: r.info.TypeOf(x), Verb: verb}
	for _, method := range []string{"Error", "String"} {
		if strings.HasSuffix(text, "."+method+"()") {
			p.Expr, p.Method = x.(*ast.CallExpr).Fun.(*ast.SelectorExpr).X, method
			p.Type = r.info.TypeOf(p.Expr)
		}
	}
	return p
}

// text reads alternating literal text and arguments: "Cannot scale: ", "%v Err".
func (r *reader) text(pieces ...string) []Part {
	r.t.Helper()
	var out []Part
	for _, piece := range pieces {
		verb, expr, found := strings.Cut(piece, " ")
		if found && strings.HasPrefix(verb, "%") {
			out = append(out, r.part(verb, expr))
		} else {
			out = append(out, Part{Literal: piece})
		}
	}
	return out
}

// object is an object of a call.
func (r *reader) object(text string) Object {
	x := r.expr(text)
	return Object{Expr: x, Type: r.info.TypeOf(x)}
}

// formats marks text that is used as a format.
func formats(parts []Part) []Part {
	for i := range parts {
		parts[i].Formats = parts[i].Expr != nil
	}
	return parts
}

// site is a call about Pod in the record API.
func (r *reader) site(text []Part) *RawCall {
	return &RawCall{
		API: Record, Method: "Eventf", Identities: []Identity{{Reason: "Failed", Type: "Warning"}},
		Regarding: r.object("Pod"), Text: text, Info: r.info,
	}
}

const header = `apiVersion: event-gen.github.io/v1alpha1
kind: EventCatalog
spec:
  reportingController: example.com/test
  go: {package: testevents}
  objects: {Pod: v1, Node: v1, Object: {type: any}}
  events:
`

// entry is the model of one entry in YAML.
func entry(t testing.TB, text string) *model.Event {
	t.Helper()
	e, findings := built(t, text)
	if e == nil {
		t.Fatalf("%v\n%s", findings, text)
	}
	return e
}

// built is the model of one entry in YAML; nil if it has errors.
func built(t testing.TB, text string) (*model.Event, diag.Findings) {
	t.Helper()
	text = header + "  - " + strings.TrimSpace(text) + "\n"
	catalogs, findings := catalog.Read("catalog.yaml", strings.NewReader(text))
	set, more := model.Build(t.Context(), catalogs, model.Options{Dir: t.TempDir(), Resolve: model.ResolveNever, Baseline: true})
	if findings = append(findings, more...); findings.HasErrors() {
		return nil, findings
	}
	return set.Packages[0].Events[0], nil
}
