package model

import (
	gotypes "go/types"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog"
)

// Instance is the type's name with its type arguments: Set[string].
func (t GoType) Instance() string {
	if t.Args == "" {
		return t.Name
	}
	return t.Name + "[" + t.Args + "]"
}

// TypeArgs are the type arguments of an instance; none if the type is not generic.
func (t GoType) TypeArgs() []GoType {
	var args []GoType
	for _, text := range splitArgs(t.Args) {
		args = append(args, parseType(text))
	}
	return args
}

// encode is a type as Args holds it, with the path of its package.
func (t GoType) encode() string {
	var b strings.Builder
	if t.Slice {
		b.WriteString("[]")
	}
	if t.Pointer {
		b.WriteString("*")
	}
	if t.Path != "" {
		b.WriteString(t.Path + ".")
	}
	return b.String() + t.Instance()
}

// parseType reads what encode writes.
func parseType(text string) (t GoType) {
	text, t.Slice = strings.CutPrefix(text, "[]")
	text, t.Pointer = strings.CutPrefix(text, "*")
	name, args, _ := cutArgs(text)
	t.Args = args
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		t.Path, name = name[:dot], name[dot+1:]
	}
	t.Name = name
	return t
}

// cutArgs parts a type from its type arguments; generic reports whether it has brackets, well formed or not.
func cutArgs(text string) (name, args string, generic bool) {
	name, args, generic = strings.Cut(text, "[")
	return name, strings.TrimSuffix(args, "]"), generic
}

// splitArgs cuts type arguments at the commas between them, not at those inside of one.
func splitArgs(text string) []string {
	var args []string
	depth, start := 0, 0
	for i, r := range text {
		switch r {
		case '[':
			depth++
		case ']':
			depth--
		case ',':
			if depth == 0 {
				args = append(args, strings.TrimSpace(text[start:i]))
				start = i + 1
			}
		}
	}
	if last := strings.TrimSpace(text[start:]); last != "" || len(args) > 0 {
		args = append(args, last)
	}
	return args
}

// mostTypeBytes bounds how long a type with arguments can be.
const mostTypeBytes = 1000

// arguments resolves the type arguments of a type that the catalog writes as "alias.Type[X, alias.Y]".
func (b *builder) arguments(s catalog.Scalar, args string) (string, bool) {
	if len(s.Value) > mostTypeBytes || !strings.HasSuffix(s.Value, "]") || strings.Count(s.Value, "[") != strings.Count(s.Value, "]") || len(splitArgs(args)) == 0 {
		b.fs.Errorf(s.Pos, "EV108", "%q is no Go type; an instance of a generic type is written alias.Type[X]", s.Value)
		return "", false
	}
	var encoded []string
	for _, arg := range splitArgs(args) {
		t, ok := b.argument(s, arg)
		if !ok {
			return "", false
		}
		encoded = append(encoded, t.encode())
	}
	return strings.Join(encoded, ","), true
}

// argument resolves one type argument: a predeclared type, or a named one; or a slice of, or a pointer to, one of these.
func (b *builder) argument(s catalog.Scalar, text string) (GoType, bool) {
	rest, slice := strings.CutPrefix(text, "[]")
	rest, pointer := strings.CutPrefix(rest, "*")
	if _, predeclared := gotypes.Universe.Lookup(rest).(*gotypes.TypeName); predeclared {
		return GoType{Name: rest, Slice: slice, Pointer: pointer}, true
	}
	t, ok := b.namedType(catalog.Scalar{Value: rest, Pos: s.Pos})
	t.Slice, t.Pointer = slice, pointer
	return t, ok
}

// paths are the packages of a type and of its type arguments; some are empty.
func (t GoType) paths() []string {
	paths := []string{t.Path}
	for _, arg := range t.TypeArgs() {
		paths = append(paths, arg.paths()...)
	}
	return paths
}
