package scan

import (
	"go/types"
	"slices"
	"strings"
)

// String returns the value for people: its text, or {A|B} for several, with a question mark before
// each unknown expression.
func (v Value) String() string {
	return v.shown(Text.String)
}

// shown applies a function to the alternatives, and joins the different results.
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

// String returns the text, with a question mark before each expression.
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

// Formats returns the alternatives as formats.
func (v Value) Formats() string { return v.shown(Text.Format) }

// String returns the names of the object's types.
func (o Object) String() string {
	if o.Nil {
		return "nil"
	}
	names := make([]string, len(o.Types))
	for i, t := range o.Types {
		names[i] = types.TypeString(t, (*types.Package).Name)
	}
	return strings.Join(names, "|")
}
