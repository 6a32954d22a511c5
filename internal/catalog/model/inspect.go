package model

import (
	"fmt"
	"go/constant"
	gotypes "go/types"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

// typePackage is a loaded package.
type typePackage struct {
	path string
	name string
	// markers are the lines of comments before the declarations in its files, such as +groupName
	// and +versionName.
	markers []string
	imports map[string]*packages.Package
	// broken is the reason why an import can't be resolved, or why the package does not compile.
	broken string
	types  map[string]typeSource
}

// typeSource is a type and the comments before it.
type typeSource struct {
	goType   gotypes.Type
	comments []string
}

// objectMethods are the methods of a runtime.Object with metadata that the run time calls.
var objectMethods = []string{"DeepCopyObject", "GetName", "GetNamespace", "GetObjectKind", "GetResourceVersion", "GetUID"}

func (u universe) factsOf(pkg *typePackage, w want) typeFacts {
	source, ok := pkg.types[w.Name]
	if !ok {
		return typeFacts{Problem: pkg.lacks(w.Name)}
	}
	named, ok := gotypes.Unalias(source.goType).(*gotypes.Named)
	if !ok {
		return typeFacts{Problem: w.encode() + " is not a named type"}
	}
	named, misuse := u.instance(named, w.GoType)
	if misuse != "" {
		return typeFacts{Misuse: misuse}
	}
	f := typeFacts{
		Basic:      basicOf(named),
		Stringer:   stringerOf(named),
		Missing:    missingMethods(named),
		Constants:  constantsOf(named),
		Conditions: conditionsProblem(named),
		Main:       pkg.name == "main",
		Cycle:      u.importChain(w),
	}
	f.Unasked = len(f.Missing) > 0 && pkg.broken != "" && restsOnInvalid(named, nil)
	for _, line := range pkg.markers {
		if group, ok := strings.CutPrefix(line, "+groupName="); ok {
			f.Group, f.HasGroup = strings.TrimSpace(group), true
		}
		if version, ok := strings.CutPrefix(line, "+versionName="); ok {
			f.Version = strings.TrimSpace(version)
		}
	}
	f.Version = versionOf(f.Version, pkg)
	f.Cluster = clusterScoped(source.comments)
	return f
}

// lacks returns the problem for a type that the package does not have.
func (p *typePackage) lacks(name string) string {
	known := slices.DeleteFunc(sortedKeys(p.types), func(name string) bool { return !exported(name) })
	return fmt.Sprintf("package %s has no type %s%s", p.path, name, spell.Suggest(name, known))
}

func basicOf(t *gotypes.Named) string {
	if b, ok := t.Underlying().(*gotypes.Basic); ok {
		return b.Name()
	}
	return ""
}

func stringerOf(t *gotypes.Named) stringerForm {
	switch {
	case !hasString(gotypes.NewPointer(t)) && !hasString(t):
		return noStringer
	case gotypes.IsInterface(t):
		return interfaceStringer
	case hasString(t):
		return valueStringer
	}
	return pointerStringer
}

func hasString(t gotypes.Type) bool {
	sel := gotypes.NewMethodSet(t).Lookup(nil, "String")
	if sel == nil {
		return false
	}
	sig, ok := sel.Type().(*gotypes.Signature)
	return ok && sig.Params().Len() == 0 && sig.Results().Len() == 1 &&
		gotypes.Identical(sig.Results().At(0).Type(), gotypes.Typ[gotypes.String])
}

func missingMethods(t *gotypes.Named) []string {
	methods := gotypes.NewMethodSet(gotypes.NewPointer(t))
	return slices.DeleteFunc(slices.Clone(objectMethods), func(name string) bool { return methods.Lookup(nil, name) != nil })
}

// restsOnInvalid reports whether a type, or one that it embeds, could not be resolved, so that its
// methods are unknown.
func restsOnInvalid(t gotypes.Type, seen []gotypes.Type) bool {
	if p, ok := t.(*gotypes.Pointer); ok {
		t = p.Elem()
	}
	if slices.Contains(seen, t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *gotypes.Basic:
		return u.Kind() == gotypes.Invalid
	case *gotypes.Struct:
		for f := range u.Fields() {
			if f.Embedded() && restsOnInvalid(f.Type(), append(seen, t)) {
				return true
			}
		}
	}
	return false
}

func constantsOf(t *gotypes.Named) []Constant {
	if t.Obj().Pkg() == nil || basicOf(t) != "string" {
		return nil
	}
	var out []Constant
	scope := t.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*gotypes.Const)
		if ok && c.Exported() && gotypes.Identical(c.Type(), t) && c.Val().Kind() == constant.String {
			out = append(out, Constant{Name: name, Value: constant.StringVal(c.Val())})
		}
	}
	return out
}

// importChain returns the chain of imports from a package of the type or its arguments to the
// generated one; nil if there is none.
func (u universe) importChain(w want) []string {
	for _, path := range w.paths() {
		if pkg := u[path]; pkg != nil {
			if chain := importChain(pkg, w.output); chain != nil {
				return chain
			}
		}
	}
	return nil
}

// importChain returns the chain of imports from a package to the one with path to; nil if there is
// none, or if both are the same.
func importChain(from *typePackage, to string) []string {
	if to == "" || from.path == to {
		return nil
	}
	seen := map[string]bool{}
	var walk func(path string, imports map[string]*packages.Package) []string
	walk = func(path string, imports map[string]*packages.Package) []string {
		if path == to {
			return []string{to}
		}
		if seen[path] {
			return nil
		}
		seen[path] = true
		for _, name := range sortedKeys(imports) {
			if rest := walk(imports[name].PkgPath, imports[name].Imports); rest != nil {
				return append([]string{path}, rest...)
			}
		}
		return nil
	}
	return walk(from.path, from.imports)
}

var isVersion = regexp.MustCompile(`^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$`).MatchString

// versionOf returns the API version of a package: the marker's, else the package's name or the last
// part of its path.
func versionOf(marker string, pkg *typePackage) string {
	for _, v := range []string{marker, pkg.name, path.Base(pkg.path)} {
		if v != "" && (v == marker || isVersion(v)) {
			return v
		}
	}
	return ""
}

// clusterScoped reports whether a marker before a type makes it cluster-scoped.
func clusterScoped(comments []string) bool {
	return slices.ContainsFunc(comments, func(line string) bool {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "+genclient:nonNamespaced") {
			return true
		}
		options, ok := strings.CutPrefix(line, "+kubebuilder:resource:")
		return ok && slices.ContainsFunc(strings.Split(options, ","), func(o string) bool {
			return strings.TrimSpace(o) == "scope=Cluster"
		})
	})
}
