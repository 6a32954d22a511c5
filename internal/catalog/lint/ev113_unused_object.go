package lint

import (
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var unusedObject = &Rule{
	ID:       diag.UnusedObject,
	Name:     "unused-object",
	Doc:      "An object that no event is about or related to makes the generated package import its type for nothing.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		for _, c := range p.Catalogs {
			// The catalog that init writes has no events yet. An error may hide a use.
			if len(c.Events) > 0 && whole(c) && !p.broken[c] {
				p.checkObjects(c)
			}
		}
	},
}

func (p *Pass) checkObjects(c *catalog.Catalog) {
	used := map[string]bool{}
	for i := range c.Events {
		for _, alias := range aliasesOf(c, &c.Events[i]) {
			used[alias.Value] = true
		}
	}
	byDefault := func(alias string) bool {
		about := c.Defaults.Regarding
		return about != nil && slices.ContainsFunc(about.Objects, func(s catalog.Scalar) bool { return s.Value == alias })
	}
	for _, o := range c.Objects {
		switch alias := o.Alias.Value; {
		case used[alias]:
		case byDefault(alias):
			p.Reportf(c, nil, o.Alias.Pos, "no event uses the object %s as regarding, alsoOn or related; remove it, and from spec.defaults too", alias)
		default:
			p.Reportf(c, nil, o.Alias.Pos, "no event uses the object %s as regarding, alsoOn or related; remove it", alias)
		}
	}
}

// aliasesOf returns the aliases of the objects that an event is about or related to. The
// transition of an event is one of its regarding object.
func aliasesOf(c *catalog.Catalog, e *catalog.Event) []catalog.Scalar {
	aliases := slices.Clone(e.AlsoOn)
	if about := c.About(e); about != nil {
		aliases = append(aliases, about.Objects...)
	}
	if e.Related != nil {
		aliases = append(aliases, e.Related.Object)
	}
	return aliases
}
