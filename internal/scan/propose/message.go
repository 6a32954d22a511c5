package propose

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/event-gen/event-gen/internal/model/wellknown"
	"github.com/event-gen/event-gen/internal/scan"
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
		e.Params, e.Message = []*Param{{Name: "text", Type: "string", Precision: -1}}, "{text}"
	}
}

// literal is text in a template: braces are doubled, and what breaks lines becomes a space.
func literal(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	return strings.NewReplacer("{", "{{", "}", "}}").Replace(s)
}

// place is the placeholder of an argument: a part of one of the objects, or a param.
func (f *finder) place(e *Event, s *scan.Site, p scan.Part, related string, names naming) string {
	if p.Plain() {
		if of, part := partOf(p.Expr); of != "" && part != "" {
			switch {
			case of == written(s.Regarding.Expr) && s.Regarding.Info == p.Info:
				return "regarding." + part
			case of == related && part != "uid":
				return "related." + part
			}
		}
	}
	param := f.param(p)
	if names.clash[param.Name] {
		param.Name = ownedName(p.Expr, param.Name)
	}
	text := param.Name + param.Type + param.options()
	if param.Type == "string" && !p.Plain() && !param.Quote {
		text += p.Verb // the caller formats it
	}
	expr := types.ExprString(p.Expr)
	if known := names.given[expr+text]; known != "" && p.Info != nil && scan.Pure(p.Info, p.Expr) {
		return known // what may give another value each time is an argument of its own
	}
	param.Name = e.free(param.Name)
	names.given[expr+text] = param.Name
	e.Params = append(e.Params, param)
	return param.Name
}

// written is an object as text, without the & that makes it a pointer.
func written(x ast.Expr) string {
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
	x = ast.Unparen(x)
	if c, ok := x.(*ast.CallExpr); ok && len(c.Args) == 0 {
		x = c.Fun
	}
	sel, ok := x.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	part, ok = map[string]string{
		"Name": "name", "GetName": "name", "Namespace": "namespace", "GetNamespace": "namespace", "UID": "uid", "GetUID": "uid",
	}[sel.Sel.Name]
	if !ok {
		return "", ""
	}
	of := ast.Unparen(sel.X)
	if meta, ok := of.(*ast.SelectorExpr); ok && meta.Sel.Name == "ObjectMeta" {
		of = meta.X
	}
	return types.ExprString(of), part
}

// relatedOf is the object, as text, that becomes the event's related one: that of the call, or in the record API, which has none,
// the one object whose name the text shows.
func (f *finder) relatedOf(e *Event, s *scan.Site, text scan.Text) string {
	if s.Related.Expr != nil {
		if s.Related.Nil || len(s.Related.Types) == 0 {
			return ""
		}
		e.Related = f.alias(s.Related.Types[0])
		if len(s.Related.Types) > 1 || isInterface(s.Related) {
			e.Related = f.any()
		}
		return written(s.Related.Expr)
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
		if part == "" || of == written(s.Regarding.Expr) {
			continue
		}
		t := objectType(p)
		if t == nil {
			continue
		}
		if a := f.alias(t); a != anyObject && part == "name" && p.Plain() {
			alias = a
			if !slices.Contains(objects, of) {
				objects = append(objects, of)
			}
		}
	}
	if len(objects) != 1 {
		return ""
	}
	e.Related = alias
	return objects[0]
}

// objectType is the type of the object whose part an expression is; nil if that is no API object.
func objectType(p scan.Part) types.Type {
	x := ast.Unparen(p.Expr)
	if c, ok := x.(*ast.CallExpr); ok {
		x = c.Fun
	}
	sel, ok := x.(*ast.SelectorExpr)
	if !ok || p.Info == nil {
		return nil
	}
	of := ast.Unparen(sel.X)
	if meta, ok := of.(*ast.SelectorExpr); ok && meta.Sel.Name == "ObjectMeta" {
		of = meta.X
	}
	t := p.Info.TypeOf(of)
	if t == nil {
		return nil
	}
	if named, ok := types.Unalias(pointee(t)).(*types.Named); ok && !types.IsInterface(named) && named.Obj().Pkg() != nil && isObject(named) {
		return t
	}
	return nil
}

var precise = regexp.MustCompile(`^%\.([0-9]+)f$`)

// param is the param of an argument. Where no type of the catalog shows a value as the verb does, the caller formats it, and
// the param is a string.
func (f *finder) param(p scan.Part) *Param {
	out := &Param{Name: paramName(p.Expr, p.Info), Type: "string", Precision: -1}
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
		return f.text(out, p)
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

// text chooses the type of a string: a name or a namespace of an object has its bound.
func (f *finder) text(out *Param, p scan.Part) *Param {
	if _, part := partOf(p.Expr); part == "name" || part == "namespace" {
		out.Type = part
	}
	return out
}

// basicName is the predeclared type that a type is; empty for named types with methods of their own.
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

// structured chooses the types that the catalog has beside those of Go.
func (f *finder) structured(out *Param, p scan.Part) {
	if isError(p.Type) {
		out.Type = "error"
		return
	}
	switch name := scan.TypeName(p.Type); {
	case name == "time.Duration":
		out.Type = "duration"
	case name == "k8s.io/apimachinery/pkg/types.UID":
		out.Type = "uid"
	case name == "k8s.io/apimachinery/pkg/types.NamespacedName":
		out.Type = "namespacedName"
	default:
		f.namedString(out, p)
	}
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
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
