package fields

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// noteStructs notes the struct types of a file that have no name. Those with the same fields are one type.
func (r *reader) noteStructs() {
	named := map[ast.Expr]bool{}
	for n := range ast.Preorder(r.file) {
		switch n := n.(type) {
		case *ast.TypeSpec:
			named[n.Type] = true
		case *ast.StructType:
			if s, ok := r.info().TypeOf(n).(*types.Struct); ok && !named[n] {
				fields := fieldsOf(s)
				r.unnamed[fields] = append(r.unnamed[fields], s)
			}
		}
	}
}

// fieldsOf is a text of the names and types of fields, without tags.
func fieldsOf(s *types.Struct) string {
	var b strings.Builder
	for f := range s.Fields() {
		if f.Embedded() {
			b.WriteString("embedded ")
		}
		b.WriteString(f.Name() + " " + types.TypeString(f.Type(), realPath) + "; ")
	}
	return b.String()
}

// joinStructs has the fields of struct types without names move together if they are one type.
func (r *reader) joinStructs() {
	for _, fields := range slices.Sorted(maps.Keys(r.unnamed)) {
		for _, s := range r.unnamed[fields] {
			r.joinFields(r.unnamed[fields][0], s)
		}
	}
}

// joinFields has the fields of two struct types that must stay convertible move together.
func (r *reader) joinFields(a, b *types.Struct) {
	if a.NumFields() != b.NumFields() {
		return
	}
	for i := range a.NumFields() {
		x, y := r.nodeOf(a.Field(i)), r.nodeOf(b.Field(i))
		switch {
		case x != nil && y != nil:
			r.join(x, y)
		case x != nil:
			r.holdAt(x, "a struct that can't be changed has the same fields")
		case y != nil:
			r.holdAt(y, "a struct that can't be changed has the same fields")
		}
	}
}

// holdAt holds a node at its own position.
func (r *reader) holdAt(n *node, why string) { n.holds = appendNew(n.holds, use{n.pos, why}) }

// converted joins the fields of struct types if a value of one is converted to the other.
func (r *reader) converted(c *ast.CallExpr) {
	if from, to := structOf(r.info().TypeOf(c.Args[0])), structOf(r.info().TypeOf(c)); from != nil && to != nil {
		r.joinFields(from, to)
	}
}

// structOf is the struct type that a type is, or points to.
func structOf(t types.Type) *types.Struct {
	if t == nil {
		return nil
	}
	s, _ := scan.Deref(t.Underlying()).Underlying().(*types.Struct)
	return s
}

// compared holds the fields of structs that are compared, or are keys of maps: two generated recorders that were made of one recorder of
// client-go are not equal.
func (r *reader) compared(at ast.Node, t types.Type) {
	if t == nil {
		return
	}
	switch t := t.Underlying().(type) {
	case *types.Array:
		r.compared(at, t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if n := r.nodeOf(f); n != nil {
				r.hold(n, at, "its struct is compared")
			}
			r.compared(at, f.Type())
		}
	}
}
