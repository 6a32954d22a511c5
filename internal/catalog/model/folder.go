package model

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/plumbing/disk"
	"github.com/event-gen/event-gen/internal/plumbing/header"
)

// folderPackage is the Go package of a folder: the first one if there are several. The zero value
// stands for no package.
type folderPackage struct {
	name  string
	files []string // paths of its Go files, without tests
}

// packageOf finds the package of a folder. It ignores files that event-gen generate would replace
// or remove: files generated from one of the catalogs (absolute paths), or from a catalog that is
// gone.
func packageOf(dir string, catalogs map[string]bool) folderPackage {
	if _, err := disk.Stat(dir); err != nil {
		return folderPackage{}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return folderPackage{}
	}
	var pkg folderPackage
	for _, e := range entries {
		if !e.Type().IsRegular() || !isSource(dir, e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if name := packageName(path, catalogs); name != "" && (pkg.name == "" || name == pkg.name) {
			pkg.name, pkg.files = name, append(pkg.files, path)
		}
	}
	return pkg
}

// generated returns the file of the package that holds a generated recorder, and its catalog; empty
// if there is none.
func (p folderPackage) generated() (path, source string) {
	for _, path := range p.files {
		content, _ := os.ReadFile(path)
		source := header.Catalog(content, path)
		if source == "" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, content, parser.SkipObjectResolution)
		if err == nil && slices.Contains(declaredNames(file), definitionsFunc) {
			return path, source
		}
	}
	return "", ""
}

// isSource reports whether the go command would compile a file on this system.
func isSource(dir, name string) bool {
	if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
		return false
	}
	matches, err := build.Default.MatchFile(dir, name)
	return err == nil && matches
}

// packageName returns the package name of a file; empty if the file has none or packageOf ignores
// it.
func packageName(path string, catalogs map[string]bool) string {
	content, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	if source := header.Catalog(content, path); source != "" && (catalogs[source] || disk.IsGone(source)) {
		return ""
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, content, parser.PackageClauseOnly)
	if err != nil {
		return "" // the compiler reports it better
	}
	return file.Name.Name
}

// declareExisting declares the names that the other files of the package declare, and records
// whether one has the package's doc comment.
func declareExisting(s *scope, pkg *Package, files []string) {
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue // the compiler reports it better
		}
		pkg.Documented = pkg.Documented || file.Doc != nil
		what := declaration{what: "the package's own file " + filepath.Base(path)}
		if lostHeader(path, pkg) {
			what.lost = path
		}
		for _, name := range declaredNames(file) {
			s.names[name] = what
		}
	}
}

// lostHeader reports whether a file has the name of a generated file, but not its header.
func lostHeader(path string, pkg *Package) bool {
	if path != pkg.Output && filepath.Base(path) != defaultOutput {
		return false
	}
	content, err := os.ReadFile(path)
	_, ours := header.Find(content)
	return err == nil && !ours
}

func declaredNames(file *ast.File) []string {
	var names []string
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, s.Name.Name)
				case *ast.ValueSpec:
					names = append(names, each(s.Names, (*ast.Ident).String)...)
				}
			}
		}
	}
	return names
}
