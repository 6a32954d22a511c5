package lint

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

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
				if found := verbsIn(s.Text); len(found) > 0 {
					how := ""
					if m := e.Message; m != nil && len(e.Params) > 0 && len(m.Segments) == 1 && m.Segments[0].Pos == s.Pos && len(verb.FindAllString(s.Text, -1)) == len(e.Params) {
						how = ", as lint --fix does"
					}
					are := "is shown as it is; write a placeholder"
					if len(found) > 1 {
						are = "are shown as they are; write placeholders"
					}
					p.Reportf(c, e, s.Pos, "%s %s such as {param} instead%s", strings.Join(found, ", "), are, how)
				}
			}
		}
	},
}

// verbsIn returns the verbs of a text in quotes, each once.
func verbsIn(text string) (verbs []string) {
	for at := verb.FindStringSubmatchIndex(text); at != nil; at = verb.FindStringSubmatchIndex(text) {
		if found := strconv.Quote(text[at[2]:at[3]]); !slices.Contains(verbs, found) {
			verbs = append(verbs, found)
		}
		text = text[at[3]:]
	}
	return verbs
}
