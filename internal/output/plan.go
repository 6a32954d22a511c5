// Package output brings generated files to disk: only what changed, all of it or nothing, never over a file that
// event-gen did not write, and never outside the module of the catalog.
package output

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/header"
)

// File is a generated file.
type File struct {
	// Path and Catalog, the file that it is made from, are absolute.
	Path    string
	Catalog string
	Content []byte
}

// State says how a file on disk differs from what is generated.
type State string

// The states.
const (
	Missing State = "missing"
	Stale   State = "stale"
	Extra   State = "extra" // generated from a catalog that does not say so any more
)

// Change is a file that has to be written, or removed if it is Extra.
type Change struct {
	Path  string // as Show gives it
	State State

	root     *os.Root
	name     string // in the root
	old, new []byte
	mode     fs.FileMode
}

// Diff is the change as a unified diff.
func (c Change) Diff() []byte {
	return diff.Diff(c.Path, c.old, c.Path, c.new)
}

// Plan is what has to change on disk.
type Plan struct {
	// Changes are sorted by path.
	Changes []Change

	roots    map[string]*os.Root // by folder
	findings diag.Findings
}

// Compare compares the complete output of some catalogs with what is on disk. Its findings say what is in the way. The
// plan has to be closed.
func Compare(files []File) (*Plan, diag.Findings) {
	p := &Plan{roots: map[string]*os.Root{}}
	made := map[string]string{}
	for _, f := range files {
		if other, twice := made[f.Path]; twice {
			p.fail(f.Path, fmt.Errorf("both %s and %s are to be written to it", Show(other), Show(f.Catalog)))
			continue
		}
		made[f.Path] = f.Catalog
		if err := p.compare(f); err != nil {
			p.fail(f.Path, err)
		}
	}
	p.findOrphans(files, made)
	slices.SortFunc(p.Changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	p.findings.Sort()
	return p, p.findings
}

// Close lets go of the folders.
func (p *Plan) Close() {
	for _, root := range p.roots {
		root.Close()
	}
}

func (p *Plan) fail(path string, err error) {
	p.findings = append(p.findings, catalog.Unreadable(Show(path), err)...)
}

var errForeign = errors.New("event-gen did not write this file and leaves it alone; move it, or set spec.go.output")

func (p *Plan) compare(f File) error {
	root, name, err := p.locate(f.Catalog, f.Path)
	if err != nil {
		return err
	}
	change := Change{Path: Show(f.Path), State: Missing, root: root, name: name, new: f.Content}
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.Changes = append(p.Changes, change)
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("no regular file; event-gen writes no symbolic links, devices or folders")
	}
	if change.old, err = root.ReadFile(name); err != nil {
		return err
	}
	if _, ours := header.Parse(change.old); !ours {
		return errForeign
	}
	if !bytes.Equal(change.old, f.Content) {
		change.State, change.mode = Stale, info.Mode().Perm()
		p.Changes = append(p.Changes, change)
	}
	return nil
}

// locate opens the module of a catalog, or its folder where there is no module, and gives the name of a path in it. What
// is reached through the root can't lead out of it, not by symbolic links either.
func (p *Plan) locate(catalogFile, path string) (*os.Root, string, error) {
	folder := moduleRoot(filepath.Dir(catalogFile))
	name, err := filepath.Rel(folder, path)
	if err != nil {
		return nil, "", err
	}
	root, opened := p.roots[folder]
	if !opened {
		if root, err = os.OpenRoot(folder); err != nil {
			return nil, "", err
		}
		p.roots[folder] = root
	}
	return root, name, nil
}

func moduleRoot(folder string) string {
	for dir := folder; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return folder
		}
	}
}

// Show is the path from the working directory, where that is shorter.
func Show(path string) string {
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, path); err == nil && len(rel) < len(path) {
			return rel
		}
	}
	return path
}
