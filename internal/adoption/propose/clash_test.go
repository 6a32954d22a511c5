package propose

import (
	"go/ast"
	"go/parser"
	"testing"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// TestClashes: two params that would have one name are named after the owners of their values, too.
func TestClashes(t *testing.T) {
	for _, c := range []struct {
		exprs []string
		want  string
	}{
		{[]string{"source.Address", "target.Address"}, "{sourceAddress} {targetAddress}"},
		// without types no call is known to be pure
		{[]string{"source.Address", "source.Address", "target.Size"}, "{address} {address2} {size}"},
		{[]string{"a.Name", "b.ObjectMeta.Name"}, "{aName} {bName}"},
		{[]string{"s.GetID()", "t.GetID()"}, "{sID} {tID}"},
		{[]string{"address", "target.Address"}, "{address} {targetAddress}"},
		{[]string{"f(1)", "f(2)"}, "{f} {f2}"},
		{[]string{"a.b.Size", "c.b.Size"}, "{bSize} {bSize2}"},
	} {
		var text scan.Text
		for i, expr := range c.exprs {
			x, err := parser.ParseExpr(expr)
			if err != nil {
				t.Fatal(err)
			}
			if i > 0 {
				text.Parts = append(text.Parts, scan.Part{Literal: " "})
			}
			text.Parts = append(text.Parts, scan.Part{Expr: x, Verb: "%s"})
		}
		e, s := &Event{}, &scan.Site{Shape: scan.Shape{API: scan.Events}}
		s.Regarding.Expr = ast.NewIdent("pod")
		if new(finder).message(e, s, text); e.Message != c.want {
			t.Errorf("%v: %s, want %s", c.exprs, e.Message, c.want)
		}
	}
}
