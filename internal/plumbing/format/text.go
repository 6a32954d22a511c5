package format

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/fatih/color"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/plain"
)

// The numbers of columns of a long line that are shown before and after a finding.
const (
	shownBefore = 100
	shownAfter  = 140
)

// writeText writes each finding on a line, with the line of the catalog and a caret below it, and a
// summary at the end.
func writeText(w io.Writer, r *Report) error {
	out := bufio.NewWriter(w)
	sources := newLines(r.Source)
	paint := newPaint(r.Colour)
	for _, f := range r.Findings {
		fmt.Fprintln(out, paint.finding(f))
		if line := sources.text(f.Pos.File, f.Pos.Line); strings.TrimSpace(line) != "" {
			shown, column := window(line, max(f.Pos.Column, 1))
			fmt.Fprintf(out, "%s\n%s%s\n", shown, strings.Repeat(" ", column-1), paint.caret("^"))
		}
		for _, line := range matchers(f.Change) {
			fmt.Fprintf(out, "    %s\n", line)
		}
	}
	if r.Judged != "" && (len(r.Problems) == 0 || len(r.Findings) > 0) {
		fmt.Fprintln(out, Clean(r.summary()))
	}
	return out.Flush()
}

// window returns the part of a line around a column, and the column in it.
func window(line string, column int) (shown string, at int) {
	runes := []rune(line)
	column = min(column, len(runes)+1)
	start, end := max(0, column-1-shownBefore), min(len(runes), column-1+shownAfter)
	before, after := "", ""
	if start > 0 {
		before = "…"
	}
	if end < len(runes) {
		after = "…"
	}
	return before + Clean(string(runes[start:end])) + after, column - start + utf8.RuneCountInString(before)
}

// paint holds functions that add colours to parts of text, or add nothing.
type paint struct {
	severities         map[diag.Severity]func(...any) string
	place, rule, caret func(...any) string
}

func newPaint(on bool) paint {
	with := func(attributes ...color.Attribute) func(...any) string {
		c := color.New(attributes...)
		if on {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
		return c.Sprint
	}
	return paint{
		severities: map[diag.Severity]func(...any) string{
			diag.Error:   with(color.FgRed, color.Bold),
			diag.Warning: with(color.FgYellow, color.Bold),
			diag.Info:    with(color.FgCyan, color.Bold),
		},
		place: with(color.Bold),
		rule:  with(color.Faint),
		caret: with(color.FgGreen, color.Bold),
	}
}

// finding returns a finding on one line: file:line:column: severity: message [rule].
func (p paint) finding(f diag.Finding) string {
	text := fmt.Sprintf("%s %s: %s", p.place(Clean(f.Pos.String())+":"), p.severities[f.Severity](f.Severity), Clean(f.Message))
	if f.Rule != "" {
		text += " " + p.rule("["+Clean(f.Rules())+"]")
	}
	return text
}

// Clean returns text that is safe to print on one line.
func Clean(text string) string { return plain.Line(text) }
