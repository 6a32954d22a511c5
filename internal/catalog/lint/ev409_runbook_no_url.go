package lint

import (
	"net/url"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var runbookNoURL = &Rule{
	ID:       diag.RunbookNoURL,
	Name:     "runbook-no-url",
	Doc:      "Tools show a runbook as a link, so it must be a URL.",
	Severity: diag.Warning,
	Run: func(p *Pass) {
		for c, e := range p.Events() {
			for _, doc := range docsOf(e) {
				if s := doc.Runbook; s.Set() && !isLink(s.Value) {
					p.Reportf(c, e, s.Pos, "runbook: expected a URL such as https://example.com/runbooks/quota, found %q", s.Value)
				}
			}
		}
	},
}

// isLink reports whether a text is an absolute URL of http or https.
func isLink(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != ""
}
