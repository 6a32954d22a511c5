package lint

import (
	"slices"

	"github.com/event-gen/event-gen/internal/diag"
)

// everNew are the types whose values are new nearly every time.
var everNew = []string{"error", "time", "uid"}

var everNewKey = &Rule{
	ID:       "EV301",
	Name:     "ever-new-key",
	Doc:      "A correlation key that is new nearly every time makes each occurrence a series of its own, up to the budget.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			for _, key := range keyOf(c, e) {
				param, declared := paramOf(c, e, key.Value)
				if declared && slices.Contains(everNew, param.Type.Value) {
					p.Reportf(c, e, key.Pos, "key %s is of type %s, which is new nearly every time; leave it out of the key", key.Value, param.Type.Value)
				}
			}
		}
	},
}
