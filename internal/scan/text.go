package scan

import (
	"go/types"
	"slices"
	"strings"
)

// String is the value for people: its text, {A|B} where there are several, and a question mark before what is not known.
func (v Value) String() string {
	return v.shown(Text.String)
}

// shown lists what a function makes of the alternatives, each once.
func (v Value) shown(as func(Text) string) string {
	var all []string
	for _, t := range v.Alternatives {
		if s := as(t); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	switch len(all) {
	case 0:
		return ""
	case 1:
		return all[0]
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
func (v Value) Formats() string { return v.shown(Text.Format) }

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
