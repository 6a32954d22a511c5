package check

import (
	"bytes"
	"cmp"
	"context"
	"go/ast"
	"go/parser"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// run is a graph in which files have other texts.
type run struct {
	*graph
	texts  map[string][]byte // of files that differ from those on disk
	parsed map[string]parsedFile
	// fresh are packages without a file on the disk, by import path.
	fresh map[string]*packages.Package
	// added are new files of packages on the disk, by import path.
	added map[string][]string
	nodes map[string]*node
	// order has the nodes that must be type-checked, each after those that it imports.
	order []*node
	// importedBy lists the importers of a package, users the packages that import it directly or not. All are by import path.
	importedBy map[string][]string
	users      map[string]map[string]bool
}

// node is a package, or a variant of one.
type node struct {
	id string
	// was is the package as it was read, or as the go command described it.
	was   *packages.Package
	files []string
	// dirty: the node must be type-checked again.
	dirty bool
	state state
	// imports are by the path that the files write. broken holds the causes of imports that fail.
	imports map[string]*node
	broken  map[string]string
	now     *packages.Package
	done    chan struct{}
}

type state int

const (
	unseen state = iota
	open
	closed
)

type parsedFile struct {
	file *ast.File
	err  error
}

// with type-checks the packages that change.
func (g *graph) with(ctx context.Context, texts map[string][]byte) ([]*packages.Package, error) {
	r := &run{
		graph: g, texts: map[string][]byte{}, parsed: map[string]parsedFile{}, fresh: map[string]*packages.Package{},
		added: map[string][]string{}, nodes: map[string]*node{}, users: map[string]map[string]bool{},
	}
	folders, err := r.folders(ctx, texts)
	if err != nil {
		return nil, err
	}
	r.take(texts)
	if err := g.lookUp(ctx, r.unknownImports()); err != nil {
		return nil, err
	}
	roots := r.link(folders)
	if err := r.check(ctx); err != nil {
		return nil, err
	}
	out := make([]*packages.Package, len(roots))
	for i, n := range roots {
		_ = r.complete(n) // the errors of a package that does not compile are in its list
		out[i] = n.now
	}
	return out, nil
}

// folders returns the folders of the texts, without tests. It asks the go command for packages that have files and were not read.
func (r *run) folders(ctx context.Context, texts map[string][]byte) ([]string, error) {
	var folders, unread []string
	for file := range texts {
		folder := filepath.Dir(file)
		if strings.HasSuffix(file, "_test.go") || slices.Contains(folders, folder) {
			continue
		}
		importPath, module := r.pathOf(folder)
		if module == nil {
			continue
		}
		folders = append(folders, folder)
		if r.byFolder[folder] == nil && hasGo(folder) {
			unread = append(unread, importPath)
		}
	}
	slices.Sort(folders)
	slices.Sort(unread)
	return folders, r.lookUp(ctx, unread)
}

func hasGo(folder string) bool {
	files, _ := os.ReadDir(folder)
	return slices.ContainsFunc(files, func(f os.DirEntry) bool { return filepath.Ext(f.Name()) == ".go" })
}

// take keeps the texts that differ from the files on disk, and finds the packages that they belong to.
func (r *run) take(texts map[string][]byte) {
	for _, file := range keys(texts) {
		text := texts[file]
		old := r.disk(file)
		if old != nil && bytes.Equal(old, text) {
			continue
		}
		r.texts[file] = text
		switch l := r.byFolder[filepath.Dir(file)]; {
		case old != nil, strings.HasSuffix(file, "_test.go"): // a file on the disk belongs to a package that was read, or the build tags leave it out
		case l == nil:
			r.addFresh(file)
		default:
			r.added[l.PkgPath] = append(r.added[l.PkgPath], file)
		}
	}
}

// addFresh adds a file to a package without a file on the disk.
func (r *run) addFresh(file string) {
	importPath, module := r.pathOf(filepath.Dir(file))
	if module == nil { // another run of the go command has found its packages
		return
	}
	l := r.fresh[importPath]
	if l == nil {
		l = &packages.Package{ID: importPath, PkgPath: importPath, Module: module, Imports: map[string]*packages.Package{}, TypesSizes: r.sizes()}
		r.fresh[importPath] = l
	}
	l.GoFiles = append(l.GoFiles, file)
	l.CompiledGoFiles = l.GoFiles
	if f := r.parse(file).file; f != nil && f.Name != nil {
		l.Name = f.Name.Name
	}
}

// parse reads a file with its new text, or from the disk.
func (r *run) parse(file string) parsedFile {
	p, known := r.parsed[file]
	if !known {
		var text any
		if changed, ok := r.texts[file]; ok {
			text = changed
		}
		p.file, p.err = parser.ParseFile(r.fset, file, text, parser.AllErrors|parser.ParseComments)
		r.parsed[file] = p
	}
	return p
}

// unknownImports returns the imports of new texts that the graph lacks.
func (r *run) unknownImports() []string {
	var out []string
	for file := range r.texts {
		f := r.parse(file).file
		if f == nil {
			continue
		}
		l := r.byFolder[filepath.Dir(file)]
		for _, importPath := range importsOf(f) {
			known := r.plain(importPath) != nil || l != nil && l.Imports[importPath] != nil // under another path in a vendor folder
			if importPath != "unsafe" && !known && r.unknown[importPath] == "" {
				out = append(out, importPath)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func importsOf(f *ast.File) []string {
	var out []string
	for _, spec := range f.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil && p != "C" && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// link finds the packages that must be type-checked. It returns the requested packages and those of the folders.
func (r *run) link(folders []string) []*node {
	var roots []*node
	for _, l := range r.roots {
		roots = append(roots, r.node(l.ID, l))
	}
	for _, folder := range folders {
		importPath, _ := r.pathOf(folder)
		if l := cmp.Or(r.byFolder[folder], r.fresh[importPath]); l != nil && !r.isRoot[l.ID] {
			roots = append(roots, r.node(l.ID, l))
		}
	}
	for _, n := range roots {
		r.resolve(n)
	}
	return roots
}

func (r *run) node(id string, was *packages.Package) *node {
	n := r.nodes[id]
	if n == nil {
		n = &node{id: id, was: was, now: was, imports: map[string]*node{}, broken: map[string]string{}, done: make(chan struct{})}
		n.files = slices.Concat(was.CompiledGoFiles, r.added[was.PkgPath])
		if strings.HasSuffix(was.PkgPath, "_test") && forTest(id) != "" { // the files were added to the package under test
			n.files = was.CompiledGoFiles
		}
		r.nodes[id] = n
	}
	return n
}

// changes reports whether a file of a node changes.
func (r *run) changes(n *node) bool {
	return slices.ContainsFunc(n.files, func(file string) bool { _, ok := r.texts[file]; return ok })
}
