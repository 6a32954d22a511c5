package lint

import (
	"strings"
	"unicode"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/plain"
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
			p.checkHidden(c, e)
		}
	},
}

func (p *Pass) checkControl(c *catalog.Catalog, e *catalog.Event, s catalog.Scalar, what string) {
	if i := strings.IndexFunc(s.Value, isControl); i >= 0 {
		p.Reportf(c, e, s.Pos, "%s holds %q; a message is one line without control characters", what, []rune(s.Value[i:])[0])
	}
}

// checkHidden warns of characters that people do not see, such as those that change the direction
// of writing.
func (p *Pass) checkHidden(c *catalog.Catalog, e *catalog.Event) {
	if p.ignores.cover(c, e, p.rule.ID) {
		return
	}
	hidden := func(r rune) bool { return plain.Hidden(r) && !isControl(r) }
	texts := []catalog.Scalar{e.Doc.Summary}
	for _, s := range segments(templates(e)) {
		texts = append(texts, catalog.Scalar{Value: s.Text, Pos: s.Pos})
	}
	for _, s := range texts {
		if i := strings.IndexFunc(s.Value, hidden); i >= 0 {
			p.findings.Warnf(s.Pos, p.rule.ID, "the text holds %+q, which readers do not see, and which can change what they see", []rune(s.Value[i:])[0])
		}
	}
}

// isControl reports whether a rune is a control character, or one that terminals and log readers
// treat as a line break.
func isControl(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }
