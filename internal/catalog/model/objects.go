package model

import (
	"go/token"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model/wellknown"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

// K8sRuntimePath is the import path of runtime.Object.
const K8sRuntimePath = "k8s.io/apimachinery/pkg/runtime"

const anyType = "any"

// objectStep resolves an entry of spec.objects.
type objectStep struct {
	diag.Findings
	*catalog.ObjectDecl
	types typeNames
	facts facts
}

// resolveObjects resolves spec.objects. An object with a finding is nil.
func resolveObjects(decls []catalog.ObjectDecl, types typeNames, facts facts) (map[string]*Object, diag.Findings) {
	objects := map[string]*Object{}
	var findings diag.Findings
	for i := range decls {
		s := objectStep{ObjectDecl: &decls[i], types: types, facts: facts}
		objects[s.Alias.Value] = s.object()
		findings = append(findings, s.Findings...)
	}
	return objects, findings
}

func (s *objectStep) object() *Object {
	switch {
	case !token.IsIdentifier(s.Alias.Value) || strings.HasPrefix(s.Alias.Value, "_"):
		s.Errorf(s.Alias.Pos, diag.GoName, "an object's key becomes part of Go names; %q is no Go name", s.Alias.Value)
	case s.Version.Set():
		return s.known()
	case s.Type.Value == anyType:
		return s.ofAnyKind()
	case s.Type.Set():
		return s.typed()
	default:
		s.Errorf(s.Alias.Pos, diag.UnknownType, "object %s has no type; give {type: alias.Type} or a group version such as batch/v1", s.Alias.Value)
	}
	return nil
}

// known returns a kind of k8s.io/api by its group version.
func (s *objectStep) known() *Object {
	kind := catalog.First(s.Kind, s.Alias)
	k, known, ok := wellknown.Lookup(s.Version.Value, kind.Value)
	switch {
	case ok:
		return s.wellKnown(k)
	case known:
		s.Errorf(kind.Pos, diag.UnknownType, "k8s.io/api has no kind %s in %s%s", kind.Value, s.Version.Value,
			spell.Suggest(kind.Value, wellknown.Kinds(s.Version.Value)))
	default:
		s.unknownVersion(kind.Value)
	}
	return nil
}

// unknownVersion reports a group version that k8s.io/api lacks, with the one that is meant.
func (s *objectStep) unknownVersion(kind string) {
	if meant := wellknown.Meant(s.Version.Value, kind); meant != "" {
		s.Errorf(s.Version.Pos, diag.UnknownType, "k8s.io/api has no group version %q; did you mean %s?", s.Version.Value, meant)
		return
	}
	hint := strings.TrimSuffix(spell.Suggest(s.Version.Value, wellknown.APIVersions()), "?")
	s.Errorf(s.Version.Pos, diag.UnknownType, "k8s.io/api has no group version %q%s; for another module's kind give {type: alias.%s} and its import",
		s.Version.Value, hint, kind)
}

func (s *objectStep) wellKnown(k wellknown.Kind) *Object {
	scope := "Cluster"
	if k.Namespaced {
		scope = "Namespaced"
	}
	return &Object{
		Alias:  s.Alias.Value,
		Pos:    s.Alias.Pos,
		GoType: GoType{Path: k.Path, Name: k.Kind, Pointer: true},
		Kind:   metav1.TypeMeta{APIVersion: k.APIVersion, Kind: k.Kind},
		Scope:  scope,
	}
}

func (s *objectStep) ofAnyKind() *Object {
	for key, given := range map[string]catalog.Scalar{"apiVersion": s.APIVersion, "kind": s.Kind, "scope": s.Scope} {
		if given.Set() {
			s.Errorf(given.Pos, diag.UnknownType, "%s has no effect on an object of type any, which has every kind; leave it out", key)
		}
	}
	return &Object{Alias: s.Alias.Value, Pos: s.Alias.Pos, Any: true, GoType: GoType{Path: K8sRuntimePath, Name: "Object"}}
}

// typed returns an object of a Go type. Keys of the catalog win over facts of the type.
func (s *objectStep) typed() *Object {
	goType, wrong := s.types.resolve(s.Type)
	if len(wrong) > 0 {
		s.Findings = wrong
		return nil
	}
	if k, ok := wellknown.LookupType(goType.Path, goType.Name); ok {
		o := s.wellKnown(k)
		o.GoType.Args = goType.Args
		s.agrees("apiVersion", s.APIVersion, o.Kind.APIVersion)
		s.agrees("kind", s.Kind, o.Kind.Kind)
		s.agrees("scope", s.Scope, o.Scope)
		return o
	}
	goType.Pointer = true
	o := &Object{Alias: s.Alias.Value, Pos: s.Alias.Pos, GoType: goType, Scope: s.Scope.Value}
	o.Kind = metav1.TypeMeta{APIVersion: s.APIVersion.Value, Kind: catalog.First(s.Kind, catalog.Scalar{Value: goType.Name}).Value}
	if !s.stored() || !s.complete(o) {
		return nil
	}
	return o
}

// stored reports whether a server could have the kind and the API version that the catalog gives
// (apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go).
func (s *objectStep) stored() bool {
	if s.Kind.Set() && len(validation.IsDNS1035Label(strings.ToLower(s.Kind.Value))) > 0 {
		s.Errorf(s.Kind.Pos, diag.UnknownType, "no server has the kind %q; expected at most 63 letters and digits, such as Widget", s.Kind.Value)
	}
	if s.APIVersion.Set() && !validAPIVersion(s.APIVersion.Value) {
		s.Errorf(s.APIVersion.Pos, diag.UnknownType, "no server has the API version %q; expected group/version, such as example.com/v1", s.APIVersion.Value)
	}
	return len(s.Findings) == 0
}

func validAPIVersion(apiVersion string) bool {
	gv, err := schema.ParseGroupVersion(apiVersion)
	return err == nil && len(validation.IsDNS1035Label(gv.Version)) == 0 &&
		(gv.Group == "" || len(validation.IsDNS1123Subdomain(gv.Group)) == 0)
}

// agrees reports a key whose value differs from the one of Kubernetes' own type.
func (s *objectStep) agrees(key string, given catalog.Scalar, want string) {
	if given.Set() && given.Value != want {
		s.Errorf(given.Pos, diag.UnknownType, "the %s of %s is %s, not %s", key, s.Type.Value, want, given.Value)
	}
}

// complete sets the fields that the catalog leaves out from the facts of the type. It reports
// whether the object can be used.
func (s *objectStep) complete(o *Object) bool {
	f, looked := s.facts[s.types.pkg.wanted(o.GoType)]
	switch {
	case !looked:
		if o.Kind.APIVersion == "" {
			s.Errorf(s.Type.Pos, diag.UnknownType, "the API version of %s is unknown unless its package is loaded (--resolve=%s); give apiVersion",
				s.Type.Value, ResolveNever)
		}
		return o.Kind.APIVersion != ""
	case !s.usable(o, &f):
		return false
	case o.Scope == "" && f.Cluster:
		o.Scope = "Cluster"
	case o.Scope == "":
		o.Scope = "Namespaced"
	}
	if o.Kind.APIVersion != "" {
		return true
	}
	if !f.HasGroup || f.Version == "" {
		s.Errorf(s.Type.Pos, diag.UnknownType, "the package of %s declares no API version (+groupName and +versionName in doc.go); give apiVersion",
			s.Type.Value)
		return false
	}
	o.Kind.APIVersion = strings.TrimPrefix(f.Group+"/"+f.Version, "/")
	return true
}

func (s *objectStep) usable(o *Object, f *typeFacts) bool {
	switch {
	case f.Unasked:
	case f.problem() != "":
		s.types.unusable(&s.Findings, s.Type, o.GoType, f)
	case f.Main && o.GoType.Path != s.types.pkg.Path:
		s.Errorf(s.Type.Pos, diag.UnknownType, "%s is in a package main, which can't be imported", s.Type.Value)
	case len(f.Missing) > 0:
		s.Errorf(s.Type.Pos, diag.UnknownType, "*%s is not a runtime.Object with metadata: it has no method %s", s.Type.Value,
			strings.Join(f.Missing, ", "))
	default:
		return true
	}
	return false
}
