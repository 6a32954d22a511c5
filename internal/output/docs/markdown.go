package docs

import (
	"cmp"
	"io"
	"slices"
	"strings"
	"text/template"

	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/templates"
)

var markdownTemplate = template.Must(template.New("events.md.tmpl").Funcs(template.FuncMap{
	"text":    markdownText,
	"message": markdownMessage,
	"meaning": markdownMeaning,
	"params":  markdownParams,
	"code":    markdownCode,
	"link":    markdownAddress,
	"join":    strings.Join,
}).ParseFS(templates.Docs, "docs/events.md.tmpl"))

// Markdown writes a section with a table for each catalog. All text of a catalog is escaped: it is
// shown as it is and has no other effect.
func Markdown(w io.Writer, set *model.Set) error {
	return written(w, func(w io.Writer) error { return markdownTemplate.Execute(w, newPage(set)) })
}

var markdownEscapes = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "|", `\|`, `\`, `\\`, "`", "\\`", "*", `\*`, "[", `\[`, "]", `\]`, "~", `\~`,
)

// markdownText escapes text for a cell of a table, on one line.
func markdownText(text string) string {
	text = markdownEscapes.Replace(strings.Join(strings.Fields(text), " "))
	return underscores(text)
}

// underscores escapes underscores that could begin or end emphasis. Underscores inside of a word
// can't.
func underscores(text string) string {
	var b strings.Builder
	for i := range len(text) {
		inside := i > 0 && i+1 < len(text) && isAlphanumeric(text[i-1]) && isAlphanumeric(text[i+1])
		if text[i] == '_' && !inside {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

var doubled = strings.NewReplacer("{", "{{", "}", "}}")

// markdownMessage returns a message as the catalog writes it: placeholders in braces, other braces
// doubled. Optional parts are in brackets.
func markdownMessage(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		switch {
		case p.Optional:
			b.WriteString("[" + doubled.Replace(p.Prefix) + "{" + p.Text + "}]")
		case p.Placeholder:
			b.WriteString("{" + p.Text + "}")
		default:
			b.WriteString(doubled.Replace(p.Text))
		}
	}
	return markdownCode(b.String())
}

// markdownMeaning returns the documentation of an entry: everything in the catalog except the
// stored fields.
func markdownMeaning(e *entry) string {
	var parts []string
	add := func(text string) { parts = append(parts, text) }
	if d := e.Deprecated; d != nil {
		add("**Deprecated" + markdownReplacement(d) + ".**")
		add(markdownText(d.Reason))
		if d.RemoveAfter != "" {
			add("It will be removed after " + markdownText(d.RemoveAfter) + ".")
		}
	}
	add(markdownText(e.Doc))
	add(markdownText(e.Selected))
	add(markdownText(e.Transition))
	add(markdownText(e.Pace))
	if len(e.AlsoOn) > 0 {
		add("Each call records it on " + markdownText(strings.Join(e.AlsoOn, ", ")) + " too.")
	}
	if e.Since != "" {
		add("Since " + markdownText(e.Since) + ".")
	}
	if len(e.Formerly) > 0 {
		add("Formerly " + markdownText(strings.Join(e.Formerly, ", ")) + ".")
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
}

func markdownReplacement(d *deprecated) string {
	switch {
	case d.ReplacedBy == "":
		return ""
	case d.ReplacementID == "":
		return ": " + markdownCode(d.ReplacedBy) + " replaces it"
	}
	return ": [" + markdownCode(d.ReplacedBy) + "](#" + d.ReplacementID + ") replaces it"
}

// markdownParams describes the related object, the params, annotations and labels of an entry.
func markdownParams(e *entry) string {
	var lines []string
	if e.Related.Kind != "" {
		line := "related " + markdownText(e.Related.Kind)
		if e.Related.Optional {
			line += " (optional)"
		}
		lines = append(lines, line)
	}
	for _, p := range e.Params {
		line := markdownCode(p.Name) + " " + markdownText(p.Type)
		if len(p.Values) > 0 {
			line += ": " + markdownValues(p.Values)
		}
		if p.Optional {
			line += " (optional)"
		}
		if p.Redacted {
			line += " (never shown)"
		}
		lines = append(lines, line)
	}
	for _, a := range e.Annotations {
		lines = append(lines, "annotation "+markdownCode(a.Key)+" = "+markdownMessage(a.Value))
	}
	for _, l := range e.Labels {
		line := "label " + markdownCode(l.Key)
		if l.Copied {
			line += " of the object"
		} else {
			line += " = " + cmp.Or(markdownCode(l.Value), `""`)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "<br>")
}

func markdownValues(values []string) string {
	codes := make([]string, len(values))
	for i, value := range values {
		codes[i] = cmp.Or(markdownCode(value), `""`)
	}
	return strings.Join(codes, ", ")
}

// markdownCode returns a code span for a table. Its fence is longer than any row of back-ticks in
// the text.
func markdownCode(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r < ' ' }), " ")
	if strings.TrimSpace(text) == "" {
		return ""
	}
	fence := strings.Repeat("`", longestRun(text, '`')+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + strings.ReplaceAll(text, "|", `\|`) + fence
}

func longestRun(text string, of rune) int {
	longest, run := 0, 0
	for _, r := range text {
		if r != of {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

var addressEscapes = strings.NewReplacer(" ", "%20", "<", "%3C", ">", "%3E", "|", "%7C", "(", "%28", ")", "%29", `\`, "%5C", "`", "%60")

func markdownAddress(address string) string {
	return addressEscapes.Replace(address)
}
