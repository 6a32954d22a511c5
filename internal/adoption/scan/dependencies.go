package scan

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/facts"
)

// recorderPackages declare recorders. A scan reads a dependency as source if it imports one of
// them.
var recorderPackages = []string{
	facts.ClientRecord, facts.ClientEvents, facts.ControllerRuntime + "/pkg/recorder",
}

// plumbing lists modules that make recorders, but record nothing for their users.
var plumbing = []string{"k8s.io/client-go", facts.ControllerRuntime}

// newSourceReader makes a reader for the dependencies of loaded packages.
func newSourceReader(fset *token.FileSet, loaded []*packages.Package) *sourceReader {
	r := &sourceReader{fset: fset, all: map[string]*packages.Package{}, initial: map[string]bool{}, read: map[string]*types.Package{}}
	for _, l := range loaded {
		r.initial[l.PkgPath] = true
	}
	packages.Visit(loaded, nil, func(l *packages.Package) { r.all[l.PkgPath] = l })
	return r
}

// recording reads the dependencies that import a recorder.
func (r *sourceReader) recording(ctx context.Context) []*Package {
	var chosen []*packages.Package
	for path, l := range r.all {
		if !r.initial[path] && l.Module != nil && !slices.Contains(plumbing, l.Module.Path) && importsRecorder(l) {
			chosen = append(chosen, l)
		}
	}
	slices.SortFunc(chosen, func(a, b *packages.Package) int { return cmp.Compare(a.PkgPath, b.PkgPath) })
	var out []*Package
	for _, l := range chosen {
		if ctx.Err() != nil {
			break
		}
		if pkg := r.load(l); pkg != nil {
			out = append(out, pkg)
		}
	}
	return out
}

// source reads a dependency. It returns nil if the package is no dependency, or has no source.
func (p *Program) source(path string) *Package {
	for _, r := range p.sources {
		if l := r.all[path]; l != nil && !r.initial[path] && l.Module != nil {
			return r.load(l)
		}
	}
	return nil
}

func importsRecorder(l *packages.Package) bool {
	return slices.ContainsFunc(recorderPackages, func(path string) bool {
		_, ok := l.Imports[path]
		return ok
	})
}

// sourceReader type-checks dependencies from source against the export data of their imports.
type sourceReader struct {
	fset    *token.FileSet
	all     map[string]*packages.Package
	initial map[string]bool
	// read caches the types of imports, which come from export data.
	read map[string]*types.Package
}

func (r *sourceReader) load(l *packages.Package) *Package {
	var files []*ast.File
	for _, name := range l.CompiledGoFiles {
		if f, err := parser.ParseFile(r.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution); err == nil {
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		return nil
	}
	pkg := &Package{
		Path: l.PkgPath, Name: l.Name, Syntax: files, Dependency: true, Main: l.Name == "main", Imports: l.Imports,
		Module: l.Module.Path, Info: NewInfo(),
	}
	conf := types.Config{Importer: importerOf{r, l}, Error: func(error) {}, FakeImportC: true, Sizes: l.TypesSizes}
	pkg.Types, _ = conf.Check(l.PkgPath, r.fset, files, pkg.Info)
	return pkg
}

// NewInfo returns an empty record of everything that the type checker finds out.
func NewInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{},
	}
}

// importerOf is the types.Importer of one package.
type importerOf struct {
	r *sourceReader
	l *packages.Package
}

// Import returns an import's types from its export data.
func (i importerOf) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	dep := i.l.Imports[path]
	if dep == nil {
		return nil, fmt.Errorf("%s is not imported by %s", path, i.l.PkgPath)
	}
	if pkg := i.r.read[dep.PkgPath]; pkg != nil && pkg.Complete() {
		return pkg, nil
	}
	file := i.r.all[dep.PkgPath].ExportFile
	if file == "" {
		return nil, fmt.Errorf("%s does not compile", path)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(in, i.r.fset, i.r.read, dep.PkgPath)
}
