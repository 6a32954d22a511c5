package rawcall

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// reasonConstants returns the constants that sites take their reasons from, by name.
func (c *checker) reasonConstants() map[string]*types.Const {
	found := map[string]*types.Const{}
	for _, s := range c.Sites {
		for _, t := range s.Reason.Alternatives {
			if t.Const != nil {
				found[scan.ObjectName(t.Const)] = t.Const
			}
		}
	}
	return found
}

// literalReasons is EV528: a literal whose value is a constant's. The constant is a reason
// elsewhere, and the file could name it.
func (c *checker) literalReasons() {
	byValue := map[string]*types.Const{}
	for _, k := range c.reasonConstants() {
		text := constant.StringVal(k.Val())
		if other := byValue[text]; isReason(k) && (other == nil || k.Pos() < other.Pos()) {
			byValue[text] = k
		}
	}
	for _, s := range c.Sites {
		for _, t := range s.Reason.Alternatives {
			text, ok := t.Constant()
			k := byValue[text]
			if ok && t.How == scan.Literal && k != nil && c.reachable(s.Package, k) {
				c.report(at(s, s.Reason), callrules.LiteralReason, "the reason %q is the constant %s at %s; use the constant", text, qualified(s, k), c.Where(k.Pos()))
			}
		}
	}
}

// isReason reports whether a constant may stand for a reason: it has the type string, or a type of
// reasons. Others, such as a condition's type, are a reason in one place by chance.
func isReason(k *types.Const) bool {
	named, ok := types.Unalias(k.Type()).(*types.Named)
	return !ok || strings.Contains(named.Obj().Name(), "Reason")
}

// reachable reports whether a package can name a constant without a new import.
func (c *checker) reachable(p *scan.Package, k *types.Const) bool {
	if k.Pkg() == nil || k.Parent() != k.Pkg().Scope() {
		return false
	}
	return k.Pkg().Path() == p.Types.Path() ||
		k.Exported() && slices.ContainsFunc(p.Types.Imports(), func(i *types.Package) bool { return i.Path() == k.Pkg().Path() })
}

func qualified(s *scan.Site, k *types.Const) string {
	if k.Pkg().Path() == s.Package.Types.Path() {
		return k.Name()
	}
	return k.Pkg().Name() + "." + k.Name()
}
