package emit

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/event-gen/event-gen/internal/plumbing/plain"
)

// wrapColumn is the width at which comments wrap, the slashes included.
const wrapColumn = 100

// doc collects the paragraphs of a doc comment, as wrapped lines.
type doc struct {
	paragraphs [][]string
}

func (d *doc) add(text string) {
	d.paragraphs = append(d.paragraphs, paragraphs(text)...)
}

// code adds verbatim text. It quotes text that go/doc would read as an item of a list, and wraps
// text that is longer than a line.
func (d *doc) code(text string) {
	text = oneLine(text)
	if listItem.MatchString(text) {
		text = strconv.Quote(text)
	}
	lines := []string{text}
	if utf8.RuneCountInString(text) > maxColumns-tabColumns-len("//") {
		lines = paragraph(text)
	}
	for i := range lines {
		lines[i] = "\t" + lines[i]
	}
	d.paragraphs = append(d.paragraphs, lines)
}

// listItem matches indented text that go/doc reads as an item of a list. gofmt would rewrite such
// text.
var listItem = regexp.MustCompile(`^([-*+•]|[0-9]+[.)])(\s|$)`)

// lines joins the paragraphs with blank lines.
func (d *doc) lines() []string {
	var out []string
	for i, p := range d.paragraphs {
		if i > 0 {
			out = append(out, "")
		}
		out = append(out, p...)
	}
	return commentLines(out)
}

// commentLines puts slashes before lines. Jennifer leaves such lines as they are.
func commentLines(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimRightFunc("// "+line, unicode.IsSpace)
		if strings.HasPrefix(line, "\t") {
			out[i] = "//" + strings.TrimRightFunc(line, unicode.IsSpace)
		}
	}
	return out
}

// paragraphs splits text at blank lines and wraps each part. Lines of lists and indented lines stay
// as they are.
func paragraphs(text string) [][]string {
	var out [][]string
	var words []string
	inList := false
	flush := func() {
		if len(words) > 0 {
			out = append(out, paragraph(strings.Join(words, " ")))
			words = nil
		}
	}
	for line := range strings.Lines(text) {
		line = oneLine(strings.TrimRight(line, "\r\n"))
		switch trimmed := strings.TrimSpace(line); {
		case trimmed == "":
			flush()
		case isItem(trimmed):
			flush()
			item := paragraph("  - " + trimmed[2:])
			if last := len(out) - 1; inList {
				out[last] = append(out[last], item...)
			} else {
				out = append(out, item)
			}
			inList = true
			continue
		default:
			words = append(words, trimmed)
		}
		inList = false
	}
	flush()
	return out
}

func isItem(line string) bool {
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ")
}

// paragraph wraps text at words. A word that is longer than a line has a line of its own.
func paragraph(text string) []string {
	indent := ""
	if strings.HasPrefix(text, "  - ") {
		indent = "    "
	}
	var lines []string
	line := text[:len(text)-len(strings.TrimLeft(text, " "))]
	width := 3 + len([]rune(line))
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
			line += word
		case width+1+n > wrapColumn:
			lines = append(lines, line)
			line, width = indent+word, 3+len(indent)+n
			continue
		default:
			line += " " + word
			width++
		}
		width += n
	}
	return append(lines, line)
}

// oneLine replaces hidden characters, line ends among them, by spaces, so that text can't end a
// line comment, nor deceive its reader.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if plain.Hidden(r) {
			return ' '
		}
		return r
	}, text)
}
