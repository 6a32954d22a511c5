package lint

import (
	"regexp"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var unfinishedText = &Rule{
	ID:       diag.UnfinishedText,
	Name:     "unfinished-text",
	Doc:      "A TODO in a text reaches people who read events, and they can't do it.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			for _, m := range templates(e) {
				p.checkFinished(c, e, catalog.Scalar{Value: m.Text, Pos: m.Pos}, "text")
			}
			for _, doc := range docsOf(e) {
				p.checkFinished(c, e, doc.Summary, "doc")
				p.checkFinished(c, e, doc.Runbook, "runbook")
			}
			if d := e.Lifecycle.Deprecated; d != nil {
				p.checkFinished(c, e, d.Reason, "reason of the deprecation")
			}
		}
	},
}

// unfinished are the marks of unfinished text, in capitals as in code.
var unfinished = regexp.MustCompile(`\b(TODO|FIXME|XXX|TBD)\b`)

func (p *Pass) checkFinished(c *catalog.Catalog, e *catalog.Event, s catalog.Scalar, what string) {
	if mark := unfinished.FindString(s.Value); mark != "" {
		p.Reportf(c, e, s.Pos, "the %s contains %s; write what readers of the event need", what, mark)
	}
}

// docsOf returns the documentation of an event and of its variants.
func docsOf(e *catalog.Event) []catalog.Doc {
	docs := []catalog.Doc{e.Doc}
	for _, v := range variantsOf(e) {
		docs = append(docs, v.Doc)
	}
	return docs
}
