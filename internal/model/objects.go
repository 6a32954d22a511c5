package model

import (
	"go/token"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/model/wellknown"
)

// K8sRuntimePath is the import path of runtime.Object.
const K8sRuntimePath = "k8s.io/apimachinery/pkg/runtime"

const anyType = "any"

// object resolves an entry of spec.objects; nil after a finding.
func (b *builder) object(d *catalog.ObjectDecl) *Object {
	if !token.IsIdentifier(d.Alias.Value) {
		b.fs.Errorf(d.Alias.Pos, "EV105", "an object's key becomes part of Go names; %q is no Go name", d.Alias.Value)
		return nil
	}
	switch {
	case d.Version.Set():
		return b.knownObject(d)
	case d.Type.Value == anyType:
		return b.anyObject(d)
	case d.Type.Set():
		return b.typedObject(d)
	}
	b.missing(d.Alias.Pos, "EV108", "object %s has no type; give {type: alias.Type} or a group version such as batch/v1", d.Alias.Value)
	return nil
}

// knownObject is a kind of k8s.io/api by its group version.
func (b *builder) knownObject(d *catalog.ObjectDecl) *Object {
	kind := d.Alias
	if d.Kind.Set() {
		kind = d.Kind
	}
	k, known, ok := wellknown.Lookup(d.Version.Value, kind.Value)
	switch {
	case ok:
		return fromWellKnown(d, k)
	case known:
		b.fs.Errorf(kind.Pos, "EV108", "k8s.io/api has no kind %s in %s%s", kind.Value, d.Version.Value,
			didYouMean(kind.Value, wellknown.Kinds(d.Version.Value)))
	default:
		b.fs.Errorf(d.Version.Pos, "EV108",
			"k8s.io/api has no group version %q%s; for another module's kind give {type: alias.%s} and its import", d.Version.Value,
			didYouMean(d.Version.Value, wellknown.APIVersions()), kind.Value)
	}
	return nil
}

func fromWellKnown(d *catalog.ObjectDecl, k wellknown.Kind) *Object {
	scope := "Cluster"
	if k.Namespaced {
		scope = "Namespaced"
	}
	return &Object{
		Alias:  d.Alias.Value,
		Pos:    d.Alias.Pos,
		GoType: GoType{Path: k.Path, Name: k.Kind, Pointer: true},
		Kind:   metav1.TypeMeta{APIVersion: k.APIVersion, Kind: k.Kind},
		Scope:  scope,
	}
}

func (b *builder) anyObject(d *catalog.ObjectDecl) *Object {
	for key, s := range map[string]catalog.Scalar{"apiVersion": d.APIVersion, "kind": d.Kind, "scope": d.Scope} {
		if s.Set() {
			b.fs.Errorf(s.Pos, "EV108", "%s has no effect on an object of type any, which has every kind; leave it out", key)
		}
	}
	return &Object{
		Alias:  d.Alias.Value,
		Pos:    d.Alias.Pos,
		Any:    true,
		GoType: GoType{Path: K8sRuntimePath, Name: "Object"},
	}
}

// typedObject is an object of a Go type. What the catalog gives wins over what the type says.
func (b *builder) typedObject(d *catalog.ObjectDecl) *Object {
	goType, ok := b.namedType(d.Type)
	if !ok {
		return nil
	}
	goType.Pointer = true
	o := &Object{Alias: d.Alias.Value, Pos: d.Alias.Pos, GoType: goType, Scope: d.Scope.Value}
	o.Kind = metav1.TypeMeta{APIVersion: d.APIVersion.Value, Kind: goType.Name}
	if d.Kind.Set() {
		o.Kind.Kind = d.Kind.Value
	}
	if k, ok := wellknown.LookupType(goType.Path, goType.Name); ok {
		return b.typedWellKnown(d, o, k)
	}
	if !b.complete(d, o) {
		return nil
	}
	return o
}

func (b *builder) typedWellKnown(d *catalog.ObjectDecl, o *Object, k wellknown.Kind) *Object {
	known := fromWellKnown(d, k)
	for _, given := range []struct {
		key  string
		s    catalog.Scalar
		want string
	}{
		{"apiVersion", d.APIVersion, known.Kind.APIVersion},
		{"kind", d.Kind, known.Kind.Kind},
		{"scope", d.Scope, known.Scope},
	} {
		if given.s.Set() && given.s.Value != given.want {
			b.fs.Errorf(given.s.Pos, "EV108", "the %s of %s is %s, not %s", given.key, d.Type.Value, given.want, given.s.Value)
		}
	}
	o.Kind, o.Scope = known.Kind, known.Scope
	return o
}

// complete fills in what the catalog does not give from the facts of the type.
func (b *builder) complete(d *catalog.ObjectDecl, o *Object) bool {
	f, looked := b.fact(o.GoType)
	if !looked {
		return b.givenWithoutLoad(d, o)
	}
	if !b.usableObject(d, o, f) {
		return false
	}
	if o.Scope == "" {
		o.Scope = "Namespaced"
		if f.Cluster {
			o.Scope = "Cluster"
		}
	}
	if o.Kind.APIVersion != "" {
		return true
	}
	if !f.HasGroup || f.Version == "" {
		b.fs.Errorf(d.Type.Pos, "EV108", "the package of %s declares no API version (+groupName and +versionName in doc.go); give apiVersion",
			d.Type.Value)
		return false
	}
	o.Kind.APIVersion = strings.TrimPrefix(f.Group+"/"+f.Version, "/")
	return true
}

func (b *builder) givenWithoutLoad(d *catalog.ObjectDecl, o *Object) bool {
	if o.Kind.APIVersion != "" {
		return true
	}
	b.fs.Errorf(d.Type.Pos, "EV108", "the API version of %s can't be known without loading its package (--resolve=%s); give apiVersion",
		d.Type.Value, ResolveNever)
	return false
}

func (b *builder) usableObject(d *catalog.ObjectDecl, o *Object, f typeFacts) bool {
	switch {
	case f.Unasked:
	case f.Problem != "":
		b.fs.Errorf(d.Type.Pos, "EV108", "%s was not found: %s", d.Type.Value, f.Problem)
	case f.Misuse != "":
		b.fs.Errorf(d.Type.Pos, "EV108", "%s can't be used: %s", d.Type.Value, f.Misuse)
	case len(f.Cycle) > 0:
		b.fs.Errorf(d.Type.Pos, "EV108", "%s can't be used here, because its package imports the generated one: %s", d.Type.Value,
			chain(f.Cycle))
	case f.Main && o.GoType.Path != b.pkg.Path:
		b.fs.Errorf(d.Type.Pos, "EV108", "%s is in a package main, which nothing can import", d.Type.Value)
	case len(f.Missing) > 0:
		b.fs.Errorf(d.Type.Pos, "EV108", "*%s is not a runtime.Object with metadata: it has no method %s", d.Type.Value,
			strings.Join(f.Missing, ", "))
	default:
		return true
	}
	return false
}

// namedType resolves "alias.Type" by spec.imports and Kubernetes' own aliases, and "Type" as one of the generated
// package.
func (b *builder) namedType(s catalog.Scalar) (GoType, bool) {
	name, args, generic := cutArgs(s.Value)
	t, ok := b.plainType(s, name)
	if ok && generic {
		t.Args, ok = b.arguments(s, args)
	}
	return t, ok
}

// plainType resolves a type without type arguments.
func (b *builder) plainType(s catalog.Scalar, text string) (GoType, bool) {
	alias, name, qualified := strings.Cut(text, ".")
	if !qualified {
		alias, name = "", text
	}
	if !exported(name) {
		b.fs.Errorf(s.Pos, "EV108", "%q is no Go type; it is written alias.Type with an alias of spec.imports, or Type for one of package %s",
			s.Value, b.pkg.Name)
		return GoType{}, false
	}
	if !qualified {
		if d, taken := b.scope.names[name]; taken && d.pos.Line > 0 {
			b.fs.Errorf(s.Pos, "EV105", "type %s of package %s has the Go name of %s; choose another name there", name, b.pkg.Name, d)
			return GoType{}, false
		}
		return GoType{Path: b.pkg.Path, Name: name}, true
	}
	b.named[alias] = true
	path, ok := b.imports[alias]
	if !ok {
		b.missing(s.Pos, "EV108", "import %s of type %s is not in spec.imports%s", alias, s.Value, didYouMean(alias, b.ownAliases()))
		return GoType{}, false
	}
	return GoType{Path: path, Name: name}, true
}

// missing reports that something is not there, unless the reader left something out.
func (b *builder) missing(pos diag.Pos, rule, format string, args ...any) {
	if !b.cat.Incomplete {
		b.fs.Errorf(pos, rule, format, args...)
	}
}
