package lint

import (
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var replacedByDeprecated = &Rule{
	ID:       diag.ReplacedByDeprecated,
	Name:     "replaced-by-deprecated",
	Doc:      "A deprecated event that is replaced by another deprecated one sends callers and alerts where they can't stay.",
	Severity: diag.Warning,
	Across:   true,
	Run: func(p *Pass) {
		replacements := p.replacements()
		for c, e := range p.Events() {
			d := e.Lifecycle.Deprecated
			if d == nil || d.ReplacedBy.Value == nameOf(e) {
				continue
			}
			if chain, circle := follow(replacements, nameOf(e)); circle {
				p.Reportf(c, e, d.ReplacedBy.Pos, "the replacements form a cycle: %s; name an event that stays", strings.Join(chain, " → "))
			} else if len(chain) > 2 {
				p.Reportf(c, e, d.ReplacedBy.Pos, "%s is deprecated too; name %s, which stays", d.ReplacedBy.Value, chain[len(chain)-1])
			}
		}
	},
}

// replacements maps each deprecated event to the event that replaces it.
func (p *Pass) replacements() map[string]string {
	by := map[string]string{}
	for _, e := range p.Events() {
		if d := e.Lifecycle.Deprecated; d != nil && d.ReplacedBy.Set() {
			by[nameOf(e)] = d.ReplacedBy.Value
		}
	}
	return by
}

// follow returns an event, its replacement, the replacement of that, and so on. circle is true if
// the last one occurs in the chain before.
func follow(by map[string]string, name string) (chain []string, circle bool) {
	for name != "" {
		seen := slices.Contains(chain, name)
		chain = append(chain, name)
		if seen {
			return chain, true
		}
		name = by[name]
	}
	return chain, false
}
