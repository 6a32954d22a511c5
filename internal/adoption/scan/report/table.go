package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/format"
)

// widest is the number of characters that the table shows of a text.
const widest = 60

// writeTable writes the sites, then what scan could not decide, then the counts.
func writeTable(w io.Writer, r *scan.Result, dir string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(r.Sites) > 0 {
		fmt.Fprintln(t, "WHERE\tSCOPE\tTYPE\tREASON\tREGARDING\tMESSAGE")
	}
	last := ""
	for _, s := range r.Sites {
		at := scan.Relative(s.Pos, dir)
		line := fmt.Sprintf("%s:%d\t%s\t%s\t%s\t%s\t%s\n", inColumn(at.Filename), at.Line, s.Scope, inColumn(s.Type.String()),
			inColumn(s.Reason.String()), inColumn(s.Regarding.String()), short(s.Message.Formats()))
		if line != last { // rows that differ in nothing shown are one
			fmt.Fprint(t, line)
		}
		last = line
	}
	if err := t.Flush(); err != nil {
		return err
	}
	writeUndecided(w, r, dir)
	_, err := fmt.Fprintln(w, summary(Summarize(r)))
	return err
}

func short(s string) string {
	runes := []rune(inColumn(s))
	if len(runes) <= widest {
		return string(runes)
	}
	return string(runes[:widest-1]) + "…"
}

// writeUndecided lists what scan does not know about sites, and uses of recorders that are not
// calls. A line is file:line:col: what: why.
func writeUndecided(w io.Writer, r *scan.Result, dir string) {
	var lines []string
	for _, s := range r.Sites {
		for _, n := range s.Notes {
			lines = append(lines, leftLine(scan.Cause{Pos: s.Pos, What: n.What, Text: n.Text}, dir))
		}
	}
	for _, n := range r.Left {
		lines = append(lines, leftLine(n, dir))
	}
	if len(lines) > 0 {
		fmt.Fprintf(w, "\nNot decided:\n%s\n", strings.Join(lines, "\n"))
	}
	if len(r.Sites) > 0 || len(lines) > 0 {
		fmt.Fprintln(w)
	}
}

func leftLine(c scan.Cause, dir string) string {
	return inColumn(fmt.Sprintf("%s: %s: %s", scan.Relative(c.Pos, dir), c.What, c.Text))
}

// flat replaces the characters that end a column or a line.
var flat = strings.NewReplacer("\t", " ", "\n", `\n`, "\r", `\r`)

// inColumn makes text of the scanned program fit for a column on a terminal.
func inColumn(text string) string { return format.Clean(flat.Replace(text)) }

// summary returns the last line of the table: the number of sites by scope, and of sites with a
// known reason. It leaves out zeros.
func summary(s Summary) string {
	var scopes []string
	if s.Direct > 0 {
		scopes = append(scopes, fmt.Sprintf("%d direct", s.Direct))
	}
	if s.ThroughWrapper > 0 {
		scopes = append(scopes, fmt.Sprintf("%d through %s in wrappers", s.ThroughWrapper, format.Count(s.InWrapper, "call")))
	}
	text := format.Count(s.Sites, "call")
	if len(scopes) > 0 {
		text += ": " + strings.Join(scopes, ", ")
	}
	return text + known(s) + "."
}

// known reports how many sites have a known reason.
func known(s Summary) string {
	switch {
	case s.Sites == 0:
		return ""
	case s.Sites == 1 && s.Known == 1:
		return "; the reason is known"
	case s.Sites == 1:
		return "; the reason is not known"
	case s.Known == s.Sites:
		return "; all reasons are known"
	case s.Known == 0:
		return "; no reason is known"
	}
	return fmt.Sprintf("; the reason is known of %d, and not of %d", s.Known, s.Sites-s.Known)
}
