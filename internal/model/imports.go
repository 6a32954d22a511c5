package model

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/mod/module"
	"k8s.io/gengo/v2/generator"
	gengotypes "k8s.io/gengo/v2/types"

	"github.com/event-gen/event-gen/internal/model/wellknown"
)

// RuntimePath is the import path of the run time, which generated code calls eventrt.
const RuntimePath = "github.com/event-gen/event-gen/runtime"

// preferredAliases are what generated code calls packages that no catalog names.
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

// readImports checks spec.imports, and joins it with the aliases that Kubernetes uses for its own packages.
func (b *builder) readImports() {
	b.imports = maps.Clone(wellknown.Imports())
	b.imports["metav1"] = MetaV1Path
	b.given = map[string]string{}
	for _, i := range b.cat.Imports {
		alias, importPath := i.Alias.Value, i.Path.Value
		switch {
		case !token.IsIdentifier(alias) || alias == "_" || types.Universe.Lookup(alias) != nil:
			b.fs.Errorf(i.Alias.Pos, "EV105", "import alias %q is no Go name, or hides a predeclared one", alias)
		case reservedAlias(alias, importPath):
			b.fs.Errorf(i.Alias.Pos, "EV105", "import alias %s hides the package that generated code needs under that name; choose another", alias)
		case module.CheckImportPath(importPath) != nil || slices.Contains(goPatterns, importPath):
			b.fs.Errorf(i.Path.Pos, "EV108", "%q is no import path", importPath)
		default:
			b.imports[alias] = importPath
			b.given[importPath] = alias
		}
	}
}

// goPatterns are words that the go command takes for many packages.
var goPatterns = []string{"all", "cmd", "main", "std", "tool", "work"}

func reservedAlias(alias, importPath string) bool {
	for p, reserved := range preferredAliases {
		if alias == reserved && importPath != p {
			return true
		}
	}
	return false
}

// unusedImports warns of imports that no type names. It says nothing where an error may be what keeps one from being
// used.
func (b *builder) unusedImports() {
	if b.cat.Incomplete || b.cat.Partial || b.fs.HasErrors() {
		return
	}
	for _, i := range b.cat.Imports {
		if !b.named[i.Alias.Value] {
			b.fs.Warnf(i.Alias.Pos, "EV203", "nothing uses import %s; leave it out", i.Alias.Value)
		}
	}
}

// ownAliases are the aliases that a catalog names, for suggestions.
func (b *builder) ownAliases() []string {
	return sortedKeys(b.imports)
}

// settleImports gives each package that the file needs its alias, with gengo's import tracker where two would clash.
func (b *builder) settleImports() {
	tracker := generator.NewImportTrackerForPackage(b.pkg.Path)
	fallback := tracker.LocalName
	tracker.LocalName = func(name gengotypes.Name) string {
		alias := b.aliasOf(name.Package)
		if _, taken := tracker.PathOf(alias); alias == "" || taken || b.scope.has(alias) {
			return fallback(name)
		}
		return alias
	}
	paths := b.neededPaths()
	for _, p := range paths {
		tracker.AddSymbol(gengotypes.Name{Package: p})
	}
	slices.Sort(paths)
	for _, p := range paths {
		alias := tracker.LocalNameOf(p)
		b.pkg.Imports = append(b.pkg.Imports, Import{Path: p, Alias: alias, Plain: preferredAliases[p] == alias && p != RuntimePath})
	}
}

func (b *builder) aliasOf(importPath string) string {
	if alias := preferredAliases[importPath]; alias != "" {
		return alias
	}
	if alias := b.given[importPath]; alias != "" {
		return alias
	}
	for alias, p := range b.imports {
		if p == importPath {
			return alias
		}
	}
	return ""
}

// neededPaths are the packages of all types in the file; those whose alias is fixed come first.
func (b *builder) neededPaths() []string {
	paths := []string{RuntimePath, "context", "time", MetaV1Path}
	add := func(t GoType) {
		for _, path := range t.paths() {
			if path != "" && path != b.pkg.Path && !contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	for _, o := range b.pkg.Objects {
		if !o.Any {
			add(o.GoType)
		}
	}
	for _, e := range b.pkg.Events {
		for _, p := range e.Params {
			add(p.GoType)
		}
		b.objectPaths(e, add)
	}
	return paths
}

func (b *builder) objectPaths(e *Event, add func(GoType)) {
	runtimeObject := GoType{Path: K8sRuntimePath, Name: "Object"}
	if e.Regarding.AnyOf {
		add(runtimeObject)
	}
	for _, o := range e.Objects() {
		add(o.GoType)
	}
	if e.Related != nil {
		add(e.Related.Object.GoType)
	}
}
