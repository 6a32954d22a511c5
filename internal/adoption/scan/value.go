package scan

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// How is the form in which code writes a constant value.
type How string

// The forms of values, as a reader of the call sees them.
const (
	Literal      How = "literal"
	Const        How = "const"      // a constant of the site's package
	ConstElse    How = "const-xpkg" // a constant of another package
	Conversion   How = "conversion" // string(C), C.String()
	Concatenated How = "concat"     // of constants
	Local        How = "local"      // a local variable, or the results of functions
	Field        How = "field"      // a field whose values are all known
	Global       How = "var"        // a package variable that nothing else writes
	ZeroValue    How = "zero"
	Missing      How = "missing" // the empty text of a missing element or field
	Runtime      How = "dynamic"
)

// Value holds the possible texts of a string argument.
type Value struct {
	// Expr is the argument as written at the site. It is nil if a wrapper fixes the value.
	Expr ast.Expr
	// Alternatives are in source order. A closed set of constants has only constant ones.
	Alternatives []Text
}

// Text is one alternative of a value: a sequence of literal texts and expressions.
type Text struct {
	Parts []Part
	How   How
	// Const is the declared constant with exactly this text, or nil.
	Const *types.Const
	// Pos is the position of the text, in the site's function or elsewhere.
	Pos token.Pos
	// Def is the statement that chooses this alternative: an assignment or a return. It is nil if
	// there is no choice.
	Def ast.Node
	// Info has the types of the package that contains the text's expressions.
	Info *types.Info
	// entry is set if the text is a parameter's value before any of several assignments: it is the
	// parameter's function.
	entry *function
}

// Part is literal text, or an expression with the verb that renders it.
type Part struct {
	// Literal is literal text. Expr is nil then.
	Literal string
	Expr    ast.Expr
	Info    *types.Info
	// Type is the expression's static type, or nil if it is unknown.
	Type types.Type
	// Verb renders the expression, as in fmt: %s, %-5d, %.2f.
	Verb string
	// Cause is the reason why the expression's value is unknown. It is empty if nothing looked for
	// the value.
	Cause string

	param *paramRef
	field *fieldRef
	// format and args belong to a call of fmt.Sprintf or Eventf whose format callers pass, or of
	// Eventf whose format is not constant.
	format []Part
	args   *formatArgs
	// through are the calls of the functions that make the text of format and args, innermost
	// first.
	through []*binding
	// bare: format has no arguments, and the event has its text.
	bare bool
	// written is the part's verb in the code, if Verb comes from a value that scan has looked
	// through.
	written string
	// pure is the call of a function whose arguments callers pass.
	pure *pureCall
	// in is the scope of the expression, for parts that are evaluated again.
	in *scope
}

// paramRef is a parameter of a function. Index -1 is the receiver.
type paramRef struct {
	fn    *function
	index int
}

// fieldRef is a field of a struct that a parameter or the receiver of a function leads to.
type fieldRef struct {
	owner string // import path and name of the struct type
	name  string
	root  *paramRef // nil where the struct comes from elsewhere
	// decoded: the field can also come from JSON, as in API objects. Then only literals that a call
	// passes count.
	decoded bool
}

// key identifies the field.
func (f *fieldRef) key() string { return f.owner + "." + f.name }

func (p Part) isLiteral() bool { return p.Expr == nil && p.param == nil && p.field == nil }

// symbolic reports whether callers or carriers decide the part.
func (p Part) symbolic() bool {
	return p.param != nil || p.field != nil && p.field.root != nil || slices.ContainsFunc(p.format, Part.symbolic) ||
		p.pure != nil && slices.ContainsFunc(p.pure.args, Text.symbolic)
}

// Constant returns the text if it is constant.
func (t Text) Constant() (string, bool) {
	var b strings.Builder
	for _, p := range t.Parts {
		if !p.isLiteral() {
			return "", false
		}
		b.WriteString(p.Literal)
	}
	return b.String(), true
}

// Format returns the text in the syntax of fmt: verbs, and literal text with each % doubled.
func (t Text) Format() string {
	var b strings.Builder
	for _, p := range t.opened().Parts {
		switch {
		case p.format != nil:
			b.WriteString(pending(p.format))
		case p.isLiteral():
			b.WriteString(strings.ReplaceAll(p.Literal, "%", "%%"))
		default:
			b.WriteString(p.verb())
		}
	}
	return b.String()
}

// pending returns the known parts of a pending format, with verbs for the others.
func pending(format []Part) string {
	var b strings.Builder
	for _, p := range format {
		if p.isLiteral() {
			b.WriteString(p.Literal)
		} else {
			b.WriteString(cmp.Or(p.verb(), "%s"))
		}
	}
	return b.String()
}

// verb returns the part's verb in the code.
func (p Part) verb() string { return cmp.Or(p.written, p.Verb) }

// Args returns the expressions of the text, in order, with the verbs that Format shows.
func (t Text) Args() []Part {
	args := slices.DeleteFunc(slices.Clone(t.opened().Parts), Part.isLiteral)
	for i := range args {
		args[i].Verb = args[i].verb()
	}
	return args
}

func (t Text) symbolic() bool { return slices.ContainsFunc(t.Parts, Part.symbolic) }

// Known reports whether scan found anything about the value.
func (v Value) Known() bool { return len(v.Alternatives) > 0 }

// Closed reports whether every alternative is constant.
func (v Value) Closed() bool {
	for _, t := range v.Alternatives {
		if _, ok := t.Constant(); !ok {
			return false
		}
	}
	return len(v.Alternatives) > 0
}

// Constants returns the different constant alternatives, in source order.
func (v Value) Constants() []string {
	var out []string
	for _, t := range v.Alternatives {
		if s, ok := t.Constant(); ok && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// Constant returns the value if it is one constant.
func (v Value) Constant() (string, bool) {
	c := v.Constants()
	if len(c) != 1 || !v.Closed() {
		return "", false
	}
	return c[0], true
}

// How returns the form of the only alternative, or Local if there are several.
func (v Value) How() How {
	switch {
	case len(v.Alternatives) == 0:
		return ""
	case !v.Closed():
		return Runtime
	case len(v.Alternatives) == 1:
		return v.Alternatives[0].How
	}
	return Local
}

func (v Value) symbolic() bool { return slices.ContainsFunc(v.Alternatives, Text.symbolic) }

// literalText returns a constant text.
func literalText(s string, how How, pos token.Pos) Text {
	return Text{Parts: []Part{{Literal: s}}, How: how, Pos: pos}
}

// join concatenates texts, and merges neighbouring literals.
func join(texts ...Text) Text {
	var out Text
	for _, t := range texts {
		for _, p := range t.Parts {
			out.Parts = appendPart(out.Parts, p)
		}
		if out.Def == nil {
			out.Def = t.Def
		}
	}
	return out
}

func appendPart(parts []Part, p Part) []Part {
	if last := len(parts) - 1; p.isLiteral() && last >= 0 && parts[last].isLiteral() {
		parts[last].Literal += p.Literal
		return parts
	}
	return append(parts, p)
}
