package report

import (
	"go/token"
	"go/types"
	"io"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/plain"
)

// document is the JSON that programs read. New versions only add fields.
type document struct {
	// Count is the number of sites without the wrappers, whose calls are listed beside them.
	Count int    `json:"count"`
	Sites []site `json:"calls"`
	// Left lists uses of recorders that are not calls.
	Left     []cause  `json:"left,omitempty"`
	Problems []string `json:"problems,omitempty"`
	Skipped  []string `json:"skippedModules,omitempty"`
}

type position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type site struct {
	position
	Package   string     `json:"package"`
	Func      string     `json:"func,omitempty"`
	Method    string     `json:"method"`
	API       string     `json:"api"`
	Scope     string     `json:"scope"`
	Type      value      `json:"type"`
	Reason    value      `json:"reason"`
	Action    *value     `json:"action,omitempty"`
	Messages  []message  `json:"messages"`
	Regarding []string   `json:"regarding"`
	Related   []string   `json:"related,omitempty"`
	Via       []position `json:"via,omitempty"`
	Notes     []cause    `json:"notes,omitempty"`
}

// value holds the constants that an argument can be. Closed: the argument can be nothing else.
type value struct {
	Values []string `json:"values"`
	Closed bool     `json:"closed"`
	How    string   `json:"how"`
	Text   string   `json:"text"`
}

type message struct {
	Format string     `json:"format"`
	Args   []argument `json:"args,omitempty"`
}

type argument struct {
	Expr string `json:"expr"`
	Type string `json:"type,omitempty"`
	Verb string `json:"verb"`
}

type cause struct {
	position
	What string `json:"what"`
	Text string `json:"text"`
}

func writeJSON(w io.Writer, d any) error {
	e := plain.Encoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(d)
}

func documentOf(r *scan.Result, dir string) document {
	d := document{Count: r.Recording(), Sites: []site{}, Skipped: r.Program.Skipped}
	for _, s := range r.Sites {
		d.Sites = append(d.Sites, siteOf(s, dir))
	}
	d.Left = causesOf(r.Left, dir)
	for _, p := range r.Program.Problems {
		d.Problems = append(d.Problems, p.In(dir))
	}
	return d
}

func siteOf(s *scan.Site, dir string) site {
	out := site{
		position: positionOf(s.Pos, dir), Package: s.Package.Path, Method: s.Method, API: string(s.Shape.API), Scope: string(s.Scope),
		Type: valueOf(s.Type), Reason: valueOf(s.Reason), Messages: messagesOf(s.Message), Regarding: typesOf(s.Regarding),
		Related: typesOf(s.Related), Notes: causesOf(s.Notes, dir),
	}
	if s.Func != nil {
		out.Func = s.Func.Name.Name
	}
	if s.Action.Known() {
		action := valueOf(s.Action)
		out.Action = &action
	}
	for _, v := range s.Via {
		out.Via = append(out.Via, positionOf(v.Pos, dir))
	}
	return out
}

func positionOf(at token.Position, dir string) position {
	at = scan.Relative(at, dir)
	return position{at.Filename, at.Line, at.Column}
}

func valueOf(v scan.Value) value {
	return value{Values: append([]string{}, v.Constants()...), Closed: v.Closed(), How: string(v.How()), Text: v.String()}
}

func messagesOf(v scan.Value) []message {
	out := []message{}
	for _, t := range v.Alternatives {
		m := message{Format: t.Format()}
		for _, p := range t.Args() {
			a := argument{Expr: types.ExprString(p.Expr), Verb: p.Verb}
			if p.Type != nil {
				a.Type = types.TypeString(p.Type, nil)
			}
			m.Args = append(m.Args, a)
		}
		out = append(out, m)
	}
	return out
}

func typesOf(o scan.Object) []string {
	var out []string
	for _, t := range o.Types {
		out = append(out, types.TypeString(t, nil))
	}
	return out
}

func causesOf(causes []scan.Cause, dir string) []cause {
	var out []cause
	for _, c := range causes {
		out = append(out, cause{positionOf(c.Pos, dir), c.What, c.Text})
	}
	return out
}
