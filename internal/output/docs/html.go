package docs

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/templates"
)

// Generator is the mark of pages that event-gen wrote.
const Generator = `<meta name="generator" content="event-gen docs">`

var (
	style  = asset("page.css")
	script = asset("page.js")
)

var htmlTemplate = template.Must(template.New("page.html.tmpl").Funcs(template.FuncMap{
	"json":       toJSON,
	"paragraphs": paragraphs,
	"words":      func(list []string) string { return strings.Join(list, ", ") },
}).ParseFS(templates.Docs, "docs/page.html.tmpl"))

// view is the data for the template.
type view struct {
	*page
	Title  string
	Policy string
	Style  template.CSS
	Script template.JS
}

// HTML writes one page that needs nothing besides itself. It runs its own script and no other, and
// asks no host for anything; without scripts, everything on it can be read.
func HTML(w io.Writer, set *model.Set) error {
	p := newPage(set)
	return htmlTemplate.Execute(w, view{page: p, Title: p.title(), Policy: policy(), Style: template.CSS(style), Script: template.JS(script)})
}

// title names the controllers, if there are few.
func (p *page) title() string {
	var names []string
	for _, c := range p.Catalogs {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	switch n := len(names); n {
	case 0:
		return "Events"
	case 1, 2:
		return "Events of " + strings.Join(names, " and ")
	default:
		return fmt.Sprintf("Events of %s and %d others", names[0], n-1)
	}
}

// policy lets the page's own style and script run, and nothing else.
func policy() string {
	return "default-src 'none'; img-src data:; style-src " + hash(style) + "; script-src " + hash(script) +
		"; base-uri 'none'; form-action 'none'"
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func asset(name string) string {
	content, err := templates.Docs.ReadFile("docs/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(content)
}

func toJSON(list []string) (string, error) {
	text, err := json.Marshal(list)
	return string(text), err
}

// paragraphs returns the parts of a text between blank lines.
func paragraphs(text string) []string {
	var out []string
	var lines []string
	for line := range strings.Lines(text + "\n\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
			continue
		}
		if len(lines) > 0 {
			out = append(out, strings.Join(lines, "\n"))
		}
		lines = nil
	}
	return out
}

// identifiers are the ids that a page has given away.
type identifiers map[string]bool

// unique returns the id, or, where two catalogs have the same package and event, one like it.
func (ids identifiers) unique(id string) string {
	name := id
	for n := 2; ids[name]; n++ {
		name = fmt.Sprintf("%s~~%d", id, n)
	}
	ids[name] = true
	return name
}

// slug makes text fit for the fragment of an address, without escapes. Different text has different
// slugs.
func slug(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "~%02x", c)
		}
	}
	return b.String()
}

// webAddress returns an address that is safe to follow: empty unless it is http or https.
func webAddress(text string) string {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.String()
}
