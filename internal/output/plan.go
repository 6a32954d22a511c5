// Package output writes generated files to disk. It writes only changed files, each whole or not at
// all. It never replaces a file that event-gen did not write, and never writes outside of the
// catalog's module.
package output

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
	"github.com/event-gen/event-gen/internal/plumbing/header"
	"github.com/event-gen/event-gen/internal/plumbing/plain"
)

// File is a generated file.
type File struct {
	// Path and Catalog are absolute. Catalog is the file from which it is generated.
	Path    string
	Catalog string
	Content []byte
}

// State describes how a file on disk differs from the generated one.
type State string

// The states.
const (
	Missing State = "missing"
	Stale   State = "stale"
	Extra   State = "extra" // its catalog is gone or no longer declares it
)

// Change is a file to write or, if it is Extra, to remove.
type Change struct {
	Path  string // as disk.Show returns it
	State State
	// Why is the reason for the state, on one line; often empty.
	Why string

	disk disk.Change
}

// Diff returns the change as a unified diff.
func (c Change) Diff() []byte {
	return diff.Diff(c.Path, c.disk.Old, c.Path, c.disk.Content)
}

// Plan holds the changes to make on disk.
type Plan struct {
	// Changes are sorted by path.
	Changes []Change
	// Warnings are sorted lines about generated files that no catalog generates any more and that
	// Compare does not remove.
	Warnings []string

	roots    map[string]*os.Root // by folder
	findings diag.Findings
}

// Compare compares the complete output of some catalogs with the disk. Its findings are about files
// that it must not change. The caller must close the plan. everywhere is true if these are all
// catalogs of their modules. Compare then looks for files of a removed catalog in all folders of
// the modules, not only near catalogs and outputs.
func Compare(files []File, everywhere bool) (*Plan, diag.Findings) {
	p := &Plan{roots: map[string]*os.Root{}}
	made := map[string]string{}
	for _, f := range files {
		if other, twice := made[f.Path]; twice {
			p.fail(f.Path, fmt.Errorf("both %s and %s generate this file; change spec.go.output of one of them", disk.Show(other), disk.Show(f.Catalog)))
			continue
		}
		made[f.Path] = f.Catalog
		if err := p.compare(f); err != nil {
			p.fail(f.Path, err)
		}
	}
	p.findOrphans(files, made, everywhere)
	slices.Sort(p.Warnings)
	slices.SortFunc(p.Changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	p.findings.Sort()
	return p, p.findings
}

// Apply makes all changes of the plan, or none.
func (p *Plan) Apply(ctx context.Context) diag.Findings {
	if err := disk.Apply(ctx, p.Disk()); err != nil {
		return catalog.Unwritable(err)
	}
	return nil
}

// Disk returns the changes, for a caller that writes other files together with them.
func (p *Plan) Disk() []disk.Change {
	changes := make([]disk.Change, len(p.Changes))
	for i, c := range p.Changes {
		changes[i] = c.disk
	}
	return changes
}

// Close closes the folders that the plan has opened.
func (p *Plan) Close() {
	for _, root := range p.roots {
		root.Close()
	}
}

func (p *Plan) fail(path string, err error) {
	p.findings = append(p.findings, catalog.Unreadable(disk.Show(path), err)...)
}

func (p *Plan) compare(f File) error {
	root, name, err := p.locate(f.Catalog, f.Path)
	if err != nil {
		return err
	}
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.add(f.Path, Missing, "", disk.Change{Root: root.Name(), Name: name, Content: f.Content, New: true})
		return nil
	case err != nil:
		return err
	}
	old, err := readThrough(root, name, info)
	if err != nil {
		return err
	}
	found, ours := header.Find(old)
	if !ours {
		return header.ErrMissing
	}
	if content := plain.WithEndsOf(f.Content, old); !bytes.Equal(old, content) {
		p.add(f.Path, Stale, whyStale(f, found), disk.Change{Root: root.Name(), Name: name, Content: content, Old: old})
	}
	return nil
}

// readThrough reads a file, also through a symbolic link, which only Apply refuses: Bazel and Nix
// show each file through one, and --check compares them.
func readThrough(root *os.Root, name string, info fs.FileInfo) ([]byte, error) {
	if info.Mode().IsRegular() {
		return root.ReadFile(name)
	}
	content, _, err := disk.Read(filepath.Join(root.Name(), name))
	return content, err
}

// whyStale describes the difference between the headers of the two files; empty if they are equal.
func whyStale(f File, old header.Found) string {
	now, _ := header.Find(f.Content)
	switch {
	case old.Source != now.Source:
		return fmt.Sprintf("it was generated from %s and now comes from %s", old.Source, now.Source)
	case !bytes.Equal(plain.WithEnds(old.Above, "\n"), now.Above):
		return "the text above its header differs from --header-file"
	}
	return ""
}

func (p *Plan) add(path string, state State, why string, change disk.Change) {
	change.Path = disk.Show(path)
	p.Changes = append(p.Changes, Change{Path: change.Path, State: state, Why: why, disk: change})
}

// locate opens the module of a catalog, or its folder if there is no module, and returns a path's
// name in it. A path through the returned root can't lead out of it, not even by symbolic links.
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

func moduleRoot(folder string) string { return cmp.Or(disk.Nearest(folder, "go.mod"), folder) }
