package rawcall

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// leastReasons is the number of constants in a block that must be reasons before it counts as a
// block of reasons.
const leastReasons = 2

// constants runs the rules that look at declared constants: EV521 and EV528.
func (c *checker) constants() {
	reasons := c.reasonConstants()
	used := c.usedConstants()
	for _, p := range c.Packages {
		if p.Dependency {
			continue
		}
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
					c.unusedReasons(p, g, reasons, used)
				}
			}
		}
	}
	c.literalReasons(reasons)
}

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

// usedConstants returns the names of the constants that code uses.
func (c *checker) usedConstants() map[string]bool {
	used := map[string]bool{}
	for _, p := range c.Packages {
		for _, obj := range p.Info.Uses {
			if k, ok := obj.(*types.Const); ok && k.Pkg() != nil {
				used[scan.ObjectName(k)] = true
			}
		}
	}
	return used
}

// unusedReasons reports the unused constants of a block of reasons. In such a block two constants
// are reasons of events, and most of the used constants are.
func (c *checker) unusedReasons(p *scan.Package, g *ast.GenDecl, reasons map[string]*types.Const, used map[string]bool) {
	var idle []*types.Const
	isReason, inUse := 0, 0
	for _, k := range declared(p, g) {
		switch key := scan.ObjectName(k); {
		case reasons[key] != nil:
			isReason++
			inUse++
		case used[key]:
			inUse++
		case c.Whole && internal(p) || !k.Exported():
			idle = append(idle, k)
		}
	}
	if isReason < leastReasons || 2*isReason <= inUse {
		return
	}
	for _, k := range idle {
		c.report(k.Pos(), callrules.UnusedReason, "nothing records the reason %s, nor uses it otherwise; record it, or remove it", k.Name())
	}
}

func declared(p *scan.Package, g *ast.GenDecl) (constants []*types.Const) {
	for _, spec := range g.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for _, id := range v.Names {
			if k, ok := p.Info.Defs[id].(*types.Const); ok && k.Val().Kind() == constant.String && id.Name != "_" {
				constants = append(constants, k)
			}
		}
	}
	return constants
}

// internal reports whether nobody outside of the module can import a package.
func internal(p *scan.Package) bool {
	return p.Main || slices.Contains(strings.Split(p.Path, "/"), "internal")
}

// literalReasons is EV528: a literal whose value is a constant's. The constant is a reason
// elsewhere, and the file could name it.
func (c *checker) literalReasons(reasons map[string]*types.Const) {
	byValue := map[string]*types.Const{}
	for _, k := range reasons {
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
