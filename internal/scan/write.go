package scan

import (
	"fmt"
	"go/types"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Columns are those of a scan's tab-separated output.
var Columns = []string{"file", "line", "method", "type", "reason", "message", "regarding", "action", "scope", "how", "note"}

// Row is a site as text, by column. Files are relative to a folder where they lie below it.
func (r *Result) Row(s *Site, dir string) []string {
	at := r.Program.relative(s.Pos, dir)
	return []string{
		at.Filename, strconv.Itoa(at.Line), s.Method, s.Type.String(), s.Reason.String(), s.Message.Formats(), s.Regarding.String(),
		s.Action.String(), string(s.Scope), string(s.Reason.How()), s.notes(r.Program, dir),
	}
}

func (s *Site) notes(p *Program, dir string) string {
	texts := make([]string, len(s.Notes))
	for i, n := range s.Notes {
		texts[i] = fmt.Sprintf("%s: %s", n.What, n.Text)
		if n.Pos.Line != s.Pos.Line || n.Pos.Filename != s.Pos.Filename {
			at := p.relative(n.Pos, dir)
			texts[i] += fmt.Sprintf(" (%s:%d)", at.Filename, at.Line)
		}
	}
	return strings.Join(texts, "; ")
}

// String is the value for people: its text, {A|B} where there are several, and a question mark before what is not known.
func (v Value) String() string {
	var all []string
	for _, t := range v.Alternatives {
		if s := t.String(); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	if len(all) == 0 {
		return ""
	}
	return "{" + strings.Join(all, "|") + "}"
}

// String is the text, with its expressions after question marks.
func (t Text) String() string {
	var b strings.Builder
	for _, p := range t.Parts {
		if p.isLiteral() {
			b.WriteString(p.Literal)
		} else {
			b.WriteString("?" + types.ExprString(p.Expr))
		}
	}
	return b.String()
}

// Formats are the alternatives as formats.
func (v Value) Formats() string {
	var all []string
	for _, t := range v.Alternatives {
		if s := t.Format(); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	if len(all) == 0 {
		return ""
	}
	return "{" + strings.Join(all, "|") + "}"
}

// String names the types of the object.
func (o Object) String() string {
	if o.Nil {
		return "nil"
	}
	names := make([]string, len(o.Types))
	for i, t := range o.Types {
		names[i] = types.TypeString(t, func(p *types.Package) string { return p.Name() })
	}
	return strings.Join(names, "|")
}

var flat = strings.NewReplacer("\t", " ", "\n", `\n`, "\r", `\r`)

// WriteTSV writes the sites as tab-separated text, with a header. Tabs and line ends in texts are replaced.
func (r *Result) WriteTSV(w io.Writer, dir string) error {
	if _, err := fmt.Fprintln(w, strings.Join(Columns, "\t")); err != nil {
		return err
	}
	for _, s := range r.Sites {
		row := r.Row(s, dir)
		for i := range row {
			row[i] = flat.Replace(row[i])
		}
		if _, err := fmt.Fprintln(w, strings.Join(row, "\t")); err != nil {
			return err
		}
	}
	return nil
}
