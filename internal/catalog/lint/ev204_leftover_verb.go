package lint

import (
	"regexp"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// verb matches a verb of package fmt. A letter or digit after it, as in "100%free", shows that the
// % is text.
var verb = regexp.MustCompile(`(%[-+#0]*[0-9]*(?:\.[0-9]+)?[vTtbcdoOqxXUeEfFgGspw])(?:[^A-Za-z0-9]|$)`)

var leftoverVerb = &Rule{
	ID:       diag.LeftoverVerb,
	Name:     "leftover-verb",
	Doc:      "Messages are not formats, so a verb of package fmt is shown as it is.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			for _, s := range segments(templates(e)) {
				if found := verb.FindStringSubmatch(s.Text); found != nil {
					how := ""
					if m := e.Message; m != nil && len(e.Params) > 0 && len(m.Segments) == 1 && m.Segments[0].Pos == s.Pos && len(verb.FindAllString(s.Text, -1)) == len(e.Params) {
						how = ", as lint --fix does"
					}
					p.Reportf(c, e, s.Pos, "%q is shown as it is; write a placeholder such as {param} instead%s", found[1], how)
				}
			}
		}
	},
}
