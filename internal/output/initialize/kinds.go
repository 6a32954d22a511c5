// Package initialize creates the first catalog of a module from the API kinds that the module
// declares.
package initialize

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/plumbing/disk"
)

// Kind is a Go type of the module that is an API object.
type Kind struct {
	Name    string
	Path    string // import path
	Package string // name
	// Versioned is true if markers give the API version, so that a catalog need not.
	Versioned bool
}

// folder is the result of reading a package: its name, its API types, and whether a marker gives
// the API group.
type folder struct {
	name    string
	types   []string
	grouped bool
}

// Kinds returns the API objects of a module that a package in dir may import, sorted. dir is a
// slash-separated path below root.
func Kinds(root, modulePath, dir string) ([]Kind, error) {
	var kinds []Kind
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		if name != root && disk.IsForeign(name) {
			return fs.SkipDir
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		if rel = filepath.ToSlash(rel); rel != dir && importable(rel, dir) {
			kinds = append(kinds, readFolder(name).kinds(path.Join(modulePath, rel))...)
		}
		return nil
	})
	return kinds, err
}

// importable reports whether the package in from may import the one in rel, by Go's rule for
// internal packages.
func importable(rel, from string) bool {
	parts := strings.Split(rel, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i] == "internal" {
			parent := strings.Join(parts[:i], "/")
			return parent == "" || from == parent || strings.HasPrefix(from, parent+"/")
		}
	}
	return true
}

func readFolder(dir string) folder {
	var f folder
	entries, _ := os.ReadDir(dir) // a folder that can't be read has no kinds
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue // the compiler reports it better
		}
		f.name = file.Name.Name
		f.add(file)
	}
	return f
}

func (f *folder) add(file *ast.File) {
	for _, group := range file.Comments {
		for _, c := range group.List {
			f.grouped = f.grouped || strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(c.Text, "//")), "+groupName=")
		}
	}
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.TYPE {
			continue
		}
		for _, spec := range d.Specs {
			if t := spec.(*ast.TypeSpec); t.Name.IsExported() && isObject(t.Type) {
				f.types = append(f.types, t.Name.Name)
			}
		}
	}
}

// isObject reports whether a type is a struct that embeds TypeMeta and ObjectMeta. A list embeds
// ListMeta instead.
func isObject(t ast.Expr) bool {
	s, ok := t.(*ast.StructType)
	if !ok {
		return false
	}
	embedded := map[string]bool{}
	for _, field := range s.Fields.List {
		if selector, ok := field.Type.(*ast.SelectorExpr); ok && len(field.Names) == 0 {
			embedded[selector.Sel.Name] = true
		}
	}
	return embedded["TypeMeta"] && embedded["ObjectMeta"]
}

var isVersion = regexp.MustCompile(`^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$`).MatchString

func (f folder) kinds(importPath string) []Kind {
	if f.name == "main" {
		return nil
	}
	slices.Sort(f.types)
	versioned := f.grouped && (isVersion(f.name) || isVersion(path.Base(importPath)))
	kinds := make([]Kind, len(f.types))
	for i, name := range f.types {
		kinds[i] = Kind{Name: name, Path: importPath, Package: f.name, Versioned: versioned}
	}
	return kinds
}
