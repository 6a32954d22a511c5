package emit

import (
	godoc "go/doc/comment"
	"strings"
	"unicode/utf8"
)

// Text is written in gofmt's form, because parsing and printing it would take most of a run.

// line is a line of a composite literal.
type line struct {
	comments []string // on lines of their own above
	items    []string // a single item may have several lines
}

// alone reports whether a line holds one item, and all of it.
func (l *line) alone() bool { return len(l.items) == 1 && l.whole() }

// whole reports whether the first item ends on the line.
func (l *line) whole() bool { return !strings.Contains(l.items[0], "\n") }

// keyed writes the lines of a struct literal, indented by that many tabs. Like gofmt, it aligns the first values of neighbouring lines, as
// long as each line but the last has one field.
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

// aligned returns the number of lines whose values align with the first line's.
func aligned(lines []line) int {
	n := 1
	for n < len(lines) && lines[n-1].alone() && lines[n].whole() && len(lines[n].comments) == 0 {
		n++
	}
	return n
}

// columns writes rows of two cells behind a tab, with the second cells aligned.
func (f *file) columns(rows [][2]string) {
	width := 0
	for _, r := range rows {
		width = max(width, utf8.RuneCountInString(r[0]))
	}
	for _, r := range rows {
		f.text.WriteString("\t" + r[0] + strings.Repeat(" ", 1+width-utf8.RuneCountInString(r[0])) + r[1] + "\n")
	}
}

// lines writes indented lines.
func (f *file) lines(indent string, lines []string) {
	for _, line := range lines {
		f.text.WriteString(indent + line + "\n")
	}
}

// doc writes the comment of a declaration in the form that gofmt gives doc comments.
func (f *file) doc(lines []string) {
	var text strings.Builder
	for _, line := range lines {
		text.WriteString(strings.TrimPrefix(strings.TrimPrefix(line, "//"), " ") + "\n")
	}
	comment := formatted(text.String())
	if strings.Contains(comment, "]: ") {
		comment = formatted(comment) // gofmt moves the definition of a link to the end; an item that was nothing else is now empty
	}
	for line := range strings.Lines(comment) {
		sign := "// "
		if line[0] == '\n' || line[0] == '\t' {
			sign = "//"
		}
		f.text.WriteString(strings.TrimRight(sign+line, " \n") + "\n")
	}
}

func formatted(comment string) string {
	var parser godoc.Parser
	var printer godoc.Printer
	return string(printer.Comment(parser.Parse(comment)))
}
