package proof

import (
	"go/types"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// isType reports whether a static type is a given type of generated code.
func isType(t types.Type, want model.GoType) bool {
	if t == nil {
		return false
	}
	t = types.Unalias(t)
	if want.Slice {
		s, ok := t.(*types.Slice)
		want.Slice = false
		return ok && isType(s.Elem(), want)
	}
	if want.Pointer {
		ptr, ok := t.(*types.Pointer)
		want.Pointer = false
		return ok && isType(ptr.Elem(), want)
	}
	switch t := t.(type) {
	case *types.Basic:
		return want.Path == "" && t.Name() == want.Name
	case *types.Named:
		return isNamed(t, want)
	}
	return false
}

func isNamed(t *types.Named, want model.GoType) bool {
	obj := t.Obj()
	if obj.Pkg() == nil {
		return want.Path == "" && obj.Name() == want.Name
	}
	if want.Path == "" || realPath(obj.Pkg().Path()) != want.Path || obj.Name() != want.Name {
		return false
	}
	args := want.TypeArgs()
	if t.TypeArgs().Len() != len(args) {
		return false
	}
	for i, a := range args {
		if !isType(t.TypeArgs().At(i), a) {
			return false
		}
	}
	return true
}

// realPath returns an import path without the vendor folder before it.
func realPath(path string) string {
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		return path[i+len("/vendor/"):]
	}
	return strings.TrimPrefix(path, "vendor/")
}

// typeName returns the import path and the name of a named type; empty for other types.
func typeName(t types.Type) string {
	if t == nil {
		return ""
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return ""
	}
	return realPath(named.Obj().Pkg().Path()) + "." + named.Obj().Name()
}

// basic returns the predeclared type under a type; nil if there is none.
func basic(t types.Type) *types.Basic {
	if t == nil || isTypeParam(t) {
		return nil
	}
	b, _ := t.Underlying().(*types.Basic)
	return b
}

func isKind(t types.Type, info types.BasicInfo) bool {
	b := basic(t)
	return b != nil && b.Info()&info != 0 && b.Kind() != types.UntypedNil
}

// has reports whether a value of the static type, put into an any, has a method. Methods of its
// pointer do not count.
func has(t types.Type, method string) bool {
	if t == nil {
		return true // not known
	}
	sel := types.NewMethodSet(t).Lookup(nil, method)
	if sel == nil {
		return false
	}
	fn, ok := sel.Obj().(*types.Func)
	return ok && isOfFmt(fn)
}

// isOfFmt reports whether a method has the signature that fmt calls. The Format of time.Time has
// another one.
func isOfFmt(fn *types.Func) bool {
	sig, ok := fn.Type().(*types.Signature)
	if !ok {
		return false
	}
	if fn.Name() == "Format" {
		return sig.Params().Len() == 2 && sig.Results().Len() == 0
	}
	if sig.Params().Len() != 0 || sig.Results().Len() != 1 {
		return false
	}
	b, ok := types.Unalias(sig.Results().At(0).Type()).(*types.Basic)
	return ok && b.Kind() == types.String
}

// isText reports whether fmt shows a value by its method Format, Error or String, if the verb is %s
// or %v.
func isText(t types.Type) bool { return has(t, "Format") || has(t, "Error") || has(t, "String") }

// isDynamic reports whether the value's type is only known at run time.
func isDynamic(t types.Type) bool {
	return t == nil || isTypeParam(t) || types.IsInterface(t)
}

// isError reports whether values of a type are errors.
func isError(t types.Type) bool {
	iface := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	return t != nil && !isTypeParam(t) && types.Implements(t, iface)
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// isStrings reports whether a value can be passed as []string, and is shown by %v as its elements
// in brackets.
func isStrings(t types.Type) bool {
	if t == nil || isTypeParam(t) || isText(t) {
		return false
	}
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := types.Unalias(s.Elem()).(*types.Basic)
	return ok && b.Kind() == types.String
}

// sizes are the bits of integers, at least and at most.
var sizes = map[types.BasicKind][2]int{
	types.Int: {32, 64}, types.Int8: {8, 8}, types.Int16: {16, 16}, types.Int32: {32, 32}, types.Int64: {64, 64},
	types.Uint: {32, 64}, types.Uint8: {8, 8}, types.Uint16: {16, 16}, types.Uint32: {32, 32}, types.Uint64: {64, 64},
}

// widens reports whether a conversion to a predeclared integer type keeps every value.
func widens(from *types.Basic, to string) bool {
	obj, ok := types.Universe.Lookup(to).(*types.TypeName)
	if !ok {
		return false
	}
	target := obj.Type().(*types.Basic)
	have, known := sizes[from.Kind()]
	room, fits := sizes[target.Kind()]
	if !known || !fits {
		return false
	}
	unsigned, toUnsigned := from.Info()&types.IsUnsigned != 0, target.Info()&types.IsUnsigned != 0
	switch {
	case from.Kind() == target.Kind():
		return true
	case unsigned == toUnsigned:
		return have[1] <= room[0]
	case unsigned:
		return have[1] < room[0]
	}
	return false
}
