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

// Generator marks the pages that event-gen wrote.
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

// HTML writes one page that loads nothing else. It runs only its own script, and sends no request
// to any host. Readers without scripts can read all of it.
func HTML(w io.Writer, set *model.Set) error {
	p := newPage(set)
	return written(w, func(w io.Writer) error {
		return htmlTemplate.Execute(w, view{page: p, Title: p.title(), Policy: policy(), Style: template.CSS(style), Script: template.JS(script)})
	})
}

// title returns the page's title. It names the controllers if there are few.
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

// policy returns the content security policy, which permits only the page's own style and script.
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

// identifiers holds the ids that are used on a page.
type identifiers map[string]bool

// unique returns the id, or a similar one if two catalogs have the same package and event.
func (ids identifiers) unique(id string) string {
	name := id
	for n := 2; ids[name]; n++ {
		name = fmt.Sprintf("%s~~%d", id, n)
	}
	ids[name] = true
	return name
}

// slug returns a form of text that the fragment of an address can hold without escapes. Different
// texts have different slugs.
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

// webAddress returns an address that is safe to follow: an http or https address, else "".
func webAddress(text string) string {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.String()
}
