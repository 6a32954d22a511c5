package rawcall

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// nilObject is EV522.
func nilObject(c *checker, s *scan.Site) {
	x := s.Regarding.Expr
	switch {
	case x == nil || s.Scope == scan.ThroughWrapper && checksNil(s):
	case s.Regarding.Nil:
		c.report(x.Pos(), callrules.NilObject, "the object is nil: the recorder drops the event")
	case lacksName(s.Regarding.Info, x):
		c.report(x.Pos(), callrules.NilObject, "%s has no name: the event is stored, but nobody finds it by its object", short(x))
	case lacksUID(s.Regarding.Info, x):
		c.report(x.Pos(), callrules.NilObject, "%s has no UID: kubectl describe does not show the event (of a Node, it selects by the name as UID)", short(x))
		c.findings[len(c.findings)-1].Severity = diag.Info
	}
}

// lacksName reports whether an expression is a literal of an API object, or of its metadata, that
// sets neither name nor generateName.
func lacksName(info *types.Info, x ast.Expr) bool {
	lit := literal(x)
	if lit == nil {
		return false
	}
	if len(lit.Elts) == 0 {
		return true
	}
	if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); !keyed {
		return false
	}
	_, name := scan.Element(info, lit, "Name")
	_, generated := scan.Element(info, lit, "GenerateName")
	meta, set := scan.Element(info, lit, "ObjectMeta")
	return !name && !generated && (!set || lacksName(info, meta))
}

// lacksUID reports whether an expression is a literal of a reference that sets other fields, and no
// UID.
func lacksUID(info *types.Info, x ast.Expr) bool {
	lit := literal(x)
	if lit == nil || len(lit.Elts) == 0 || scan.TypeName(info.TypeOf(lit)) != "k8s.io/api/core/v1.ObjectReference" {
		return false
	}
	_, keyed := lit.Elts[0].(*ast.KeyValueExpr)
	_, set := scan.Element(info, lit, "UID")
	return keyed && !set
}

// literal returns the literal that an expression is, or takes the address of; nil for others.
func literal(x ast.Expr) *ast.CompositeLit {
	if u, ok := ast.Unparen(x).(*ast.UnaryExpr); ok && u.Op == token.AND {
		x = u.X
	}
	lit, _ := ast.Unparen(x).(*ast.CompositeLit)
	return lit
}

// checksNil reports whether a function between a site and the recorder compares anything with nil.
func checksNil(s *scan.Site) bool {
	for _, via := range s.Via {
		if via.Func == nil {
			continue
		}
		for n := range ast.Preorder(via.Func) {
			if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) && via.Package.Info.Types[b.Y].IsNil() {
				return true
			}
		}
	}
	return false
}
