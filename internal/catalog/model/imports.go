package model

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/mod/module"
	"k8s.io/gengo/v2/generator"
	gengotypes "k8s.io/gengo/v2/types"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model/wellknown"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// RuntimePath is the import path of the run time, package eventrt.
const RuntimePath = "github.com/event-gen/event-gen/runtime"

// preferredAliases maps the packages that generated code needs by itself to their aliases.
var preferredAliases = map[string]string{
	RuntimePath:    "eventrt",
	"context":      "context",
	"time":         "time",
	K8sRuntimePath: "runtime",
	k8sTypesPath:   "types",
	quantityPath:   "resource",
}

// MetaV1Path is the import path of the TypeMeta in which definitions hold kinds.
const MetaV1Path = "k8s.io/apimachinery/pkg/apis/meta/v1"

// imports holds the packages that a catalog can name.
type imports struct {
	paths map[string]string   // alias → path: of spec.imports, and Kubernetes' own
	given map[string]string   // path → alias, of spec.imports
	at    map[string]diag.Pos // path → position, of spec.imports
}

// readImports checks spec.imports, and joins it with the aliases that Kubernetes uses for its own
// packages. from is the import path of the generated package; empty if it has none.
func readImports(cat *catalog.Catalog, from string) (imports, diag.Findings) {
	var findings diag.Findings
	in := imports{paths: maps.Clone(wellknown.Imports()), given: map[string]string{}, at: map[string]diag.Pos{}}
	in.paths["metav1"] = MetaV1Path
	for _, i := range cat.Imports {
		alias, importPath := i.Alias.Value, i.Path.Value
		switch {
		case !token.IsIdentifier(alias) || alias == "_" || types.Universe.Lookup(alias) != nil:
			findings.Errorf(i.Alias.Pos, diag.GoName, "import alias %q is no Go name, or hides a predeclared one", alias)
		case reservedAlias(alias, importPath):
			findings.Errorf(i.Alias.Pos, diag.GoName, "import alias %s hides the package that generated code needs under that name; choose another", alias)
		case module.CheckImportPath(importPath) != nil || slices.Contains(goPatterns, importPath):
			findings.Errorf(i.Path.Pos, diag.UnknownType, "%q is no import path", importPath)
		default:
			if !importable(importPath, from) {
				findings.Errorf(i.Path.Pos, diag.UnknownType, "the generated package may not import %q: only packages below the folder of an internal or vendor folder may import what is in it", importPath)
			}
			in.paths[alias], in.given[importPath], in.at[importPath] = importPath, alias, i.Path.Pos
		}
	}
	return in, findings
}

// goPatterns are words that the go command reads as patterns of packages.
var goPatterns = []string{"C", "all", "cmd", "main", "std", "tool", "work"}

// importable reports whether the go command lets a package import another one.
func importable(importPath, from string) bool {
	parts := strings.Split(importPath, "/")
	for i, part := range slices.Backward(parts) {
		if part == "vendor" {
			return false
		}
		if part == "internal" && from != "" {
			above := strings.Join(parts[:i], "/")
			return from == above || strings.HasPrefix(from, above+"/")
		}
	}
	return true
}

func reservedAlias(alias, importPath string) bool {
	for p, reserved := range preferredAliases {
		if alias == reserved && importPath != p {
			return true
		}
	}
	return false
}

// unusedImports warns about imports that no type uses. It reports nothing if the reader left out an
// event, because the event may use them.
func unusedImports(cat *catalog.Catalog) (findings diag.Findings) {
	used := map[string]bool{}
	for _, t := range typesOf(cat) {
		for _, name := range strings.FieldsFunc(t.Value, func(r rune) bool { return strings.ContainsRune("[]*, ", r) }) {
			if alias, _, qualified := strings.Cut(name, "."); qualified {
				used[alias] = true
			}
		}
	}
	for _, i := range cat.Imports {
		if !used[i.Alias.Value] && !cat.Partial {
			findings.Warnf(i.Alias.Pos, diag.UnusedParam, "nothing uses import %s; leave it out", i.Alias.Value)
		}
	}
	return findings
}

// typesOf returns the types that a catalog names: of objects and of params.
func typesOf(cat *catalog.Catalog) (types []catalog.Scalar) {
	for _, o := range cat.Objects {
		types = append(types, o.Type)
	}
	return append(types, paramTypesOf(cat)...)
}

// paramTypesOf returns the types of params in the vocabulary and in events.
func paramTypesOf(cat *catalog.Catalog) (types []catalog.Scalar) {
	for _, p := range cat.Params {
		types = append(types, p.Type)
	}
	for _, e := range cat.Events {
		for _, p := range e.Params {
			types = append(types, p.Type)
		}
	}
	return types
}

// resolveImports sets the alias of each package that the file needs. gengo's import tracker changes
// aliases that clash.
func resolveImports(pkg *Package, in imports, s *scope) {
	tracker := generator.NewImportTrackerForPackage(pkg.Path)
	fallback := tracker.LocalName
	tracker.LocalName = func(name gengotypes.Name) string {
		alias := in.aliasOf(name.Package)
		if _, taken := tracker.PathOf(alias); alias == "" || taken || s.has(alias) {
			return fallback(name)
		}
		return alias
	}
	paths := neededPaths(pkg)
	for _, p := range paths {
		tracker.AddSymbol(gengotypes.Name{Package: p})
	}
	slices.Sort(paths)
	for _, p := range paths {
		alias := tracker.LocalNameOf(p)
		pkg.Imports = append(pkg.Imports, Import{Path: p, Alias: alias, Plain: preferredAliases[p] == alias && p != RuntimePath})
	}
}

func (in imports) aliasOf(importPath string) string {
	if alias := cmp.Or(preferredAliases[importPath], in.given[importPath]); alias != "" {
		return alias
	}
	for alias, p := range in.paths {
		if p == importPath {
			return alias
		}
	}
	return ""
}

// neededPaths returns the packages of all types in the file. Packages with a fixed alias come
// first.
func neededPaths(pkg *Package) []string {
	paths := []string{RuntimePath, "context", "time", MetaV1Path}
	add := func(t GoType) {
		for _, path := range t.paths() {
			if path != pkg.Path && !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	for _, o := range pkg.Objects {
		if !o.Any {
			add(o.GoType)
		}
	}
	for _, e := range pkg.Events {
		for _, p := range e.Params {
			add(p.GoType)
		}
		if e.Regarding.AnyOf {
			add(GoType{Path: K8sRuntimePath, Name: "Object"})
		}
		for _, o := range e.Objects() {
			add(o.GoType)
		}
		if e.Related != nil {
			add(e.Related.Object.GoType)
		}
	}
	return paths
}
