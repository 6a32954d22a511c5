package callrules

import (
	"embed"
	"fmt"
	"path"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed pages
var pages embed.FS

// Page is the documentation of a rule.
type Page struct {
	*Rule
	// Why is a few sentences in Markdown.
	Why string
	// Bad and Good are Go functions or manifests. Findings lists the rule's findings in Bad, as
	// line:column: message. Good has no findings. Language is go or yaml.
	Bad, Findings, Good, Language string
}

// PageOf returns the page of a rule, such as EV515. It reports whether there is one.
func PageOf(id string) (Page, bool) {
	rule := Of(id)
	why, parts := ReadPage(pages, id)
	if rule == nil || why == "" {
		return Page{}, false
	}
	language := "go"
	if parts["bad.yaml"] != "" {
		language = "yaml"
	}
	return Page{Rule: rule, Why: why, Bad: parts["bad."+language], Findings: parts["findings"], Good: parts["good."+language], Language: language}, true
}

// ReadPage reads the page of a rule from the folder pages. It returns the reason for the rule, and
// the parts of the page by name. The reason is empty if there is no page.
func ReadPage(pages embed.FS, id string) (why string, parts map[string]string) {
	data, _ := pages.ReadFile(path.Join("pages", id+".txtar"))
	archive := txtar.Parse(data)
	parts = map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = strings.TrimRight(string(f.Data), "\n")
	}
	return strings.TrimSpace(string(archive.Comment)), parts
}

// Markdown returns the page, which is docs/rules/ID.md too.
func (p Page) Markdown() string {
	severity := p.Severity.String()
	return fmt.Sprintf("# %s %s\n\n%s. %s\n\n%s\n\nBad:\n\n```%s\n%s\n```\n\n```text\n%s\n```\n\nGood:\n\n```%s\n%s\n```\n\n%s\n",
		p.ID, p.Name, strings.ToUpper(severity[:1])+severity[1:], p.Doc, p.Why, p.Language, p.Bad, p.Findings, p.Language, p.Good, p.suppression())
}

func (p Page) suppression() string {
	if p.Language == "yaml" {
		return fmt.Sprintf("To suppress it: `lint: {ignore: [{rule: %s, reason: \"…\"}]}` in event-gen.yaml.", p.ID)
	}
	return fmt.Sprintf("To suppress it: `//event-gen:ignore %s reason…` on the line, or on the one before.", p.ID)
}
