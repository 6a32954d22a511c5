package model

import (
	"context"
	"go/ast"
	"go/token"
	gotypes "go/types"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedDeps | packages.NeedModule | packages.NeedTypes | packages.NeedSyntax

// load loads packages of a module that need not compile yet: each package that will be generated and is missing is an
// empty one. Errors of types are no obstacle; what could be found of a package is used. It returns the packages that could
// be loaded, and for the others why not; an error is about none in particular.
func (l *loader) load(ctx context.Context, paths []string) (map[string]*typePackage, map[string]string, error) {
	problems := map[string]string{}
	fset := token.NewFileSet()
	pkgs, err := packages.Load(&packages.Config{
		Context: ctx, Dir: l.dir, Mode: loadMode, Fset: fset, Overlay: l.overlay(),
	}, paths...)
	if err != nil {
		return nil, nil, err
	}
	loaded := map[string]*typePackage{}
	for _, pkg := range pkgs {
		if problem := listProblem(pkg); problem != "" {
			problems[pkg.PkgPath] = problem
			continue
		}
		loaded[pkg.PkgPath] = fromPackage(fset, pkg)
	}
	return loaded, problems, nil
}

// overlay has an empty file for every file that will be generated and is not there yet.
func (l *loader) overlay() map[string][]byte {
	files := map[string][]byte{}
	for file, name := range l.outputs {
		if _, err := os.Stat(file); err != nil {
			files[file] = []byte("package " + name + "\n")
		}
	}
	return files
}

func listProblem(pkg *packages.Package) string {
	if pkg.Types == nil || len(pkg.Syntax) == 0 {
		for _, e := range pkg.Errors {
			return brief(e.Msg)
		}
		return "the package has no Go files"
	}
	return ""
}

func fromPackage(fset *token.FileSet, pkg *packages.Package) *typePackage {
	p := &typePackage{path: pkg.PkgPath, name: pkg.Name, unsure: pkg.IllTyped, self: pkg.Types, types: map[string]typeSource{}}
	for _, file := range pkg.GoFiles {
		p.dir = filepath.Dir(file)
		break
	}
	comments := typeComments(fset, pkg.Syntax)
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() {
		if obj, ok := scope.Lookup(name).(*gotypes.TypeName); ok {
			p.types[name] = typeSource{goType: obj.Type(), comments: comments[name]}
		}
	}
	return p
}

// typeComments are the comments before each type: its doc, and the group before that, where markers stand.
func typeComments(fset *token.FileSet, files []*ast.File) map[string][]string {
	out := map[string][]string{}
	for _, file := range files {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || d.Tok != token.TYPE {
				continue
			}
			lines := commentsBefore(fset, file, d.Pos())
			for _, spec := range d.Specs {
				name := spec.(*ast.TypeSpec).Name.Name
				out[name] = append(out[name], lines...)
			}
		}
	}
	return out
}

func commentsBefore(fset *token.FileSet, file *ast.File, pos token.Pos) []string {
	var lines []string
	line := fset.Position(pos).Line
	for i := len(file.Comments) - 1; i >= 0; i-- {
		c := file.Comments[i]
		if c.Pos() >= pos {
			continue
		}
		if line-fset.Position(c.End()).Line > 2 {
			break
		}
		line = fset.Position(c.Pos()).Line
		for _, text := range c.List {
			lines = append(lines, strings.TrimSpace(strings.TrimPrefix(text.Text, "//")))
		}
	}
	return lines
}
