package fields

import (
	"go/ast"
	"go/types"
)

// holdAt holds a node at its own position.
func (r *reader) holdAt(n *node, why string) { n.holds = appendNew(n.holds, use{n.pos, why}) }

// compared holds the fields of structs that are compared, or are keys of maps: two generated
// recorders of one client-go recorder are not equal.
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
