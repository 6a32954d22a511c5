package scan

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// This file follows the elements of literal slices, arrays and maps.

// rows returns the struct literals of a table.
func (e *evaluator) rows(x ast.Expr) (literals []making) {
	table := e.table(x)
	if table == nil {
		return nil
	}
	for _, elt := range table.values() {
		if u, ok := elt.(*ast.UnaryExpr); ok {
			elt = u.X
		}
		lit, ok := elt.(*ast.CompositeLit)
		if !ok {
			return nil
		}
		literals = append(literals, making{place: place{node: lit, fn: table.fn, pkg: table.pkg}})
	}
	return literals
}

// table returns the literal of a slice, array or map that is a variable's initial value, if nothing
// writes to the variable later.
func (e *evaluator) table(x ast.Expr) *place {
	switch x := ast.Unparen(x).(type) {
	case *ast.CompositeLit:
		return &place{node: x, fn: e.fn, pkg: e.pkg}
	}
	v, ok := Named(e.pkg.Info, x).(*types.Var)
	if !ok || v.IsField() {
		return nil
	}
	known := e.variable(v)
	if len(known.defs) != 1 || known.defs[0].kind != assigned || e.escapes(v) || known.written.IsValid() {
		return nil
	}
	d := known.defs[0]
	if lit, ok := ast.Unparen(d.rhs).(*ast.CompositeLit); ok {
		return &place{node: lit, fn: d.fn, pkg: d.pkg}
	}
	return nil
}

// elements returns the values of a table of strings.
func (e *evaluator) elements(x ast.Expr) []Text {
	table := e.table(x)
	if table == nil {
		return nil
	}
	in := e.in(table.fn, table.pkg)
	var out []Text
	for _, elt := range table.values() {
		out = append(out, in.eval(elt)...)
	}
	return how(out, Global)
}

// element returns the possible values of an element of a table of strings. A missing element is
// empty, but an index beyond a slice panics.
func (e *evaluator) element(x *ast.IndexExpr) []Text {
	table := e.table(x.X)
	if table == nil {
		return nil
	}
	if elt := table.at(e.pkg.Info.Types[x.Index].Value); elt != nil {
		return how(e.in(table.fn, table.pkg).eval(elt), Global)
	}
	out := e.elements(x.X)
	if len(out) > 0 && table.gaps() {
		out = append(out, literalText("", Missing, x.Pos()))
	}
	return out
}

// at returns the element with a constant key or index of a table's literal. It returns nil if there
// is none, or if the order of the elements is not plain.
func (p *place) at(key constant.Value) ast.Expr {
	if key == nil {
		return nil
	}
	keyed := p.keyed()
	for i, elt := range p.node.(*ast.CompositeLit).Elts {
		known := constant.MakeInt64(int64(i))
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			known, elt = p.pkg.Info.Types[kv.Key].Value, kv.Value
		} else if keyed {
			return nil
		}
		if known != nil && known.Kind() == key.Kind() && constant.Compare(known, token.EQL, key) {
			return elt
		}
	}
	return nil
}

// gaps reports whether a table can lack an element that code asks for.
func (p *place) gaps() bool {
	lit := p.node.(*ast.CompositeLit)
	array, isArray := p.pkg.Info.TypeOf(lit).Underlying().(*types.Array)
	return p.keyed() || isArray && int(array.Len()) > len(lit.Elts)
}

// keyed reports whether a table's literal has keys or indexes.
func (p *place) keyed() bool {
	return slices.ContainsFunc(p.node.(*ast.CompositeLit).Elts, func(elt ast.Expr) bool {
		_, keyed := elt.(*ast.KeyValueExpr)
		return keyed
	})
}

// values returns the elements of a table's literal, without their keys or indexes.
func (p *place) values() []ast.Expr {
	elts := slices.Clone(p.node.(*ast.CompositeLit).Elts)
	for i, elt := range elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			elts[i] = kv.Value
		}
	}
	return elts
}
