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
					p.Reportf(c, e, s.Pos, "runbook is a URL such as https://example.com/runbooks/quota, not %q", s.Value)
				}
			}
		}
	},
}

// isLink holds for absolute URLs of the web.
func isLink(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != ""
}
