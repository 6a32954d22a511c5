package format

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Of a long line, what is around the finding is shown.
const (
	shownBefore = 100
	shownAfter  = 140
)

// writeText writes each finding on a line, with the line of the catalog below it and a caret below that, and sums up.
func writeText(w io.Writer, r *Report) error {
	out := bufio.NewWriter(w)
	sources := newLines(r.Source)
	paint := newPaint(r.Colour)
	for _, f := range r.Findings {
		fmt.Fprintln(out, paint.finding(f))
		if line := sources.line(f.Pos.File, f.Pos.Line); !line.blank {
			shown, column := line.window(max(f.Pos.Column, 1))
			fmt.Fprintf(out, "%s\n%s%s\n", shown, strings.Repeat(" ", column-1), paint.caret("^"))
		}
		for _, line := range matchers(f.Change) {
			fmt.Fprintf(out, "    %s\n", line)
		}
	}
	if r.Judged != "" && (len(r.Problems) == 0 || len(r.Findings) > 0) {
		fmt.Fprintln(out, clean(r.summary()))
	}
	return out.Flush()
}

// window is the part of a line around a column, and the column in it.
func (l *line) window(column int) (shown string, at int) {
	column = min(column, l.runes+1)
	start, end := max(0, column-1-shownBefore), min(l.runes, column-1+shownAfter)
	before, after := "", ""
	if start > 0 {
		before = "…"
	}
	if end < l.runes {
		after = "…"
	}
	return before + clean(l.text[l.offset(start):l.offset(end)]) + after, column - start + utf8.RuneCountInString(before)
}
