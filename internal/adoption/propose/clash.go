package propose

import (
	"go/ast"
	"go/types"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// naming holds the facts that decide the names of a text's params.
type naming struct {
	errors int               // expressions that are errors
	given  map[string]string // of expressions that stand twice
	clash  map[string]bool
}

func newNaming(text scan.Text) naming {
	n := naming{given: map[string]string{}, clash: clashes(text)}
	seen := map[string]bool{}
	for _, p := range text.Parts {
		if p.Expr != nil && p.Type != nil && scan.IsError(p.Type) && !seen[types.ExprString(p.Expr)] {
			seen[types.ExprString(p.Expr)] = true
			n.errors++
		}
	}
	return n
}

// nameOf names a param after its expression. The only error of a text is its cause.
func nameOf(p scan.Part, onlyError bool) string {
	if onlyError && p.Type != nil && scan.IsError(p.Type) {
		return "cause"
	}
	return paramName(p.Expr, p.Info)
}

// clashes are the names that several expressions of a text would give their params. For
// source.Address and target.Address the clash is address.
func clashes(text scan.Text) map[string]bool {
	first := map[string]string{} // the expression by the name
	out := map[string]bool{}
	for _, p := range text.Parts {
		if p.Expr == nil {
			continue
		}
		name, expr := nameOf(p, false), types.ExprString(p.Expr)
		if known, taken := first[name]; taken && known != expr {
			out[name] = true
		}
		first[name] = expr
	}
	return out
}

// ownedName adds the owner to the name of a part: source.Address is sourceAddress. Other
// expressions keep their name.
func ownedName(x ast.Expr, name string) string {
	of, part := selected(x)
	if owner := (namer{}).nameOf(of); owner != "" {
		return lowerCamel(owner + capital(withoutGet(part)))
	}
	return name
}
