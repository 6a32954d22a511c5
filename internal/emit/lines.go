package emit

import (
	godoc "go/doc/comment"
	"strings"
	"unicode/utf8"
)

// Text is written as gofmt has it: parsing and printing all of it would be the greater part of a run.

// line is a line of a composite literal.
type line struct {
	comments []string // on lines of their own above
	items    []string // one that is alone may go on on lines that follow
}

// alone reports whether a line is one item that ends with it.
func (l *line) alone() bool { return len(l.items) == 1 && l.whole() }

// whole reports whether the first item of a line ends with it.
func (l *line) whole() bool { return !strings.Contains(l.items[0], "\n") }

// keyed writes lines of a literal of fields, each line behind indent tabs and each field before a comma. As gofmt does, it aligns the first
// values of lines that follow one another as long as each but the last is one field.
func (f *file) keyed(lines []line, indent int) {
	tabs := strings.Repeat("\t", indent)
	for len(lines) > 0 {
		n := aligned(lines)
		width := 0
		for i := range lines[:n] {
			width = max(width, strings.Index(lines[i].items[0], ":"))
		}
		for i := range lines[:n] {
			l := &lines[i]
			f.lines(tabs, l.comments)
			key, value, _ := strings.Cut(l.items[0], ": ")
			f.text.WriteString(tabs + key + ":" + strings.Repeat(" ", 1+width-len(key)) + value)
			for _, item := range l.items[1:] {
				f.text.WriteString(", " + item)
			}
			f.text.WriteString(",\n")
		}
		lines = lines[n:]
	}
}

// aligned is how many of the lines have their values aligned with that of the first.
func aligned(lines []line) int {
	n := 1
	for n < len(lines) && lines[n-1].alone() && lines[n].whole() && len(lines[n].comments) == 0 {
		n++
	}
	return n
}

// columns writes rows of two cells, the second cells aligned, each row behind a tab.
func (f *file) columns(rows [][2]string) {
	width := 0
	for _, r := range rows {
		width = max(width, utf8.RuneCountInString(r[0]))
	}
	for _, r := range rows {
		f.text.WriteString("\t" + r[0] + strings.Repeat(" ", 1+width-utf8.RuneCountInString(r[0])) + r[1] + "\n")
	}
}

// lines writes lines behind an indent.
func (f *file) lines(indent string, lines []string) {
	for _, line := range lines {
		f.text.WriteString(indent + line + "\n")
	}
}

// doc writes lines of a comment above a declaration, of which gofmt has its own idea.
func (f *file) doc(lines []string) {
	var text strings.Builder
	for _, line := range lines {
		text.WriteString(strings.TrimPrefix(strings.TrimPrefix(line, "//"), " ") + "\n")
	}
	var parser godoc.Parser
	var printer godoc.Printer
	for line := range strings.Lines(string(printer.Comment(parser.Parse(text.String())))) {
		switch line[0] {
		case '\n', '\t':
			f.text.WriteString("//" + line)
		default:
			f.text.WriteString("// " + line)
		}
	}
}
