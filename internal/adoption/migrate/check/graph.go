package check

import (
	"context"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// graph holds the packages that one run of the go command found.
type graph struct {
	fset   *token.FileSet
	dir    string
	opts   scan.Options
	roots  []*packages.Package
	isRoot map[string]bool
	// byID are the packages as they were read, with their imports. IDs tell the variants of a package apart.
	byID map[string]*packages.Package
	// byFolder are the packages without tests, by the folder of their files.
	byFolder map[string]*packages.Package
	modules  map[string]*packages.Module // by folder
	// unknown are import paths that the go command does not find, with its reasons.
	unknown map[string]string
	// disks are the files as they were when a text for them was first given, because they may be written later; nil for those that were not
	// there.
	disks map[string][]byte
	// last are the packages that were type-checked last, by ID.
	last map[string]checked
}

func newGraph(l *scan.Loaded, group scan.Group) *graph {
	g := &graph{
		fset: l.Fset, dir: group.Dir, opts: l.Options, roots: group.Roots, isRoot: map[string]bool{},
		byID: map[string]*packages.Package{}, byFolder: map[string]*packages.Package{}, modules: map[string]*packages.Module{},
		unknown: map[string]string{}, disks: map[string][]byte{}, last: map[string]checked{},
	}
	for _, l := range group.Roots {
		g.isRoot[l.ID] = true
	}
	g.learn(group.Roots)
	return g
}

// learn adds packages and their imports, if they are not known yet.
func (g *graph) learn(roots []*packages.Package) {
	packages.Visit(roots, nil, func(l *packages.Package) {
		if g.byID[l.ID] != nil {
			return
		}
		g.byID[l.ID] = l
		if l.Module != nil && l.Module.Dir != "" {
			g.modules[l.Module.Dir] = l.Module
		}
		if l.Types == nil {
			l.Types = types.NewPackage(l.PkgPath, l.Name)
		}
		for path, imported := range l.Imports {
			l.Imports[path] = g.byID[imported.ID]
		}
		if forTest(l.ID) == "" && len(l.GoFiles) > 0 {
			g.byFolder[filepath.Dir(l.GoFiles[0])] = l
		}
	})
}

func (g *graph) disk(file string) []byte {
	if _, known := g.disks[file]; !known {
		g.disks[file], _ = os.ReadFile(filepath.Clean(file))
	}
	return g.disks[file]
}

// lookUp asks the go command for packages that no package has imported so far.
func (g *graph) lookUp(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	cfg := g.opts.Config(ctx, g.dir)
	cfg.Tests = false
	cfg.Mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
		packages.NeedExportFile | packages.NeedModule
	found, err := packages.Load(cfg, paths...)
	if err != nil {
		return err
	}
	var good []*packages.Package
	for _, l := range found {
		if len(l.Errors) > 0 && len(l.GoFiles) == 0 {
			g.unknown[l.PkgPath] = l.Errors[0].Msg
			continue
		}
		good = append(good, l)
	}
	g.learn(good)
	for _, p := range paths {
		if g.byID[p] == nil && g.unknown[p] == "" {
			g.unknown[p] = "the go command does not find the package"
		}
	}
	return nil
}

// pathOf returns the import path of a folder and its module; nil if no package of the module was read.
func (g *graph) pathOf(folder string) (string, *packages.Module) {
	for root := folder; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil || root == filepath.Dir(root) {
			m := g.modules[root]
			if m == nil {
				return "", nil
			}
			rel, _ := filepath.Rel(root, folder)
			return path.Join(m.Path, filepath.ToSlash(rel)), m
		}
	}
}

// forTest returns the import path of the package whose test a variant is compiled for; empty for other packages.
func forTest(id string) string {
	_, test, _ := strings.Cut(id, " [")
	return strings.TrimSuffix(strings.TrimSuffix(test, "]"), ".test")
}

// variant returns the ID of a package that is compiled for the test of another package.
func variant(importPath, test string) string { return importPath + " [" + test + ".test]" }

// isTestMain reports whether a package is the command that runs the tests of another one.
func isTestMain(id string) bool { return strings.HasSuffix(id, ".test") }
