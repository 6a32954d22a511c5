package check

import (
	"context"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
	"github.com/event-gen/event-gen/internal/plumbing/gocommand"
)

// graph holds the packages that one run of the go command found.
type graph struct {
	scan.Group
	fset *token.FileSet
	opts scan.Options
	// byID are the packages as they were read, with their imports. IDs tell the variants of a
	// package apart.
	byID map[string]*packages.Package
	// disks are the files as they were when they first got a new text, because they may be written
	// later; nil for files that were not there.
	disks map[string][]byte
}

func newGraph(l *scan.Loaded, group scan.Group) *graph {
	g := &graph{Group: group, fset: l.Fset, opts: l.Options, byID: map[string]*packages.Package{}, disks: map[string][]byte{}}
	packages.Visit(group.Roots, nil, func(l *packages.Package) { g.byID[l.ID] = l })
	return g
}

func (g *graph) disk(file string) []byte {
	if _, known := g.disks[file]; !known {
		g.disks[file], _ = os.ReadFile(filepath.Clean(file))
	}
	return g.disks[file]
}

// with type-checks the packages that change.
func (g *graph) with(ctx context.Context, texts map[string][]byte) ([]*packages.Package, error) {
	listed, err := g.list(ctx, texts)
	if err != nil {
		return nil, err
	}
	c := &checker{graph: g, texts: texts, parsed: map[string]parsedFile{}, roots: map[string]bool{}, now: map[string]*packages.Package{}}
	for _, l := range listed {
		c.roots[l.ID] = true
	}
	packages.Visit(listed, nil, c.visit)
	var roots []*packages.Package
	for _, l := range listed {
		if !isTestMain(l.ID) {
			roots = append(roots, c.now[l.ID])
		}
	}
	return roots, ctx.Err()
}

// list makes the go command list the requested packages and the packages of the new texts, with
// their imports, as if the texts were on disk.
func (g *graph) list(ctx context.Context, texts map[string][]byte) ([]*packages.Package, error) {
	patterns := slices.Clone(g.Patterns)
	for file := range texts {
		folder := filepath.Dir(file)
		if !strings.HasSuffix(file, "_test.go") && g.reads(folder) && !slices.Contains(patterns, folder) {
			patterns = append(patterns, folder)
		}
	}
	slices.Sort(patterns)
	cfg := g.opts.Config(ctx, g.Dir)
	cfg.Overlay = texts
	cfg.Mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
		packages.NeedModule | packages.NeedTypesSizes
	listed, err := packages.Load(cfg, patterns...)
	return listed, gocommand.Failure(err)
}

// reads reports whether a folder is in a module whose packages were read.
func (g *graph) reads(folder string) bool {
	for folder != filepath.Dir(folder) && disk.IsGone(folder) {
		folder = filepath.Dir(folder)
	}
	root := disk.Nearest(folder, "go.mod")
	return slices.ContainsFunc(g.Roots, func(l *packages.Package) bool { return l.Module != nil && l.Module.Dir == root })
}

// isTestMain reports whether a package is the command that runs the tests of another one.
func isTestMain(id string) bool { return strings.HasSuffix(id, ".test") }
