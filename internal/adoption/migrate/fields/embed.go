package fields

import (
	"go/ast"
	"go/types"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// assigned reads a value that gets another type: as an element of a slice, as an argument of a
// function literal, and the like.
func (r *reader) assigned(x ast.Expr, to types.Type) { r.typeAssigned(x, r.info().TypeOf(x), to) }

// typeAssigned holds a recorder embedded in a type whose values become recorders of client-go. A
// generated recorder in its place would lack the method Event.
func (r *reader) typeAssigned(at ast.Node, from, to types.Type) {
	if from == nil || to == nil || types.Identical(from, to) {
		return
	}
	if embedded := r.recording(from); embedded != nil && types.IsInterface(to) {
		if isRecording(to) {
			r.hold(embedded, at, "its struct is used as a recorder")
		} else {
			embedded.escapes = true
		}
	}
}

// isRecording reports whether a type is an interface with a recorder's methods.
func isRecording(t types.Type) bool {
	if t == nil || !types.IsInterface(t) {
		return false
	}
	m, _, _ := types.LookupFieldOrMethod(t, true, nil, "Eventf")
	e, _, _ := types.LookupFieldOrMethod(t, true, nil, "Event")
	return m != nil || e != nil
}

// arguments reads the arguments of any function, known or not.
func (r *reader) arguments(c *ast.CallExpr) {
	t := r.info().TypeOf(c.Fun)
	if t == nil {
		return
	}
	if r.info().Types[c.Fun].IsType() && len(c.Args) == 1 {
		r.assigned(c.Args[0], t)
		return
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok {
		return
	}
	for i, x := range c.Args {
		if to := parameter(sig, i, c.Ellipsis.IsValid()); to != nil {
			r.assigned(x, to)
		}
	}
}

// parameter returns the type that an argument gets; nil if there is none.
func parameter(sig *types.Signature, i int, spread bool) types.Type {
	last := sig.Params().Len() - 1
	if i < last || i == last && (!sig.Variadic() || spread) {
		return sig.Params().At(i).Type()
	}
	if !sig.Variadic() || spread {
		return nil
	}
	if s, ok := sig.Params().At(last).Type().Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return nil
}

// sent reads a value sent on a channel.
func (r *reader) sent(n *ast.SendStmt) {
	if t := r.info().TypeOf(n.Chan); t != nil {
		if c, ok := t.Underlying().(*types.Chan); ok {
			r.assigned(n.Value, c.Elem())
		}
	}
}

// elements reads the elements of literals of slices, arrays and maps, and the keys of these.
func (r *reader) elements(lit *ast.CompositeLit, t types.Type) {
	var key, elem types.Type
	switch t := t.Underlying().(type) {
	case *types.Slice:
		elem = t.Elem()
	case *types.Array:
		elem = t.Elem()
	case *types.Map:
		key, elem = t.Key(), t.Elem()
	default:
		return
	}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			r.assigned(kv.Key, key)
			e = kv.Value
		}
		r.assigned(e, elem)
	}
}

// asserted notes a type assertion that looks for a recorder. Such an assertion also finds structs
// that embed one.
func (r *reader) asserted(x ast.Expr) {
	if x != nil && isRecording(r.info().TypeOf(x)) && r.info().Types[x].IsType() && r.assertion == nil {
		at := r.position(x.Pos())
		r.assertion = &at
	}
}

// holdForAssertions holds the embedded recorders whose structs become interfaces, if the program
// asserts that something is a recorder.
func (r *reader) holdForAssertions() {
	for _, n := range r.order {
		if r.assertion != nil && n.escapes {
			n.holds = append(n.holds, use{*r.assertion, "its struct is a recorder, and a type assertion looks for one"})
		}
	}
}

// clash returns the name of a field or method that a struct would lose or get twice if its embedded
// recorder became a generated one; empty if there is none. It also looks at the structs that embed
// the struct.
func (d *decision) clash(n *node) string {
	p := d.catalogs[n.class][0]
	if n.owner == nil {
		return p.Recorder
	}
	methods := methodNames(d.packageOf(p.Path), p.Recorder)
	owner := scan.TypeName(n.owner)
	for _, l := range d.loaded {
		if l.TypesInfo == nil {
			continue
		}
		for _, obj := range l.TypesInfo.Defs {
			t, ok := obj.(*types.TypeName)
			if !ok {
				continue
			}
			if depth := embeds(t.Type(), owner, 0); depth >= 0 {
				if name := taken(t.Type(), l.Types, depth, p.Recorder, methods); name != "" {
					return name
				}
			}
		}
	}
	return ""
}

// taken returns the name of a recorder, or of one of its methods, if a type has that name already.
// depth is how deep the type embeds the recorder's struct: methods above the recorder hide its own,
// and do not clash.
func taken(t types.Type, from *types.Package, depth int, recorder string, methods []string) string {
	all := types.NewPointer(t)
	if obj, _, _ := types.LookupFieldOrMethod(all, true, from, recorder); obj != nil {
		return recorder
	}
	for _, m := range methods {
		if obj, index, _ := types.LookupFieldOrMethod(all, true, from, m); obj != nil && len(index) >= depth+2 {
			return m
		}
	}
	return ""
}

// methodNames returns the names of a type's methods; nil if the package or the type is not there.
func methodNames(pkg *types.Package, name string) (out []string) {
	if pkg == nil || pkg.Scope().Lookup(name) == nil {
		return nil
	}
	if named, ok := pkg.Scope().Lookup(name).Type().(*types.Named); ok {
		for m := range named.Methods() {
			out = append(out, m.Name())
		}
	}
	return out
}

// packageOf returns a package that the program has or imports.
func (r *reader) packageOf(path string) *types.Package {
	for _, p := range r.imported() {
		if realPath(p) == path {
			return p
		}
	}
	return nil
}

// embeds returns how deep a type embeds a struct: 0 for the struct itself, -1 if the type does not
// embed it.
func embeds(t types.Type, owner string, depth int) int {
	if t = scan.Deref(t); scan.TypeName(t) == owner {
		return depth
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || depth > 9 { // a struct may embed a pointer to itself
		return -1
	}
	for f := range s.Fields() {
		if f.Embedded() {
			if at := embeds(f.Type(), owner, depth+1); at >= 0 {
				return at
			}
		}
	}
	return -1
}
