package propose

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog/model/markers"
	"github.com/event-gen/event-gen/internal/catalog/model/wellknown"
)

// anyObject is the alias of objects whose kind is unknown.
const anyObject = "Object"

// object is an entry of spec.objects.
type object struct {
	goType string // alias.Type, or any
	short  string // the API version, for kinds of k8s.io/api
}

// finder turns sites into events.
type finder struct {
	*Catalog
	result    *scan.Result
	recording map[string]bool // packages with sites
}

// alias returns the name of an object's type in spec.objects, or anyObject if the catalog can't
// name the type.
func (f *finder) alias(t types.Type) string {
	named, ok := types.Unalias(scan.Deref(t)).(*types.Named)
	if !ok || types.IsInterface(named) || named.Obj().Pkg() == nil || !named.Obj().Exported() || !isObject(named) {
		return f.any()
	}
	importPath, name := scan.RealPath(named.Obj().Pkg().Path()), named.Obj().Name()
	if known := f.byType[importPath+"."+name]; known != "" {
		return known
	}
	o := f.objectFor(importPath, name, named.Obj().Pkg())
	if o == nil {
		return f.any()
	}
	alias := name
	if f.objects[alias] != nil {
		alias = name + capital(path.Base(importPath))
	}
	for f.objects[alias] != nil {
		alias += "X"
	}
	if f.opts.Untyped[alias] {
		return f.any()
	}
	f.objects[alias], f.byType[importPath+"."+name] = o, alias
	return alias
}

// isInterface reports whether an object's static type is an interface.
func isInterface(o scan.Object) bool {
	if o.Expr == nil || o.Info == nil {
		return false
	}
	t := o.Info.TypeOf(o.Expr)
	return t != nil && types.IsInterface(t)
}

func (f *finder) any() string {
	if f.objects[anyObject] == nil {
		f.objects[anyObject] = &object{goType: "any"}
	}
	return anyObject
}

// isObject reports whether a type is an API object with a kind of its own.
func isObject(named *types.Named) bool {
	name := named.Obj().Name()
	if name == "ObjectReference" || strings.HasPrefix(name, "Unstructured") || strings.HasPrefix(name, "PartialObjectMetadata") {
		return false
	}
	set := types.NewMethodSet(types.NewPointer(named))
	lacks := func(m string) bool { return set.Lookup(nil, m) == nil }
	return !slices.ContainsFunc([]string{"DeepCopyObject", "GetObjectKind", "GetName", "GetUID"}, lacks) && named.TypeArgs().Len() == 0 && named.Obj().Pkg().Name() != "main"
}

func (f *finder) objectFor(importPath, name string, pkg *types.Package) *object {
	if k, ok := wellknown.LookupType(importPath, name); ok {
		return &object{short: k.APIVersion}
	}
	if !importable(importPath, f.opts.ImportPath) || f.cycles(importPath) {
		return nil
	}
	o := &object{}
	if folder := f.folder(importPath); folder == "" || !marked(folder, pkg.Name(), importPath) {
		return nil
	}
	o.goType = f.imported(importPath, pkg.Name()) + "." + name
	return o
}

// cycles reports whether a package records events, or imports a package that does. The generated
// package must not import it, because a recording package imports the generated one.
func (f *finder) cycles(importPath string) bool {
	start := f.result.Program.Metadata(importPath)
	if start == nil {
		return f.recording[importPath]
	}
	cycle := false
	packages.Visit([]*packages.Package{start}, func(p *packages.Package) bool {
		cycle = cycle || f.recording[scan.RealPath(p.PkgPath)]
		return !cycle
	}, nil)
	return cycle
}

func (f *finder) folder(importPath string) string {
	if p := f.result.Program.Metadata(importPath); p != nil && len(p.GoFiles) > 0 {
		return filepath.Dir(p.GoFiles[0])
	}
	return ""
}

// importable applies Go's rule for internal packages.
func importable(importPath, from string) bool {
	parts := strings.Split(importPath, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i] == "internal" {
			parent := strings.Join(parts[:i], "/")
			return from == parent || strings.HasPrefix(from, parent+"/")
		}
	}
	return true
}

// imported returns the alias of an import.
func (f *finder) imported(importPath, name string) string {
	for alias, known := range f.imports {
		if known == importPath {
			return alias
		}
	}
	alias := name
	if base := path.Base(importPath); isVersion(base) {
		if joined := strings.ToLower(notWord.ReplaceAllString(path.Base(path.Dir(importPath)), "")) + base; token.IsIdentifier(joined) {
			alias = joined
		}
	}
	_, taken := wellknown.Imports()[alias]
	for f.imports[alias] != "" || taken || alias == "metav1" {
		alias, taken = alias+"x", false
	}
	f.imports[alias] = importPath
	return alias
}

var isVersion = regexp.MustCompile(`^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$`).MatchString

// marked reports whether the markers of a package give its API version. The catalog need not repeat
// it then.
func marked(dir, name, importPath string) bool {
	versioned := isVersion(name) || isVersion(path.Base(importPath))
	entries, _ := os.ReadDir(dir)
	var files []*ast.File
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, entry.Name()), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err == nil {
			files = append(files, file)
		}
	}
	return versioned && slices.ContainsFunc(markers.OfPackage(files), func(line string) bool { return strings.HasPrefix(line, "+groupName=") })
}
