package rawcall

import (
	"fmt"
	"go/types"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

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
func unfit(v scan.Directive, t types.Type, arg string) string {
	switch v.Letter {
	case 'w':
		return fmt.Sprintf("%s wraps an error in fmt.Errorf only; write %%v for %s", v.Text, arg)
	case 'T', 'v', 'p', '*':
		return ""
	}
	want, known := shows[v.Letter]
	if !known {
		return fmt.Sprintf("%s is no verb of package fmt", v.Text)
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
		return fmt.Sprintf("%s does not fit %s, which is of type %s", v.Text, arg, types.TypeString(t, (*types.Package).Name))
	case isError(t) && types.IsInterface(t):
		return fmt.Sprintf("%s does not fit %s, which is an error", v.Text, arg)
	}
	return ""
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
