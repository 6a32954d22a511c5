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
// called. open are the types and fields that code may set in another way.
type unset struct {
	made, called map[string]token.Pos
	open         map[string]bool
	receivers    map[ast.Expr]bool
}

// unsetRecorders is EV534: a program makes a struct, calls a recorder in its field, and does
// nothing else with the field.
func (c *checker) unsetRecorders() {
	if !c.Complete || !slices.ContainsFunc(c.Packages, func(p *scan.Package) bool { return p.Main && !p.Dependency }) {
		return
	}
	u := &unset{map[string]token.Pos{}, map[string]token.Pos{}, map[string]bool{}, map[ast.Expr]bool{}}
	judged := slices.DeleteFunc(slices.Clone(c.Packages), func(p *scan.Package) bool { return p.Dependency })
	for _, p := range judged {
		for _, f := range p.Syntax {
			for n := range ast.Preorder(f) {
				u.read(p.Info, n)
			}
		}
	}
	for field, at := range u.called {
		dot := strings.LastIndex(field, ".")
		ours := slices.ContainsFunc(judged, func(p *scan.Package) bool { return strings.HasPrefix(field, p.Path+".") })
		if made := u.made[field[:dot]]; ours && made.IsValid() && !u.open[field] && !u.open[field[:dot]] {
			c.report(at, callrules.UnsetRecorder, "nothing sets the field %s of %s, so that this call panics; set it where the value is made, at %s",
				field[dot+1:], field[strings.LastIndexAny(field[:dot], "./")+1:dot], c.Where(made))
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
				u.open[owner+"."+types.ExprString(pair.Key)] = true
			} else {
				u.open[owner] = true
			}
		}
	case *ast.CallExpr:
		// a function that takes any value may set its fields, and a conversion does
		for i, arg := range n.Args {
			if sig, ok := info.TypeOf(n.Fun).(*types.Signature); !ok {
				u.open[scan.TypeName(scan.Deref(info.TypeOf(n)))] = true
			} else if takesAny(sig, i) {
				u.open[scan.TypeName(scan.Deref(info.TypeOf(arg)))] = true
			}
		}
		x, _ := selected(n)
		field, ok := x.(*ast.SelectorExpr)
		if fn := scan.Callee(info, n); ok && fn != nil && types.IsInterface(info.TypeOf(field)) {
			if _, records := scan.ShapeOf(fn); records && scan.FieldOwner(info, field) != "" {
				u.called[scan.FieldOwner(info, field)+"."+field.Sel.Name], u.receivers[field] = n.Pos(), true
			}
		}
	case *ast.SelectorExpr:
		if !u.receivers[n] {
			u.open[scan.FieldOwner(info, n)+"."+n.Sel.Name] = true
		}
	}
}

// takesAny reports whether a parameter is of an interface without methods.
func takesAny(sig *types.Signature, i int) bool {
	i = min(i, sig.Params().Len()-1)
	t := sig.Params().At(i).Type()
	if slice, ok := t.(*types.Slice); ok && sig.Variadic() && i == sig.Params().Len()-1 {
		t = slice.Elem()
	}
	in, ok := t.Underlying().(*types.Interface)
	return ok && in.Empty()
}
