package propose

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog/model/wellknown"
)

// message turns a text into a template with params.
func (f *finder) message(e *Event, s *scan.Site, text scan.Text) {
	e.Params = nil
	related := f.relatedOf(e, s, text)
	var b strings.Builder
	names := newNaming(text)
	for _, p := range text.Parts {
		if p.Expr == nil {
			b.WriteString(literal(p.Literal))
			continue
		}
		b.WriteString("{" + f.place(e, s, p, related, names) + "}")
	}
	if e.Message = b.String(); e.Message == "" {
		f.left(s, "message: it is empty [EV537]")
	}
}

// literal returns text for a template. It doubles braces, and replaces control characters by
// spaces.
func literal(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	return strings.NewReplacer("{", "{{", "}", "}}").Replace(s)
}

// place returns the placeholder of an argument: a part of one of the objects, or a param.
func (f *finder) place(e *Event, s *scan.Site, p scan.Part, related string, names naming) string {
	if p.Plain() {
		if of, part := partOf(p.Expr); of != "" && part != "" {
			switch {
			case of == objectText(s.Regarding.Expr) && s.Regarding.Info == p.Info && rooted(s.Regarding.Expr, p) == rooted(p.Expr, p):
				return "regarding." + part
			case of == related && part != "uid":
				return "related." + part
			}
		}
	}
	param := f.param(p, names.errors == 1)
	if names.clash[param.Name] {
		param.Name = ownedName(p.Expr, param.Name)
	}
	text := param.Name + param.Type + param.options()
	if param.Type == "string" && !p.Plain() && !param.Quote {
		text += p.Verb // the caller formats it
	}
	expr := types.ExprString(p.Expr)
	if known := names.given[expr+text]; known != "" && p.Info != nil && scan.Pure(p.Info, p.Expr) {
		return known // an expression that may change its value is an argument of its own
	}
	param.Name = e.free(param.Name)
	names.given[expr+text] = param.Name
	e.Params = append(e.Params, param)
	return param.Name
}

// rooted returns the variable that an expression starts with, or nil. Two functions can each have a
// variable of the same name.
func rooted(x ast.Expr, p scan.Part) *types.Var {
	for n := range ast.Preorder(x) {
		if id, ok := n.(*ast.Ident); ok {
			return scan.Variable(p.Info, id)
		}
	}
	return nil
}

// objectText returns an object as text, without the & that makes it a pointer.
func objectText(x ast.Expr) string {
	if x == nil {
		return ""
	}
	if u, ok := ast.Unparen(x).(*ast.UnaryExpr); ok {
		x = u.X
	}
	return types.ExprString(ast.Unparen(x))
}

// partOf splits an expression that is an object's name, namespace or UID.
func partOf(x ast.Expr) (object, part string) {
	of, name := selected(x)
	part, ok := map[string]string{
		"Name": "name", "GetName": "name", "Namespace": "namespace", "GetNamespace": "namespace", "UID": "uid", "GetUID": "uid",
	}[name]
	if !ok {
		return "", ""
	}
	return types.ExprString(of), part
}

// selected returns x and y of x.y and x.y(), without the ObjectMeta in x.ObjectMeta.y. It returns
// nothing for other expressions.
func selected(x ast.Expr) (of ast.Expr, name string) {
	x = ast.Unparen(x)
	if c, ok := x.(*ast.CallExpr); ok && len(c.Args) == 0 {
		x = c.Fun
	}
	if sel, ok := x.(*ast.SelectorExpr); ok {
		return withoutMeta(sel.X), sel.Sel.Name
	}
	return nil, ""
}

// withoutMeta returns x of x.ObjectMeta, and other expressions without their parentheses.
func withoutMeta(x ast.Expr) ast.Expr {
	x = ast.Unparen(x)
	if meta, ok := x.(*ast.SelectorExpr); ok && meta.Sel.Name == "ObjectMeta" {
		return meta.X
	}
	return x
}

// relatedOf returns the event's related object, as text: the call's related object. The record API
// has none; there it is the only object whose name the text shows.
func (f *finder) relatedOf(e *Event, s *scan.Site, text scan.Text) string {
	if s.Related.Expr != nil {
		if s.Related.Nil || len(s.Related.Types) == 0 {
			return ""
		}
		e.Related = f.alias(s.Related.Types[0])
		if len(s.Related.Types) > 1 || isInterface(s.Related) {
			e.Related = f.any()
		}
		return objectText(s.Related.Expr)
	}
	if s.Shape.API == scan.Events {
		return ""
	}
	var objects []string
	alias := ""
	for _, p := range text.Parts {
		if p.Expr == nil {
			continue
		}
		of, part := partOf(p.Expr)
		if part == "" || of == objectText(s.Regarding.Expr) {
			continue
		}
		t := objectType(p)
		if t == nil {
			continue
		}
		if a := f.alias(t); a != anyObject && part == "name" && p.Plain() {
			alias, objects = a, union(objects, of)
		}
	}
	if len(objects) != 1 {
		return ""
	}
	e.Related = alias
	return objects[0]
}

// objectType returns the type of the API object whose name, namespace or UID an expression is, or
// nil.
func objectType(p scan.Part) types.Type {
	of, _ := selected(p.Expr)
	if of == nil || p.Info == nil {
		return nil
	}
	t := p.Info.TypeOf(of)
	if named, ok := types.Unalias(scan.Deref(t)).(*types.Named); ok && !types.IsInterface(named) && named.Obj().Pkg() != nil && isObject(named) {
		return t
	}
	return nil
}

var precise = regexp.MustCompile(`^%\.([0-9]+)f$`)

// param returns the param of an argument. If no type of the catalog shows a value as the verb does,
// the caller formats the value, and the param is a string.
func (f *finder) param(p scan.Part, onlyError bool) *Param {
	if p.Verb == "%w" {
		p.Verb = "%v" // the value that it was meant to show
	}
	out := &Param{Name: nameOf(p, onlyError), Type: "string", Precision: -1}
	if p.Type == nil {
		return out
	}
	if m := precise.FindStringSubmatch(p.Verb); m != nil && basicName(p.Type) == "float64" {
		if n, err := strconv.Atoi(m[1]); err == nil && n <= 64 {
			out.Type, out.Precision = "float64", n
		}
		return out
	}
	if p.Verb == "%q" {
		out.Quote = scan.IsString(p.Type) && !hasMethods(p.Type)
		return out
	}
	switch basic := basicName(p.Type); {
	case basic == "string" && p.Plain():
		// which have their bounds
		if _, part := partOf(p.Expr); part == "name" || part == "namespace" {
			out.Type = part
		}
		return out
	case p.Verb == "%d" || p.Verb == "%v":
		if slices.Contains([]string{"int", "int32", "int64", "uint32"}, basic) {
			out.Type = basic
		}
		if basic == "bool" && p.Verb == "%v" {
			out.Type = "bool"
		}
	case p.Verb == "%t" && basic == "bool":
		out.Type = "bool"
	}
	if out.Type == "string" && p.Plain() {
		f.structured(out, p)
	}
	return out
}

// basicName returns the name of a predeclared type, or "" for other types.
func basicName(t types.Type) string {
	if b, ok := types.Unalias(t).(*types.Basic); ok {
		return b.Name()
	}
	return ""
}

func hasMethods(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.NumMethods() > 0
}

// structured chooses among the catalog's types that are not predeclared in Go.
func (f *finder) structured(out *Param, p scan.Part) {
	if known := structuredTypes[scan.TypeName(p.Type)]; known != "" {
		out.Type = known
	} else {
		f.namedString(out, p)
	}
}

var structuredTypes = map[string]string{
	"error": "error", "time.Duration": "duration",
	"k8s.io/apimachinery/pkg/types.UID": "uid", "k8s.io/apimachinery/pkg/types.NamespacedName": "namespacedName",
}

// namedString keeps the types of text that k8s.io/api declares.
func (f *finder) namedString(out *Param, p scan.Part) {
	named, ok := types.Unalias(p.Type).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return
	}
	importPath := scan.RealPath(named.Obj().Pkg().Path())
	if !wellknown.IsString(importPath, named.Obj().Name()) || hasMethods(named) {
		return
	}
	for alias, known := range wellknown.Imports() {
		if known == importPath {
			out.Type = alias + "." + named.Obj().Name()
		}
	}
}
