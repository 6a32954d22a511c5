package propose

import (
	"go/ast"
	"go/parser"
	"go/types"
	"testing"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// TestArgumentsThatStandTwice are one param if both places show one value in one way. A call is not
// one value, because it may return another each time.
func TestArgumentsThatStandTwice(t *testing.T) {
	tests := []struct {
		expr         string
		verbs        [2]string
		first, again string
	}{
		{"name", [2]string{"%s", "%s"}, "name", "name"},
		{"state", [2]string{"%v", "%5v"}, "state", "state2"},
		{"next()", [2]string{"%v", "%v"}, "next", "next2"},
	}
	for _, tt := range tests {
		x, err := parser.ParseExpr(tt.expr)
		if err != nil {
			t.Fatal(err)
		}
		f, e, names := &finder{}, &Event{}, newNaming(scan.Text{})
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
		var got [2]string
		for i, verb := range tt.verbs {
			got[i] = f.place(e, &scan.Site{}, scan.Part{Expr: x, Info: info, Verb: verb}, "", names)
		}
		if got != [2]string{tt.first, tt.again} {
			t.Errorf("%s by %q: %q, want %q and %q", tt.expr, tt.verbs, got, tt.first, tt.again)
		}
	}
}
