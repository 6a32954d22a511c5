package lint

import (
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var unusedParam = &Rule{
	ID:       diag.UnusedParam,
	Name:     "unused-param",
	Doc:      "A param that nothing uses makes every caller pass a value that nobody sees.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			if p.mistaken(e) || misnamed(c, e) {
				continue
			}
			used := usedNames(c, e)
			for _, param := range e.Params {
				if !used[param.Name.Value] && !p.wrong(param) {
					p.Reportf(c, e, param.Pos, "param %s is used by no message, annotation, correlation key, select or container",
						param.Name.Value)
				}
			}
		}
		for _, c := range p.Catalogs {
			p.checkVocabulary(c)
		}
	},
}

// usedNames returns the names that an event, or a default of its catalog, refers to.
func usedNames(c *catalog.Catalog, e *catalog.Event) map[string]bool {
	used := map[string]bool{e.Select.Value: true}
	for _, s := range segments(templates(e)) {
		used[s.Placeholder] = true
	}
	if e.Correlation != nil {
		for _, key := range e.Correlation.Key {
			used[key.Value] = true
		}
	}
	if about := c.About(e); about != nil {
		used[about.Container.Value] = true
	}
	return used
}

// checkVocabulary reports entries of spec.params that no event names. It reports nothing if some
// text could not be read or a param of an event has an error, because these may name them.
func (p *Pass) checkVocabulary(c *catalog.Catalog) {
	if !whole(c) {
		return
	}
	named := map[string]bool{}
	for _, e := range c.Events {
		for _, param := range e.Params {
			if p.wrong(param) {
				return
			}
			named[param.Name.Value] = true
		}
	}
	for _, param := range c.Params {
		if !named[param.Name.Value] {
			p.Reportf(c, nil, param.Pos, "no event has the param %s", param.Name.Value)
		}
	}
}
