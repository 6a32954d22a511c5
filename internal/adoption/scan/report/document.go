package report

import (
	"encoding/json"
	"go/token"
	"go/types"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// document is the JSON or YAML that programs read. New versions only add fields.
type document struct {
	// Count is the number of sites without the wrappers, whose calls are listed beside them.
	Count int    `json:"count" yaml:"count"`
	Sites []site `json:"calls" yaml:"calls"`
	// Left lists uses of recorders that are not calls.
	Left     []cause  `json:"left,omitempty" yaml:"left,omitempty"`
	Problems []string `json:"problems,omitempty" yaml:"problems,omitempty"`
	Skipped  []string `json:"skippedModules,omitempty" yaml:"skippedModules,omitempty"`
}

type position struct {
	File   string `json:"file" yaml:"file"`
	Line   int    `json:"line" yaml:"line"`
	Column int    `json:"column" yaml:"column"`
}

type site struct {
	position  `yaml:",inline"`
	Package   string     `json:"package" yaml:"package"`
	Func      string     `json:"func,omitempty" yaml:"func,omitempty"`
	Method    string     `json:"method" yaml:"method"`
	API       string     `json:"api" yaml:"api"`
	Scope     string     `json:"scope" yaml:"scope"`
	Type      value      `json:"type" yaml:"type"`
	Reason    value      `json:"reason" yaml:"reason"`
	Action    *value     `json:"action,omitempty" yaml:"action,omitempty"`
	Messages  []message  `json:"messages" yaml:"messages"`
	Regarding []string   `json:"regarding" yaml:"regarding"`
	Related   []string   `json:"related,omitempty" yaml:"related,omitempty"`
	Via       []position `json:"via,omitempty" yaml:"via,omitempty"`
	Notes     []cause    `json:"notes,omitempty" yaml:"notes,omitempty"`
}

// value holds the constants that an argument can be. Closed: the argument can be nothing else.
type value struct {
	Values []string `json:"values" yaml:"values"`
	Closed bool     `json:"closed" yaml:"closed"`
	How    string   `json:"how" yaml:"how"`
	Text   string   `json:"text" yaml:"text"`
}

type message struct {
	Format string     `json:"format" yaml:"format"`
	Args   []argument `json:"args,omitempty" yaml:"args,omitempty"`
}

type argument struct {
	Expr string `json:"expr" yaml:"expr"`
	Type string `json:"type,omitempty" yaml:"type,omitempty"`
	Verb string `json:"verb" yaml:"verb"`
}

type cause struct {
	position `yaml:",inline"`
	What     string `json:"what" yaml:"what"`
	Text     string `json:"text" yaml:"text"`
}

func writeJSON(w io.Writer, d any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(d)
}

func writeYAML(w io.Writer, d document) error {
	e := yaml.NewEncoder(w)
	e.SetIndent(2)
	if err := e.Encode(d); err != nil {
		return err
	}
	return e.Close()
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
