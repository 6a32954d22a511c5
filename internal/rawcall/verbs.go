package rawcall

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"
	"unicode/utf8"
)

// verb is a directive of a format and the index of its argument. A * for a width or precision is a verb of its own.
type verb struct {
	text    string
	letter  rune
	arg     int
	indexed bool
}

// parseFormat returns the directives of a format that take an argument. It reports whether each is complete.
func parseFormat(format string) (verbs []verb, complete bool) {
	next, indexed := 0, false
	for {
		_, rest, found := strings.Cut(format, "%")
		if !found {
			return verbs, true
		}
		i := 0
		for ; i < len(rest) && strings.IndexByte("+-# 0123456789.*[", rest[i]) >= 0; i++ {
			switch rest[i] {
			case '*':
				verbs = append(verbs, verb{text: "%" + rest[:i+1], letter: '*', arg: next, indexed: indexed})
				next++
			case '[':
				end := strings.IndexByte(rest[i:], ']')
				n, err := strconv.Atoi(rest[i+1 : i+max(end, 1)])
				if end < 0 || err != nil || n < 1 {
					return verbs, false
				}
				next, indexed = n-1, true
				i += end
			}
		}
		letter, size := utf8.DecodeRuneInString(rest[i:])
		if size == 0 {
			return verbs, false
		}
		if letter != '%' {
			verbs = append(verbs, verb{text: "%" + rest[:i+size], letter: letter, arg: next, indexed: indexed})
			next++
		}
		format = rest[i+size:]
	}
}

// The kinds of values that verbs show.
const (
	number = types.IsInteger
	real   = types.IsFloat | types.IsComplex
)

// shows maps each verb of package fmt to the basic types that it can show.
var shows = map[rune]types.BasicInfo{
	'v': types.IsConstType, 's': types.IsString, 'q': types.IsString | number, 't': types.IsBoolean,
	'd': number, 'b': number | real, 'o': number, 'O': number, 'c': number, 'U': number,
	'x': number | real | types.IsString, 'X': number | real | types.IsString,
	'e': real, 'E': real, 'f': real, 'F': real, 'g': real, 'G': real,
}

// unfit describes the mistake of a verb for an argument; empty if there is none. It judges only errors and basic types, because fmt shows
// the parts of other types.
func unfit(v verb, t types.Type, arg string) string {
	switch v.letter {
	case 'w':
		return fmt.Sprintf("%s wraps an error in fmt.Errorf only; write %%v for %s", v.text, arg)
	case 'T', 'v', 'p':
		return ""
	}
	want, known := shows[v.letter]
	if !known {
		return fmt.Sprintf("%s is no verb of package fmt", v.text)
	}
	if t == nil || formats(t) {
		return ""
	}
	basic, isBasic := t.Underlying().(*types.Basic)
	switch text := isError(t) || isStringer(t); {
	case text && want&types.IsString != 0:
		return ""
	case isBasic && (basic.Info()&want != 0 || basic.Kind() == types.Invalid || basic.Kind() == types.UntypedNil):
		return ""
	case isBasic:
		return fmt.Sprintf("%s does not fit %s, which is of type %s", v.text, arg, typeText(t))
	case isError(t) && types.IsInterface(t):
		return fmt.Sprintf("%s does not fit %s, which is an error", v.text, arg)
	}
	return ""
}

func typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// formats reports whether a type formats itself, or could: a type parameter.
func formats(t types.Type) bool {
	if _, isParam := types.Unalias(t).(*types.TypeParam); isParam {
		return true
	}
	return hasMethod(t, "Format", 2)
}

func isStringer(t types.Type) bool { return hasMethod(t, "String", 0) }

// hasMethod reports whether a value of a type, as it stands, has a method.
func hasMethod(t types.Type, name string, params int) bool {
	method := types.NewMethodSet(t).Lookup(nil, name)
	return method != nil && method.Obj().(*types.Func).Signature().Params().Len() == params
}
