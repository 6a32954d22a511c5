package rawcall

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// unset holds where values of a type are made by literals, and where recorders in fields are
// called. sets counts the other places that may set a type's fields, or a field.
type unset struct {
	made, called map[string]token.Pos
	sets         map[string]int
}

// unsetRecorders is EV534: a program makes a struct, calls a recorder in its field, and does
// nothing else with the field.
func (c *checker) unsetRecorders() {
	judged := slices.DeleteFunc(slices.Clone(c.Packages), func(p *scan.Package) bool { return p.Dependency })
	if !c.Complete || !slices.ContainsFunc(judged, func(p *scan.Package) bool { return p.Main }) {
		return
	}
	u := &unset{map[string]token.Pos{}, map[string]token.Pos{}, map[string]int{}}
	for _, p := range judged {
		for _, f := range p.Syntax {
			for n := range ast.Preorder(f) {
				u.read(p.Info, n)
			}
		}
	}
	for field, at := range u.called {
		owner := field[:strings.LastIndex(field, ".")]
		ours := slices.ContainsFunc(judged, func(p *scan.Package) bool { return strings.HasPrefix(owner, p.Path+".") })
		if made := u.made[owner]; ours && made.IsValid() && u.sets[field]+u.sets[owner] == 0 {
			c.report(at, callrules.UnsetRecorder, "nothing sets the field %s of %s, so that this call panics; set it where the value is made, at %s",
				field[len(owner)+1:], owner[strings.LastIndexAny(owner, "./")+1:], c.Where(made))
		}
	}
}

func (u *unset) read(info *types.Info, n ast.Node) {
	switch n := n.(type) {
	case *ast.CompositeLit:
		owner := scan.TypeName(scan.Deref(info.TypeOf(n)))
		u.made[owner] = n.Pos()
		for _, element := range n.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				u.sets[owner+"."+types.ExprString(pair.Key)]++
			} else {
				u.sets[owner]++
			}
		}
	case *ast.CallExpr: // a conversion, or a function that takes any value, may set its fields
		sig, isCall := info.TypeOf(n.Fun).(*types.Signature)
		for i, arg := range n.Args {
			if !isCall || takesAny(sig, i) {
				u.sets[scan.TypeName(scan.Deref(info.TypeOf(arg)))]++
				u.sets[scan.TypeName(info.TypeOf(n))]++
			}
		}
		x, _ := selected(n)
		field, ok := x.(*ast.SelectorExpr)
		if fn := scan.Callee(info, n); ok && fn != nil && types.IsInterface(info.TypeOf(field)) {
			if _, records := scan.ShapeOf(fn); records && scan.FieldOwner(info, field) != "" {
				key := scan.FieldOwner(info, field) + "." + field.Sel.Name
				u.called[key] = n.Pos()
				u.sets[key]-- // for the selection itself
			}
		}
	case *ast.SelectorExpr:
		u.sets[scan.FieldOwner(info, n)+"."+n.Sel.Name]++
	}
}

func takesAny(sig *types.Signature, i int) bool {
	t := sig.Params().At(min(i, sig.Params().Len()-1)).Type()
	if slice, ok := t.(*types.Slice); ok && sig.Variadic() {
		t = slice.Elem()
	}
	in, ok := t.Underlying().(*types.Interface)
	return ok && in.Empty()
}
