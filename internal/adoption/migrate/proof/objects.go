package proof

import (
	"go/ast"
	"go/token"
	"go/types"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// relatable decides the related object if the API has one. In the record API the text may show it.
func (p *prover) relatable() bool {
	given, declared := p.site.Related, p.event.Related
	if declared != nil && declared.ByName {
		return p.fail(RelatedDiffers, "The entry takes the name of its related object, and the raw call has the object.")
	}
	if p.site.API == Record {
		return true
	}
	switch {
	case declared == nil && given.Expr != nil && !given.Nil:
		return p.fail(RelatedDiffers, "The raw call has a related object, and the entry has none.")
	case declared == nil, given.Expr == nil, given.Nil:
		return true
	case !declared.Object.Any && !isType(given.Type, declared.Object.GoType):
		return p.fail(RelatedDiffers, "The related object is a "+typeString(given.Type)+"; the entry's is a "+declared.Object.Alias+".")
	}
	return true
}

// relatedArgument returns the related object of the typed call.
func (p *prover) relatedArgument() Argument {
	switch {
	case p.event.Related == nil:
		return Argument{}
	case p.site.API == Record, p.site.Related.Expr == nil, p.site.Related.Nil:
		return Argument{How: Nil}
	}
	return Argument{How: Pass, Expr: p.site.Related.Expr}
}

// parts of objects, by field and by method.
var objectParts = map[string]eventrt.Value{
	"Name": eventrt.RegardingName, "GetName": eventrt.RegardingName,
	"Namespace": eventrt.RegardingNamespace, "GetNamespace": eventrt.RegardingNamespace,
	"UID": eventrt.RegardingUID, "GetUID": eventrt.RegardingUID,
}

// object matches a placeholder of an object with an argument that is the same part of the same
// object.
func (m *aligner) object(e, part, offset int) bool {
	if part >= len(m.parts) || offset > 0 || m.parts[part].Expr == nil {
		return false
	}
	p, value := m.parts[part], m.elements[e].value
	x, shows := m.objectPart(p)
	if x == nil || p.Moved || m.site.Late {
		return false
	}
	name := "regarding."
	switch {
	case value < eventrt.RelatedName && value == shows:
		if !m.same(x, m.site.Regarding.Expr) {
			return false
		}
	case value-eventrt.RelatedName == shows-eventrt.RegardingName:
		name = "related."
		if !m.relates(x) {
			return false
		}
	default:
		return false
	}
	name += map[eventrt.Value]string{eventrt.RegardingName: "name", eventrt.RegardingNamespace: "namespace", eventrt.RegardingUID: "uid"}[shows]
	m.differs(name, textCauses...)
	if p.Formats {
		m.differs(name, Percent)
	}
	return m.match(e+1, part+1, 0)
}

// relates reports whether an object is the related one. In the record API, the first object in the
// text becomes the related one.
func (m *aligner) relates(x ast.Expr) bool {
	if m.site.API == Events {
		return m.site.Related.Expr != nil && m.same(x, m.site.Related.Expr)
	}
	a, ok := m.asRelated(x)
	if !ok || m.related.How != None && !sameArgument(m.related, a) {
		return false
	}
	m.related = a
	return true
}

// asRelated returns an object, or its address, as the related object of the typed call.
func (m *aligner) asRelated(x ast.Expr) (Argument, bool) {
	want := m.event.Related.Object
	t := m.typeOf(x)
	switch {
	case t == nil || want.Any && !isPointer(t):
		return Argument{}, false
	case want.Any || isType(t, want.GoType):
		return Argument{How: Pass, Expr: x}, true
	}
	return Argument{How: Address, Expr: x}, isType(types.NewPointer(t), want.GoType) && m.site.Info.Types[x].Addressable()
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func (p *prover) typeOf(x ast.Expr) types.Type {
	if p.site.Info == nil {
		return nil
	}
	return p.site.Info.TypeOf(x)
}

// objectPart splits obj.Name, obj.ObjectMeta.Name and obj.GetName(), if field and method mean the
// object's metadata.
func (m *aligner) objectPart(p Part) (object ast.Expr, shows eventrt.Value) {
	if m.site.Info == nil || !isPlain(p.Verb) || p.Method != "" || len(p.Args) > 0 {
		return nil, 0
	}
	x := ast.Unparen(p.Expr)
	if c, ok := x.(*ast.CallExpr); ok && len(c.Args) == 0 {
		x = ast.Unparen(c.Fun)
	}
	sel, ok := x.(*ast.SelectorExpr)
	if !ok || objectParts[sel.Sel.Name] == 0 {
		return nil, 0
	}
	of := ast.Unparen(sel.X)
	if meta, ok := of.(*ast.SelectorExpr); ok && meta.Sel.Name == "ObjectMeta" {
		of = ast.Unparen(meta.X)
	}
	if !m.isMetadata(sel, of) {
		return nil, 0
	}
	return of, objectParts[sel.Sel.Name]
}

// isMetadata reports whether a field or method of an object gives the text that the run time shows:
// GetName and the like. If the field is used, the type must not have such methods of its own.
func (m *aligner) isMetadata(sel *ast.SelectorExpr, of ast.Expr) bool {
	s := m.site.Info.Selections[sel]
	t := m.typeOf(of)
	if s == nil || t == nil {
		return false
	}
	if s.Kind() != types.FieldVal {
		return true
	}
	if !isOfMeta(s.Obj()) {
		return typeName(deref(t)) == "k8s.io/api/core/v1.ObjectReference" && s.Obj().Name() == sel.Sel.Name
	}
	getter, _, _ := types.LookupFieldOrMethod(t, true, nil, "Get"+sel.Sel.Name)
	return getter != nil && isOfMeta(getter)
}

func isOfMeta(obj types.Object) bool {
	return obj.Pkg() != nil && realPath(obj.Pkg().Path()) == "k8s.io/apimachinery/pkg/apis/meta/v1"
}

func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// same reports whether two expressions are the same object: the same variable, or the same field of
// it. One may be its address.
func (m *aligner) same(a, b ast.Expr) bool {
	return b != nil && m.sameVariable(withoutAddress(a), withoutAddress(b))
}

func withoutAddress(x ast.Expr) ast.Expr {
	x = ast.Unparen(x)
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.AND {
		return ast.Unparen(u.X)
	}
	return x
}

func (m *aligner) sameVariable(a, b ast.Expr) bool {
	switch a := ast.Unparen(a).(type) {
	case *ast.Ident:
		b, ok := ast.Unparen(b).(*ast.Ident)
		v, isVar := m.site.Info.ObjectOf(a).(*types.Var)
		return ok && isVar && v == m.site.Info.ObjectOf(b)
	case *ast.SelectorExpr:
		b, ok := ast.Unparen(b).(*ast.SelectorExpr)
		return ok && a.Sel.Name == b.Sel.Name && m.sameVariable(a.X, b.X)
	case *ast.StarExpr:
		b, ok := ast.Unparen(b).(*ast.StarExpr)
		return ok && m.sameVariable(a.X, b.X)
	}
	return false
}
