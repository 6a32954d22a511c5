package lint

import (
	"embed"
	"fmt"
	"strings"

	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

//go:embed pages
var pages embed.FS

// Page documents a rule.
type Page struct {
	*Rule
	// Why is a few sentences in Markdown.
	Why string
	// Bad and Good are events, or other entries of a catalog's spec. Findings are the rule's
	// findings in Bad, as line:column: message. Good has none.
	Bad, Findings, Good string
	// Release is the version for which the examples are judged; empty if it does not matter.
	Release string
}

// PageOf returns the page of a rule, such as EV201. It reports whether there is one.
func PageOf(id string) (Page, bool) {
	rule := ruleOf(id)
	why, parts := callrules.ReadPage(pages, id)
	if rule == nil || why == "" {
		return Page{}, false
	}
	return Page{
		Rule: rule, Why: why, Bad: parts["bad.yaml"], Findings: parts["findings"], Good: parts["good.yaml"], Release: parts["release"],
	}, true
}

// Markdown returns the page, which is docs/rules/ID.md too.
func (p Page) Markdown() string {
	var b strings.Builder
	occasion := ""
	if p.Release != "" {
		occasion = fmt.Sprintf(", with `--release=%s`", p.Release)
	}
	fmt.Fprintf(&b, "# %s %s\n\n%s. %s\n\n%s\n", p.ID, p.Name, capital(p.Severity.String()), p.Doc, p.Why)
	fmt.Fprintf(&b, "\nBad%s:\n\n```yaml\n%s\n```\n\n```text\n%s\n```\n\nGood:\n\n```yaml\n%s\n```\n\n%s\n",
		occasion, p.Bad, p.Findings, p.Good, p.suppression())
	return b.String()
}

func (p Page) suppression() string {
	if p.Severity == diag.Error {
		return "Errors can't be suppressed."
	}
	return fmt.Sprintf("To suppress it: `lint: {ignore: [{rule: %s, reason: \"…\"}]}`.", p.ID)
}

func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }
