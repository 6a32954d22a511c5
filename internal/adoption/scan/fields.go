package scan

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// fieldValue returns the possible texts of a struct's field.
func (e *evaluator) fieldValue(x *ast.SelectorExpr) []Text {
	owner := fieldOwner(e.pkg.Info, x)
	if owner == "" {
		return nil
	}
	ref := &fieldRef{owner: owner, name: x.Sel.Name, root: e.root(x.X, 0)}
	if e.looseFields[ref.key()] {
		return e.opaque(x, "the address of the field "+x.Sel.Name+" is taken")
	}
	if texts := e.localField(x.X, ref); texts != nil {
		return texts
	}
	if ref.root == nil || !e.carries(x, ref) {
		return e.anywhere(x, ref)
	}
	ref.decoded = e.decoded(x)
	t := e.opaque(x, "it is the field "+x.Sel.Name+" of "+types.ExprString(x.X))
	t[0].Parts[0].field = ref
	return t
}

// carries reports whether the program's own code stores values in the field. The fields of API
// objects and other foreign types get their values elsewhere.
func (e *evaluator) carries(x *ast.SelectorExpr, ref *fieldRef) bool {
	v, ok := e.pkg.Info.Uses[x.Sel].(*types.Var)
	if !ok || v.Pkg() == nil {
		return false
	}
	written := len(e.writes(ref)) > 0
	return e.hasSource(v.Pkg().Path()) && (e.prog.Open || written) || e.prog.Open && written && e.ours(v.Pkg().Path())
}

// ours reports whether a package belongs to the module of the evaluator's package. A scan of the
// whole program would have read it.
func (e *evaluator) ours(path string) bool {
	return e.pkg.Module != "" && (path == e.pkg.Module || strings.HasPrefix(path, e.pkg.Module+"/"))
}

// fieldOf returns the texts of a field of the struct that a call passes for a parameter.
func (e *evaluator) fieldOf(arg ast.Expr, ref *fieldRef, p Part) []Text {
	moved := &fieldRef{owner: ref.owner, name: ref.name, root: e.root(arg, 0), decoded: ref.decoded}
	if texts := e.localField(arg, moved); texts != nil {
		return texts
	}
	p.field, p.param = moved, nil
	return p.text()
}

// root returns the parameter or receiver that leads to a struct.
func (e *evaluator) root(x ast.Expr, depth int) *paramRef {
	if depth > mostDepth || e.fn == nil {
		return nil
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.StarExpr:
		return e.root(x.X, depth+1)
	case *ast.UnaryExpr:
		return e.root(x.X, depth+1)
	case *ast.SelectorExpr:
		if fieldOwner(e.pkg.Info, x) != "" {
			return e.root(x.X, depth+1)
		}
	case *ast.IndexExpr:
		return e.root(x.X, depth+1)
	case *ast.TypeAssertExpr:
		return e.root(x.X, depth+1)
	case *ast.Ident:
		return e.rootOf(x, depth)
	}
	return nil
}

func (e *evaluator) rootOf(id *ast.Ident, depth int) *paramRef {
	v := Variable(e.pkg.Info, id)
	if v == nil || isGlobal(v) {
		return nil
	}
	defs, entry := e.reaching(v, e.fn, id.Pos())
	if owner := e.fn.owner(v); entry && owner != nil && len(defs) == 0 {
		return owner
	}
	if len(defs) != 1 || defs[0].fn == nil {
		return nil
	}
	if d := defs[0]; d.kind == assigned || d.kind == switched || d.kind == ranged && d.index == 1 {
		return e.in(d.fn, d.pkg).root(d.rhs, depth+1)
	}
	return nil
}

// localField returns the texts of a field of a struct that is a composite literal. It returns nil
// if the struct comes from elsewhere, or is decoded. It also counts assignments to the field, in
// any order: in the same function, and in functions that get the struct's address.
func (e *evaluator) localField(base ast.Expr, ref *fieldRef) []Text {
	literals, v := e.made(base, 0)
	if len(literals) == 0 || v != nil && e.variable(v).decoded && ast.IsExported(ref.name) {
		return nil
	}
	var out []Text
	assigned := false
	for _, a := range e.assigns[ref.key()] {
		switch writes := e.writesTo(a, v); {
		case writes && a.value == nil, !writes && e.mayWrite(a, v):
			return nil
		case !writes:
			continue
		}
		assigned = true
		out = append(out, e.in(a.fn, a.pkg).eval(a.value)...)
	}
	for _, l := range literals {
		if structKey(l.pkg.Info.TypeOf(l.node.(*ast.CompositeLit))) != ref.owner {
			return nil
		}
		x, found := Element(l.pkg.Info, l.node.(*ast.CompositeLit), ref.name)
		switch {
		case found:
			out = append(out, e.in(l.fn, l.pkg).eval(x)...)
		case !assigned:
			out = append(out, literalText("", ZeroValue, l.node.Pos()))
		}
	}
	return out
}

// together reports whether an assignment stands in the evaluator's declared function.
func (e *evaluator) together(a fieldAssign) bool {
	return a.fn != nil && e.fn != nil && a.fn.decl == e.fn.decl
}

// made returns the composite literals that an expression can stand for, and the variable that holds
// them.
func (e *evaluator) made(x ast.Expr, depth int) (literals []place, v *types.Var) {
	if depth > mostDepth || e.depth > mostDepth {
		return nil, nil
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.CompositeLit:
		return []place{{node: x, fn: e.fn, pkg: e.pkg}}, nil
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return e.made(x.X, depth+1)
		}
	case *ast.StarExpr:
		return e.made(x.X, depth+1)
	case *ast.Ident:
		if v := Variable(e.pkg.Info, x); v != nil && !isGlobal(v) {
			return e.madeFor(x, v, depth), v
		}
	}
	return nil, nil
}

func (e *evaluator) madeFor(id *ast.Ident, v *types.Var, depth int) (literals []place) {
	defs, entry := e.reaching(v, e.fn, id.Pos())
	if entry {
		return nil
	}
	for _, d := range defs {
		in := e.in(d.fn, d.pkg)
		var more []place
		if d.kind == assigned {
			more, _ = in.made(d.rhs, depth+1)
		}
		if len(more) == 0 {
			return nil
		}
		literals = append(literals, more...)
	}
	return literals
}

// lacks reports whether a struct literal leaves a field out.
func (p *place) lacks(field string) bool {
	_, found := Element(p.pkg.Info, p.node.(*ast.CompositeLit), field)
	return !found
}

// Element returns the expression that a struct literal stores in a field.
func Element(info *types.Info, lit *ast.CompositeLit, field string) (ast.Expr, bool) {
	for i, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == field {
				return kv.Value, true
			}
			continue
		}
		t := info.TypeOf(lit)
		if t == nil {
			return nil, false
		}
		if s, ok := Deref(t).Underlying().(*types.Struct); ok && i < s.NumFields() && s.Field(i).Name() == field {
			return elt, true
		}
	}
	return nil, false
}

// anywhere returns the texts of a field whose struct comes from elsewhere: all values that the
// program stores in the field. They are known only if the struct's package was read, the field is
// not decoded from JSON, and all stored values are constant.
func (e *evaluator) anywhere(x *ast.SelectorExpr, ref *fieldRef) []Text {
	unknown := func(why string) []Text { return e.opaque(x, "it is the field "+types.ExprString(x)+", "+why) }
	v, ok := e.pkg.Info.Uses[x.Sel].(*types.Var)
	read := ok && v.Pkg() != nil && e.hasSource(v.Pkg().Path())
	switch {
	case e.decoded(x):
		return unknown("which may be decoded at run time")
	case !read:
		return unknown("whose package is not read")
	case e.decodes[ref.owner] && v.Exported():
		return unknown("which is decoded at run time")
	}
	if e.busy[ref.key()] {
		return nil
	}
	e.busy[ref.key()] = true
	defer delete(e.busy, ref.key())
	var out []Text
	for _, w := range e.writes(ref) {
		if w.value == nil {
			return unknown("which is written at run time")
		}
		for _, t := range e.in(w.fn, w.pkg).eval(w.value) {
			if s, ok := t.Constant(); !ok {
				return unknown("which is written at run time")
			} else if s != "" {
				out = append(out, t)
			}
		}
	}
	if len(out) == 0 {
		return unknown("which nothing that is read writes")
	}
	out = how(undefined(out), Field)
	if slices.ContainsFunc(e.literals[ref.owner], func(l place) bool { return l.lacks(ref.name) }) {
		out = append(out, literalText("", Missing, x.Pos()))
	}
	return out
}

// decoded reports whether a field has a JSON name, so that its value can come from outside of the
// program.
func (e *evaluator) decoded(x *ast.SelectorExpr) bool {
	_, in, index := lastField(e.pkg.Info.Selections[x])
	if in == nil {
		return false
	}
	name, found := reflect.StructTag(in.Tag(index)).Lookup("json")
	return found && name != "-"
}

// lastField returns the type that declares the last field of a selection. If the type is a struct,
// or points to one, it also returns the struct and the field's index there.
func lastField(sel *types.Selection) (owner types.Type, in *types.Struct, index int) {
	owner, index = sel.Recv(), sel.Index()[0]
	for _, next := range sel.Index()[1:] {
		s, ok := Deref(owner).Underlying().(*types.Struct)
		if !ok {
			return owner, nil, 0
		}
		owner, index = s.Field(index).Type(), next
	}
	in, _ = Deref(owner).Underlying().(*types.Struct)
	return owner, in, index
}

// hasSource reports whether a package was read as source.
func (x *index) hasSource(path string) bool { return x.paths[RealPath(path)] }

// writes lists all places that store a value in a field.
func (x *index) writes(ref *fieldRef) []fieldAssign {
	out := slices.Clone(x.assigns[ref.key()])
	for _, l := range x.literals[ref.owner] {
		if value, ok := Element(l.pkg.Info, l.node.(*ast.CompositeLit), ref.name); ok {
			out = append(out, fieldAssign{place: l, value: value})
		}
	}
	return out
}
