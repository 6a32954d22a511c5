package lint

import (
	"strings"
	"unicode"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var controlCharacter = &Rule{
	ID:       diag.ControlCharacter,
	Name:     "control-character",
	Doc:      "A newline or control character in a message breaks the table of kubectl get events, and logs.",
	Severity: diag.Error,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			for _, s := range segments(templates(e)) {
				p.checkControl(c, e, catalog.Scalar{Value: s.Text, Pos: s.Pos}, "the text")
			}
			for _, param := range e.Params {
				p.checkControl(c, e, c.Declaration(param).Prefix, "the prefix")
				p.checkControl(c, e, c.Declaration(param).Separator, "the separator")
			}
			if e.Related != nil {
				p.checkControl(c, e, e.Related.Prefix, "the prefix")
			}
		}
	},
}

func (p *Pass) checkControl(c *catalog.Catalog, e *catalog.Event, s catalog.Scalar, what string) {
	if i := strings.IndexFunc(s.Value, isControl); i >= 0 {
		p.Reportf(c, e, s.Pos, "%s holds %q; a message is one line without control characters", what, []rune(s.Value[i:])[0])
	}
}

// isControl reports whether a rune is a control character, or one that terminals and log readers
// treat as a line break.
func isControl(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }
