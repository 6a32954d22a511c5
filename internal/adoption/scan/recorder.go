package scan

import (
	"go/types"
	"slices"
	"strings"
)

// Shape holds the indexes of a recorder's parameters. An index is -1 if the method has no such
// parameter.
type Shape struct {
	Name string
	API  API
	// Formats: the message is a format, and the arguments after it belong to its verbs.
	Formats                                                             bool
	Regarding, Related, Annotations, EventType, Reason, Action, Message int
}

// The kinds of parameters that distinguish the methods.
const (
	anObject = "object"
	aMap     = "map"
	aString  = "string"
	theArgs  = "args"
)

// shapes lists the methods of the recorders' interfaces:
// k8s.io/client-go/tools/record/event.go (EventRecorder),
// k8s.io/client-go/tools/internal/events/interfaces.go (EventRecorder) and AnnotatedEventf of the
// events API, which only newer versions have.
var shapes = []struct {
	Shape
	params []string
}{
	{Shape{"Event", Record, false, 0, -1, -1, 1, 2, -1, 3}, []string{anObject, aString, aString, aString}},
	{Shape{"Eventf", Record, true, 0, -1, -1, 1, 2, -1, 3}, []string{anObject, aString, aString, aString, theArgs}},
	{Shape{"AnnotatedEventf", Record, true, 0, -1, 1, 2, 3, -1, 4}, []string{anObject, aMap, aString, aString, aString, theArgs}},
	{Shape{"Eventf", Events, true, 0, 1, -1, 2, 3, 4, 5}, []string{anObject, anObject, aString, aString, aString, aString, theArgs}},
	{Shape{"AnnotatedEventf", Events, true, 0, 1, 2, 3, 4, 5, 6}, []string{anObject, anObject, aMap, aString, aString, aString, aString, theArgs}},
}

// ShapeOf returns the shape of a recorder's method. It recognizes a method by its name and
// parameters, and so also the methods of aliases, of types that embed a recorder, of a program's
// own interfaces, and of fakes. A parameter's name can show that a method means something else,
// such as Event(object, type, action, reason).
func ShapeOf(fn *types.Func) (Shape, bool) {
	sig, ok := fn.Type().(*types.Signature)
	if !ok || sig.Recv() == nil || !slices.Contains([]string{"Event", "Eventf", "AnnotatedEventf"}, fn.Name()) {
		return Shape{}, false
	}
	kinds := kindsOf(sig)
	for _, s := range shapes {
		if s.Name == fn.Name() && slices.Equal(s.params, kinds) && s.agrees(sig.Params()) {
			return s.Shape, true
		}
	}
	return Shape{}, false
}

// agrees reports whether no parameter is named after another one's meaning.
func (s Shape) agrees(params *types.Tuple) bool {
	meanings := map[string]int{
		"type": s.EventType, "eventtype": s.EventType, "reason": s.Reason, "action": s.Action, "message": s.Message, "note": s.Message,
	}
	for i := range params.Len() {
		if index, known := meanings[strings.ToLower(params.At(i).Name())]; known && index != i {
			return false
		}
	}
	return true
}

func kindsOf(sig *types.Signature) []string {
	kinds := make([]string, sig.Params().Len())
	for i := range kinds {
		kinds[i] = kindOf(sig.Params().At(i).Type())
	}
	if last := len(kinds) - 1; sig.Variadic() && last >= 0 {
		slice, ok := sig.Params().At(last).Type().(*types.Slice)
		if kinds[last] = ""; ok && isAny(slice.Elem()) {
			kinds[last] = theArgs
		}
	}
	return kinds
}

func kindOf(t types.Type) string {
	if isRuntimeObject(t) {
		return anObject
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Kind() == types.String {
			return aString
		}
	case *types.Map:
		if IsString(u.Key()) && IsString(u.Elem()) {
			return aMap
		}
	}
	return ""
}

func isAny(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty()
}

func IsString(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		return everyTerm(p, IsString)
	}
	if t == nil { // it does not compile
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// everyTerm reports whether the type set of p is finite, and every term satisfies such.
func everyTerm(p *types.TypeParam, such func(types.Type) bool) bool {
	iface, ok := p.Constraint().Underlying().(*types.Interface)
	if !ok || iface.NumEmbeddeds() == 0 {
		return false
	}
	for i := range iface.NumEmbeddeds() {
		u, ok := iface.EmbeddedType(i).(*types.Union)
		if !ok {
			if !such(iface.EmbeddedType(i)) {
				return false
			}
			continue
		}
		for j := range u.Len() {
			if !such(u.Term(j).Type()) {
				return false
			}
		}
	}
	return true
}

// isRuntimeObject reports whether a type is k8s.io/apimachinery/pkg/runtime.Object.
func isRuntimeObject(t types.Type) bool {
	return TypeName(t) == "k8s.io/apimachinery/pkg/runtime.Object"
}

// TypeName returns the import path and name of a named type, or "" for any other type, also for a
// pointer to a named type.
func TypeName(t types.Type) string {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return ""
	}
	obj := named.Origin().Obj()
	if obj.Pkg() == nil {
		return obj.Name()
	}
	return RealPath(obj.Pkg().Path()) + "." + obj.Name()
}

// RealPath returns an import path without the vendor folder that GOPATH mode puts before it.
func RealPath(path string) string {
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		return path[i+len("/vendor/"):]
	}
	return strings.TrimPrefix(path, "vendor/")
}

// Deref returns the type that a pointer points to, or the type itself.
func Deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
