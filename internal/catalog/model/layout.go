package model

import (
	"cmp"
	"go/build"
	"go/token"
	"io"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
)

// layout finds the place of a catalog's package: the output file, its module, and the other files
// in its folder.
type layout struct {
	diag.Findings
	cat *catalog.Catalog
	pkg *Package

	catalogs map[string]bool // absolute paths of all catalogs of the set
	there    folderPackage   // the package of the output's folder, without this catalog's output
	root     string          // folder of the module; without a module, the catalog's folder
	// baseline is true if nothing is generated. The folder's content does not matter then.
	baseline bool
}

// place sets Name, Output, Source and Path. It reports whether they can be used.
func (l *layout) place(dir string) bool {
	name := l.cat.Go.Package
	if !token.IsIdentifier(name.Value) || name.Value == "_" {
		l.Errorf(name.Pos, diag.GoName, "%q is no name of a Go package", name.Value)
		return false
	}
	file := absolute(dir, l.cat.File)
	folder := filepath.Dir(file)
	l.pkg.Name = name.Value
	l.pkg.Output = l.output(folder)
	if l.pkg.Output == "" {
		return false
	}
	l.pkg.Source = relativeSlashes(filepath.Dir(l.pkg.Output), file)
	return l.locate(folder)
}

// output returns the absolute path of the file to write; empty after a finding.
func (l *layout) output(folder string) string {
	out := l.cat.Go.Output
	if !out.Set() {
		return filepath.Join(l.defaultFolder(folder), defaultOutput)
	}
	name := path.Base(out.Value)
	if strings.HasSuffix(name, "_test.go") || !everywhere(name) || strings.ContainsAny(out.Value, "\\\x00\n") {
		l.Errorf(out.Pos, diag.Syntax, "spec.go.output: expected the slash-separated path of a .go file that is no test, and that Go compiles on every system, found %q", out.Value)
		return ""
	}
	if filepath.IsAbs(out.Value) {
		l.Errorf(out.Pos, diag.Syntax, "spec.go.output is relative to the catalog's folder, not absolute as %q is", out.Value)
		return ""
	}
	return filepath.Join(folder, filepath.FromSlash(out.Value))
}

// everywhere reports whether the go command compiles a file with this name on every system.
func everywhere(name string) bool {
	unknown := build.Context{GOOS: "unknown", GOARCH: "unknown", OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package p\n")), nil
	}}
	matches, err := unknown.MatchFile("", name)
	return err == nil && matches && strings.HasSuffix(name, ".go")
}

// defaultFolder returns the catalog's folder if it holds the package already, or has the package's
// name and holds no other package. Else it returns a folder in it.
func (l *layout) defaultFolder(folder string) string {
	there := packageOf(folder, l.catalogs).name
	if there == l.pkg.Name || there == "" && filepath.Base(folder) == l.pkg.Name {
		return folder
	}
	return filepath.Join(folder, l.pkg.Name)
}

// locate finds the import path. It checks that the output stays inside the catalog's module
// (without a module, inside its folder), and that the output's folder holds no other package.
func (l *layout) locate(folder string) bool {
	root, modulePath := moduleOf(folder)
	l.root = cmp.Or(root, folder)
	rel, err := filepath.Rel(l.root, filepath.Dir(l.pkg.Output))
	if err != nil || !filepath.IsLocal(rel) {
		l.Errorf(l.cat.Go.Output.Pos, diag.Syntax, "spec.go.output %q leaves the catalog's module; nothing outside of it is written",
			l.cat.Go.Output.Value)
		return false
	}
	if modulePath != "" {
		l.pkg.Path = path.Join(modulePath, filepath.ToSlash(rel))
	}
	if l.baseline {
		return true
	}
	name := relativeSlashes(folder, l.pkg.Output)
	if _, err := disk.RepositoryOf(folder).Target(folder, name, folder); err != nil {
		at := l.cat.Go.Package.Pos
		if l.cat.Go.Output.Set() {
			at = l.cat.Go.Output.Pos
		}
		l.Errorf(at, diag.Syntax, "spec.go.output %q %v", name, err)
		return false
	}
	l.there = packageOf(filepath.Dir(l.pkg.Output), l.catalogs)
	if len(l.there.files) > 0 && l.there.name != l.pkg.Name {
		l.Errorf(l.cat.Go.Package.Pos, diag.GoName, "the folder of the output holds package %s, so package %s can't be generated there",
			l.there.name, l.pkg.Name)
		return false
	}
	return true
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// moduleOf returns the root folder and the path of the module around dir, which need not exist.
func moduleOf(dir string) (root, modulePath string) {
	if root = disk.Nearest(dir, "go.mod"); root == "" {
		return "", ""
	}
	data, _ := disk.ReadFile(filepath.Join(root, "go.mod"), disk.MaxText)
	return root, modfile.ModulePath(data)
}

func relativeSlashes(from, to string) string {
	rel, err := filepath.Rel(from, to)
	if err != nil {
		rel = filepath.Base(to)
	}
	return filepath.ToSlash(rel)
}
