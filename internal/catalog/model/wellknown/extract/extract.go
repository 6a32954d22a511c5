// Package extract reads the table of package wellknown out of k8s.io/api.
package extract

import (
	"fmt"
	"go/constant"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/catalog/model/markers"
)

// Group holds the declarations of one package of k8s.io/api. Its names are sorted.
type Group struct {
	APIVersion string
	Path       string // below k8s.io/api: "batch/v1"
	Namespaced []string
	Cluster    []string
	Strings    []string // types whose underlying type is string
	// Constants are the values of the exported constants of each such type, sorted.
	Constants map[string][]string
}

const root = "k8s.io/api/"

// All loads every package of k8s.io/api that registers kinds, in the version that go.mod requires.
func All() ([]Group, error) {
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes | packages.NeedSyntax,
	}, root+"...")
	if err != nil {
		return nil, fmt.Errorf("loading k8s.io/api: %w", err)
	}
	var groups []Group
	for _, pkg := range pkgs {
		if len(pkg.Errors) > 0 {
			return nil, fmt.Errorf("loading k8s.io/api: %w", pkg.Errors[0])
		}
		if slices.ContainsFunc(pkg.GoFiles, func(file string) bool { return filepath.Base(file) == "register.go" }) {
			groups = append(groups, groupOf(pkg))
		}
	}
	slices.SortFunc(groups, func(a, b Group) int { return strings.Compare(a.Path, b.Path) })
	return groups, nil
}

func groupOf(pkg *packages.Package) Group {
	g := Group{Path: strings.TrimPrefix(pkg.PkgPath, root), Constants: map[string][]string{}}
	comments := markers.Before(pkg.Fset, pkg.Syntax)
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() {
		switch o := scope.Lookup(name).(type) {
		case *types.TypeName:
			g.addType(o, comments[name])
		case *types.Const:
			if named, ok := o.Type().(*types.Named); ok && o.Exported() && named.Obj().Pkg() == pkg.Types && o.Val().Kind() == constant.String {
				of := named.Obj().Name()
				g.Constants[of] = append(g.Constants[of], constant.StringVal(o.Val()))
			}
			if name == "GroupName" {
				_, version, _ := strings.Cut(g.Path, "/")
				g.APIVersion = strings.TrimPrefix(constant.StringVal(o.Val())+"/"+version, "/")
			}
		}
	}
	for of, values := range g.Constants {
		slices.Sort(values)
		g.Constants[of] = slices.Compact(values)
	}
	return g
}

func (g *Group) addType(o *types.TypeName, comments []string) {
	switch t := o.Type().Underlying().(type) {
	case *types.Basic:
		if t.Kind() == types.String && !o.IsAlias() {
			g.Strings = append(g.Strings, o.Name())
		}
	case *types.Struct:
		switch {
		case !embeds(t, "TypeMeta") || !embeds(t, "ObjectMeta"):
		case slices.Contains(comments, "+genclient:nonNamespaced"):
			g.Cluster = append(g.Cluster, o.Name())
		default:
			g.Namespaced = append(g.Namespaced, o.Name())
		}
	}
}

func embeds(t *types.Struct, name string) bool {
	for field := range t.Fields() {
		if field.Embedded() && field.Name() == name {
			return true
		}
	}
	return false
}

// ConstantLines returns a line for each type with constants: the type, and its values after tabs.
func (g *Group) ConstantLines() string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(g.Constants)) {
		lines = append(lines, strings.Join(append([]string{name}, g.Constants[name]...), "\t"))
	}
	return strings.Join(lines, "\n")
}
