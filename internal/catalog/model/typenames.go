package model

import (
	"fmt"
	gotypes "go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

// typeNames resolves Go types as a catalog writes them. "alias.Type" has an alias of spec.imports
// or of Kubernetes, and "Type" is of the generated package. Types are resolved twice, before and
// after loading, because resolving changes nothing.
type typeNames struct {
	imports imports
	pkg     *Package
	scope   *scope
}

// resolve resolves a type with its type arguments.
func (n typeNames) resolve(s catalog.Scalar) (t GoType, findings diag.Findings) {
	name, args, generic := cutArgs(s.Value)
	t, findings = n.plain(s, name)
	if generic && len(findings) == 0 {
		t.Args, findings = n.arguments(s, args)
	}
	return t, findings
}

// builtIn returns a hint about the built-in alias of a type; empty for an alias of spec.imports.
func (n typeNames) builtIn(value string) string {
	alias, _, _ := strings.Cut(value, ".")
	path, known := n.imports.paths[alias]
	if !known || n.imports.given[path] == alias {
		return ""
	}
	return fmt.Sprintf("; the alias %s is built in, for %s; for another package write imports: {%s: example.com/its/path}", alias, path, alias)
}

// unusable reports why a type can't be used. If its package was not found, the mistake is in
// spec.imports.
func (n typeNames) unusable(findings *diag.Findings, s catalog.Scalar, t GoType, f *typeFacts) {
	if pos, given := n.imports.at[t.Path]; given && f.NoPackage {
		findings.Errorf(pos, diag.UnknownType, "package %s %s", t.Path, f.problem())
		return
	}
	findings.Errorf(s.Pos, diag.UnknownType, "%s %s%s", s.Value, f.problem(), n.builtIn(s.Value))
}

// catalogTypes maps Go types to the catalog's words for them.
var catalogTypes = map[string]string{
	"time.Duration": "duration", "time.Time": "time", "types.UID": "uid", "types.NamespacedName": "namespacedName", "resource.Quantity": "quantity",
	"runtime.Object": "object", "client.Object": "object", "[]string": "strings", "float": "float64", "boolean": "bool",
}

// plain resolves a type without type arguments.
func (n typeNames) plain(s catalog.Scalar, text string) (t GoType, findings diag.Findings) {
	alias, name, qualified := strings.Cut(text, ".")
	if !qualified {
		alias, name = "", text
	}
	path, known := n.imports.paths[alias]
	first, taken := n.scope.names[name]
	switch {
	case !exported(name):
		findings.Errorf(s.Pos, diag.UnknownType, "%q is no Go type; it is written alias.Type with an alias of spec.imports, or Type for one of package %s",
			s.Value, n.pkg.Name)
	case qualified && !known:
		findings.Errorf(s.Pos, diag.UnknownType, "import %s of type %s is not in spec.imports; add it as %s: example.com/its/path%s", alias, s.Value,
			alias, n.meant(alias))
	case qualified:
		t = GoType{Path: path, Name: name}
	case taken && first.pos.Line > 0:
		findings.Errorf(s.Pos, diag.GoName, "type %s of package %s has the Go name of %s; choose another name there", name, n.pkg.Name, first)
	default:
		t = GoType{Path: n.pkg.Path, Name: name}
	}
	return t, findings
}

// meant returns the end of a message about an unknown alias: the alias of spec.imports that it is
// the beginning of, or the other way round, else what is near.
func (n typeNames) meant(alias string) string {
	for _, path := range sortedKeys(n.imports.given) {
		if given := n.imports.given[path]; strings.HasPrefix(given, alias) || strings.HasPrefix(alias, given) {
			return "; did you mean " + given + "?"
		}
	}
	return spell.Suggest(alias, sortedKeys(n.imports.paths))
}

// mostTypeBytes bounds the length of a type with arguments.
const mostTypeBytes = 1000

// arguments resolves the type arguments of a type that the catalog writes as "alias.Type[X,
// alias.Y]".
func (n typeNames) arguments(s catalog.Scalar, args string) (encoded string, findings diag.Findings) {
	list := splitArgs(args)
	if len(s.Value) > mostTypeBytes || !strings.HasSuffix(s.Value, "]") || strings.Count(s.Value, "[") != strings.Count(s.Value, "]") || len(list) == 0 {
		findings.Errorf(s.Pos, diag.UnknownType, "%q is no Go type; an instance of a generic type is written alias.Type[X]", s.Value)
		return "", findings
	}
	for i, arg := range list {
		t, findings := n.argument(s, arg)
		if len(findings) > 0 {
			return "", findings
		}
		list[i] = t.encode()
	}
	return strings.Join(list, ","), nil
}

// argument resolves one type argument: a predeclared or named type, or a slice of or pointer to
// one.
func (n typeNames) argument(s catalog.Scalar, text string) (t GoType, findings diag.Findings) {
	rest, slice := strings.CutPrefix(text, "[]")
	rest, pointer := strings.CutPrefix(rest, "*")
	if _, predeclared := gotypes.Universe.Lookup(rest).(*gotypes.TypeName); predeclared {
		t = GoType{Name: rest}
	} else {
		t, findings = n.resolve(catalog.Scalar{Value: rest, Pos: s.Pos})
	}
	t.Slice, t.Pointer = slice, pointer
	return t, findings
}

// Instance returns the type's name with its type arguments: Set[string].
func (t GoType) Instance() string {
	if t.Args == "" {
		return t.Name
	}
	return t.Name + "[" + t.Args + "]"
}

// TypeArgs returns the type arguments of an instance; nil for a type that is not generic.
func (t GoType) TypeArgs() []GoType {
	return each(splitArgs(t.Args), parseType)
}

// encode returns the type with the path of its package, as in Args and in messages of the go
// command.
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

// parseType parses the output of encode.
func parseType(text string) (t GoType) {
	text, t.Slice = strings.CutPrefix(text, "[]")
	text, t.Pointer = strings.CutPrefix(text, "*")
	t.Name, t.Args, _ = cutArgs(text)
	if dot := strings.LastIndexByte(t.Name, '.'); dot >= 0 {
		t.Path, t.Name = t.Name[:dot], t.Name[dot+1:]
	}
	return t
}

// cutArgs splits a type into name and type arguments. generic reports whether it has brackets, well
// formed or not.
func cutArgs(text string) (name, args string, generic bool) {
	name, args, generic = strings.Cut(text, "[")
	return name, strings.TrimSuffix(args, "]"), generic
}

// splitArgs splits type arguments at the commas between them, not at commas inside of one.
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

// paths returns the packages of a type and of its type arguments.
func (t GoType) paths() []string {
	paths := []string{t.Path}
	for _, arg := range t.TypeArgs() {
		paths = append(paths, arg.paths()...)
	}
	return slices.DeleteFunc(paths, func(path string) bool { return path == "" })
}
