package lint

import (
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var everNewKey = &Rule{
	ID:       diag.EverNewKey,
	Name:     "ever-new-key",
	Doc:      "A correlation key that is new nearly every time makes each occurrence a series of its own, up to the budget.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			if key, explicit := keyOf(c, e); explicit {
				p.checkKey(c, e, key)
			} else {
				p.checkDefaultKey(c, e)
			}
		}
	},
}

func (p *Pass) checkKey(c *catalog.Catalog, e *catalog.Event, keys []catalog.Scalar) {
	for _, key := range keys {
		param, declared := paramOf(c, e, key.Value)
		if !declared {
			continue
		}
		if what := everNew(param); what != "" {
			p.Reportf(c, e, key.Pos, "key %s is %s, which is new nearly every time; leave it out of the key", key.Value, what)
		}
	}
}

// checkDefaultKey checks all params of an event without a key, because they are its key.
func (p *Pass) checkDefaultKey(c *catalog.Catalog, e *catalog.Event) {
	for _, param := range e.Params {
		declared := c.Declaration(param)
		if what := everNew(declared); what != "" && !declared.Sensitive.True() {
			p.Reportf(c, e, param.Pos, "param %s is %s, which is new nearly every time, and without correlation.key all params are the key; give a key without it",
				param.Name.Value, what)
		}
	}
}

// everNew returns a description of a param whose values are new nearly every time, and "" for other
// params. Errors are other params: most of them repeat, and from the tenth distinct one on they
// are aggregated.
func everNew(p catalog.Param) string {
	switch {
	case slices.Contains([]string{"time", "metav1.Time", "metav1.MicroTime"}, p.Type.Value):
		return "a time"
	case slices.Contains([]string{"duration", "time.Duration", "metav1.Duration"}, p.Type.Value):
		return "a duration"
	case p.Type.Value == "float32", p.Type.Value == "float64":
		return "a fraction"
	case p.Type.Value == "uid", p.Type.Value == "types.UID":
		return "a UID"
	case p.Name.Value == "resourceVersion":
		return "a resource version"
	}
	return ""
}
