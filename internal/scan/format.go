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

// verb is a directive of a format, such as %-5d.
type verb struct {
	text  string // %-5d
	char  rune
	plain bool // %s or %v, without flags
	// arg is the index of the verb's argument, or -1 for %%.
	arg int
	// odd: an argument gives the width or precision.
	odd bool
}

// directives splits a format into literal texts and verbs. literals[i] comes before verbs[i], and the last literal after all verbs.
func directives(format string) (literals []string, verbs []verb) {
	var lit strings.Builder
	next := 0
	for format != "" {
		before, rest, found := strings.Cut(format, "%")
		lit.WriteString(before)
		if !found {
			break
		}
		v, size := directive(rest, &next)
		format = rest[size:]
		if v.char == '%' {
			lit.WriteByte('%')
			continue
		}
		literals, verbs = append(literals, lit.String()), append(verbs, v)
		lit.Reset()
	}
	return append(literals, lit.String()), verbs
}

// directive reads the text after a %: flags, an argument's index, width, precision and the verb.
func directive(s string, next *int) (v verb, size int) {
	i := 0
	for i < len(s) && strings.IndexByte("+-# 0123456789.[]*", s[i]) >= 0 {
		if s[i] == '[' {
			if n, after, ok := argIndex(s[i:]); ok {
				*next = n
				i += after
				continue
			}
		}
		if s[i] == '*' {
			v.odd = true
			*next++
		}
		i++
	}
	r, width := utf8.DecodeRuneInString(s[i:])
	if width == 0 {
		return verb{text: "%!(NOVERB)", char: '!', arg: -1}, i
	}
	v.char, v.text, v.arg = r, "%"+s[:i+width], *next
	if open := strings.IndexByte(v.text, '['); open >= 0 {
		if end := strings.IndexByte(v.text, ']'); end > open {
			v.text = v.text[:open] + v.text[end+1:]
		}
	}
	v.plain = v.text == "%s" || v.text == "%v"
	if r == '%' {
		v.arg = -1
	} else {
		*next++
	}
	return v, i + width
}

// argIndex reads an explicit index [n].
func argIndex(s string) (index, size int, ok bool) {
	end := strings.IndexByte(s, ']')
	if end < 0 {
		return 0, 0, false
	}
	n, err := strconv.Atoi(s[1:end])
	return n - 1, end + 1, err == nil && n > 0
}

// expand puts arguments into a format. The text has the position and the definition of the text that holds the format, and its form if
// the arguments are constant.
func (e *evaluator) expand(format string, args []Part, of Text) Text {
	literals, verbs := directives(format)
	t := Text{How: Runtime, Pos: of.Pos, Def: of.Def, Info: e.pkg.Info}
	for i, v := range verbs {
		t.Parts = appendLiteral(t.Parts, literals[i])
		for _, p := range e.filled(v, args) {
			t.Parts = appendPart(t.Parts, p)
		}
	}
	t.Parts = appendLiteral(t.Parts, literals[len(verbs)])
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

// filled returns the parts that a verb renders: its argument or, if the verb only copies text, the parts of the argument.
func (e *evaluator) filled(v verb, args []Part) []Part {
	if v.arg < 0 {
		return []Part{{Literal: v.text}}
	}
	if v.arg >= len(args) {
		return []Part{{Literal: "%!" + string(v.char) + "(MISSING)"}}
	}
	p := args[v.arg]
	if p.isLiteral() {
		return []Part{{Literal: fmt.Sprintf(v.text, p.Literal)}}
	}
	p.Verb = v.text
	if v.odd {
		p.Cause = "the width or precision of " + v.text + " is an argument"
		return []Part{p}
	}
	if text, ok := constantArg(p, v); ok {
		return []Part{{Literal: text}}
	}
	if inner, ok := e.looksThrough(p, v); ok {
		return inner
	}
	return []Part{p}
}

// constantArg renders a constant argument.
func constantArg(p Part, v verb) (string, bool) {
	if p.Info == nil || p.Expr == nil {
		return "", false
	}
	tv, ok := p.Info.Types[p.Expr]
	if !ok || tv.Value == nil || hasStringMethod(tv.Type) {
		return "", false
	}
	switch tv.Value.Kind() {
	case constant.String:
		return fmt.Sprintf(v.text, constant.StringVal(tv.Value)), true
	case constant.Int:
		if n, exact := constant.Int64Val(tv.Value); exact {
			return fmt.Sprintf(v.text, n), true
		}
	case constant.Bool:
		return fmt.Sprintf(v.text, constant.BoolVal(tv.Value)), true
	}
	return "", false
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

// looksThrough returns the parts of a string argument if they show more than its expression, as for a local variable that holds a
// constant or the result of fmt.Sprintf.
func (e *evaluator) looksThrough(p Part, v verb) ([]Part, bool) {
	if !v.plain || p.Expr == nil || p.Type == nil || !IsString(p.Type) || p.in == nil {
		return nil, false
	}
	texts := e.at(p.in).eval(p.Expr)
	if len(texts) != 1 || !saysMore(texts[0]) {
		return nil, false
	}
	if parts := texts[0].Parts; len(parts) == 1 && parts[0].Expr == p.Expr {
		p.param, p.field = parts[0].param, parts[0].field
		return []Part{p}, true
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
		if call, ok := p.Expr.(*ast.CallExpr); ok && len(t.Parts) == 1 && p.Type != nil && !IsString(p.Type) && call != nil {
			return true
		}
	}
	return len(t.Parts) == 0
}
