package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/format"
)

// columns holds the heads of the tab-separated output.
var columns = []string{"file", "line", "method", "type", "reason", "message", "regarding", "action", "scope", "how", "note"}

// flat replaces the characters that end a column or a line.
var flat = strings.NewReplacer("\t", " ", "\n", `\n`, "\r", `\r`)

// inColumn makes text of the scanned program fit for a column on a terminal.
func inColumn(text string) string { return format.Clean(flat.Replace(text)) }

func writeTSV(w io.Writer, r *scan.Result, dir string) error {
	if _, err := fmt.Fprintln(w, strings.Join(columns, "\t")); err != nil {
		return err
	}
	var last []string
	for _, s := range r.Sites {
		cells := row(s, dir)
		for i := range cells {
			cells[i] = inColumn(cells[i])
		}
		if slices.Equal(cells, last) {
			continue
		}
		last = cells
		if _, err := fmt.Fprintln(w, strings.Join(cells, "\t")); err != nil {
			return err
		}
	}
	return nil
}

// row returns the texts of a site, in the order of columns.
func row(s *scan.Site, dir string) []string {
	at := scan.Relative(s.Pos, dir)
	return []string{
		at.Filename, strconv.Itoa(at.Line), s.Method, s.Type.String(), s.Reason.String(), s.Message.Formats(), s.Regarding.String(),
		s.Action.String(), string(s.Scope), string(s.Reason.How()), notes(s, dir),
	}
}

func notes(s *scan.Site, dir string) string {
	texts := make([]string, len(s.Notes))
	for i, n := range s.Notes {
		texts[i] = fmt.Sprintf("%s: %s", n.What, n.Text)
		if n.Pos.Line != s.Pos.Line || n.Pos.Filename != s.Pos.Filename {
			at := scan.Relative(n.Pos, dir)
			texts[i] += fmt.Sprintf(" (%s:%d)", at.Filename, at.Line)
		}
	}
	return strings.Join(texts, "; ")
}
