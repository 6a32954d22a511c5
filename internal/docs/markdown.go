package docs

import (
	"io"
	"strings"
	"text/template"

	"github.com/event-gen/event-gen/internal/model"
	"github.com/event-gen/event-gen/templates"
)

var markdownTemplate = template.Must(template.New("events.md.tmpl").Funcs(template.FuncMap{
	"text":    markdownText,
	"message": markdownMessage,
	"code":    markdownCode,
	"link":    markdownAddress,
	"join":    strings.Join,
}).ParseFS(templates.Docs, "docs/events.md.tmpl"))

// Markdown writes a section with a table for each catalog. No text of a catalog has an effect besides being shown.
func Markdown(w io.Writer, set *model.Set) error {
	return markdownTemplate.Execute(w, newPage(set))
}

var markdownEscapes = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "|", `\|`, `\`, `\\`, "`", "\\`", "*", `\*`, "[", `\[`, "]", `\]`, "~", `\~`,
)

// markdownText shows text on one line of a table, as it is.
func markdownText(text string) string {
	text = markdownEscapes.Replace(strings.Join(strings.Fields(text), " "))
	return underscores(text)
}

// underscores escapes those that could begin or end emphasis, which inside a word they can't.
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

// markdownMessage shows a message with its placeholders, as the catalog would write it.
func markdownMessage(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		if p.Placeholder {
			b.WriteString("{" + p.Text + "}")
		} else {
			b.WriteString(p.Text)
		}
	}
	return markdownCode(b.String())
}

// markdownCode is a code span in a table: fenced by more back-ticks than stand in it.
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
