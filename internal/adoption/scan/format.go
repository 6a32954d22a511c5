package scan

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strconv"
	"strings"
	"unicode/utf8"
)

// formatArgs holds the arguments of a format that callers pass.
type formatArgs struct {
	parts []Part
	// rest is the variadic parameter that the call passes on as args... .
	rest *paramRef
}

func (a *formatArgs) none() bool { return len(a.parts) == 0 && a.rest == nil }

// Directive is a piece of a format: literal text, or a verb with its flags.
type Directive struct {
	// Text is the literal text, or the verb as written, such as %-5d or %[2]s.
	Text string
	// Letter is the verb's letter. It is 0 for literal text, and * for an argument that gives the
	// next verb's width or precision.
	Letter rune
	// Arg is the index of the verb's argument.
	Arg int
	// Indexed: here or before, the format names an argument by its index.
	Indexed bool
}

// Directives splits a format. It reports whether every verb is complete. An incomplete verb ends
// the format, as literal text.
func Directives(format string) (all []Directive, complete bool) {
	next := Directive{}
	for {
		before, rest, found := strings.Cut(format, "%")
		all = append(all, Directive{Text: before})
		if !found {
			return all, true
		}
		i := 0
		for ; i < len(rest) && strings.IndexByte("+-# 0123456789.*[", rest[i]) >= 0; i++ {
			switch rest[i] {
			case '*':
				all = append(all, Directive{"%" + rest[:i+1], '*', next.Arg, next.Indexed})
				next.Arg++
			case '[':
				index, size := argIndex(rest[i:])
				if size == 0 {
					return append(all, Directive{Text: "%" + rest}), false
				}
				next.Arg, next.Indexed = index, true
				i += size
			}
		}
		letter, size := utf8.DecodeRuneInString(rest[i:])
		switch {
		case size == 0:
			return append(all, Directive{Text: "%!(NOVERB)"}), false
		case letter == '%':
			all = append(all, Directive{Text: "%"})
		default:
			all = append(all, Directive{"%" + rest[:i+size], letter, next.Arg, next.Indexed})
			next.Arg++
		}
		format = rest[i+size:]
	}
}

// argIndex reads an explicit index [n]. It returns the place of the closing bracket, or 0 if there
// is no valid index.
func argIndex(s string) (index, end int) {
	end = strings.IndexByte(s, ']')
	n, err := strconv.Atoi(s[1:max(end, 1)])
	if err != nil || n < 1 {
		return 0, 0
	}
	return n - 1, end
}

// leavesOver reports whether a format without explicit indexes has fewer verbs than arguments. fmt
// shows the others as %!(EXTRA …).
func leavesOver(format string, args int) bool {
	all, _ := Directives(format)
	used := 0
	for _, d := range all {
		if d.Indexed {
			return false
		}
		if d.Letter != 0 {
			used = d.Arg + 1
		}
	}
	return used < args
}

// verb returns the directive without an explicit index of its argument.
func (d Directive) verb() string {
	before, after, indexed := strings.Cut(d.Text, "[")
	if indexed {
		_, after, _ = strings.Cut(after, "]")
	}
	return before + after
}

// expand puts arguments into a format. The text has the position and the definition of the text
// that holds the format, and its form if the arguments are constant.
func (e *evaluator) expand(format string, args []Part, of Text) Text {
	t := Text{How: Runtime, Pos: of.Pos, Def: of.Def, Info: e.pkg.Info}
	directives, _ := Directives(format)
	for _, d := range directives {
		switch d.Letter {
		case 0:
			t.Parts = appendLiteral(t.Parts, d.Text)
		case '*':
		default:
			for _, p := range e.filled(d, args) {
				t.Parts = appendPart(t.Parts, p)
			}
		}
	}
	if _, ok := t.Constant(); ok {
		t.How = of.How
	}
	return t
}

func appendLiteral(parts []Part, s string) []Part {
	if s == "" {
		return parts
	}
	return appendPart(parts, Part{Literal: s})
}

// filled returns the parts that a verb renders: its argument or, if the verb only copies text, the
// parts of the argument.
func (e *evaluator) filled(d Directive, args []Part) []Part {
	if d.Arg >= len(args) {
		return []Part{{Literal: "%!" + string(d.Letter) + "(MISSING)"}}
	}
	p := args[d.Arg]
	if p.isLiteral() {
		return []Part{{Literal: fmt.Sprintf(d.verb(), p.Literal)}}
	}
	p.Verb = d.verb()
	if strings.Contains(p.Verb, "*") {
		p.Cause = "the width or precision of " + p.Verb + " is an argument"
		return []Part{p}
	}
	if text, ok := constantArg(p); ok {
		return []Part{{Literal: text}}
	}
	if inner, ok := e.looksThrough(p); ok {
		return inner
	}
	return []Part{p}
}

// constantArg renders a constant argument by its verb. The text of a value that does not fit its
// verb is unknown, because fmt names the type.
func constantArg(p Part) (string, bool) {
	if p.Info == nil || p.Expr == nil {
		return "", false
	}
	tv, ok := p.Info.Types[p.Expr]
	if !ok || tv.Value == nil || hasStringMethod(tv.Type) {
		return "", false
	}
	value, fits := constantOf(tv)
	if value == nil || !strings.Contains(fits, p.Verb[len(p.Verb)-1:]) {
		return "", false
	}
	return fmt.Sprintf(p.Verb, value), true
}

// constantOf returns a text, integer or boolean, and the verbs that fit it; nil for other values.
func constantOf(tv types.TypeAndValue) (value any, verbs string) {
	switch v := tv.Value; v.Kind() {
	case constant.String:
		return constant.StringVal(v), "svqxX"
	case constant.Bool:
		return constant.BoolVal(v), "tv"
	case constant.Int: // or a float without a fraction
		b, _ := types.Default(tv.Type).Underlying().(*types.Basic)
		if n, exact := constant.Int64Val(v); exact && b != nil && b.Info()&types.IsInteger != 0 {
			return n, "dvbcoOqxXU"
		}
	}
	return nil, ""
}

// hasStringMethod reports whether fmt calls a method of the value to get its text.
func hasStringMethod(t types.Type) bool {
	for _, name := range []string{"String", "Error", "Format"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name); obj != nil {
			if _, ok := obj.(*types.Func); ok {
				return true
			}
		}
	}
	return false
}

// looksThrough returns the parts of a string argument if they show more than its expression, as for
// a local variable that holds a constant or the result of fmt.Sprintf.
func (e *evaluator) looksThrough(p Part) ([]Part, bool) {
	if !p.Plain() || p.Expr == nil || p.Type == nil || !IsString(p.Type) || p.in == nil {
		return nil, false
	}
	texts := e.in(p.in.fn, p.in.pkg).eval(p.Expr)
	if len(texts) != 1 || !saysMore(texts[0]) {
		return nil, false
	}
	if parts := texts[0].Parts; len(parts) == 1 && parts[0].Expr == p.Expr {
		p.param, p.field, p.pure = parts[0].param, parts[0].field, parts[0].pure
		return []Part{p}, true
	} else if len(parts) == 1 && parts[0].Plain() {
		shown := parts[0]
		shown.written = p.Verb
		return []Part{shown}, true
	}
	return texts[0].Parts, true
}

// saysMore reports whether a text has literal parts, or parts that callers decide.
func saysMore(t Text) bool {
	if t.symbolic() {
		return true
	}
	for _, p := range t.Parts {
		if p.isLiteral() && p.Literal != "" {
			return true
		}
		// err for the variable that err.Error() is assigned to
		if len(t.Parts) == 1 && p.Type != nil && IsError(p.Type) {
			return true
		}
		if call, ok := p.Expr.(*ast.CallExpr); ok && len(t.Parts) == 1 && p.Type != nil && !IsString(p.Type) && call != nil {
			return true
		}
	}
	return len(t.Parts) == 0
}
