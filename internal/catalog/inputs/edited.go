package inputs

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/catalog/fix"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
)

// Edited is the file system with other contents for some files.
type Edited map[string]Edit

// Edit holds a file's text before and after the edit.
type Edit struct{ Before, Now []byte }

// text returns the current text of a file.
func (e Edited) text(file string) []byte {
	if text, ok := e[file]; ok {
		return text.Now
	}
	text, _ := disk.ReadFile(file, catalog.MaxBytes)
	return text
}

// Open opens a file as it is now.
func (e Edited) Open(path string) (fs.File, error) {
	text, ok := e[path]
	if !ok {
		return discovery.Disk{}.Open(path)
	}
	return disk.NewFile(filepath.Base(path), text.Now), nil
}

// Stat describes a file.
func (e Edited) Stat(path string) (fs.FileInfo, error) {
	if text, ok := e[path]; ok {
		return disk.NewFile(filepath.Base(path), text.Now).Stat()
	}
	return discovery.Disk{}.Stat(path)
}

// ReadDir lists a folder.
func (Edited) ReadDir(path string) ([]fs.DirEntry, error) { return discovery.Disk{}.ReadDir(path) }

// mostRounds bounds the rounds of fixes. A round can make further fixes possible.
const mostRounds = 10

// Fixed returns the files that fixes change, or the problems with files. chosen returns the
// findings to fix. If it is nil, all are fixed, and the keys of catalogs are put in order.
func Fixed(ctx context.Context, args []string, release string, chosen func(diag.Findings) diag.Findings) (files Edited, problems diag.Findings) {
	files = Edited{}
	for range mostRounds {
		problems, changed := files.fix(ctx, args, release, chosen)
		if len(problems) > 0 {
			return nil, problems
		}
		if !changed {
			break
		}
	}
	return files, nil
}

// fix applies the fixes of the current findings. It reports whether anything changed.
func (e Edited) fix(ctx context.Context, args []string, release string, chosen func(diag.Findings) diag.Findings) (problems diag.Findings, changed bool) {
	in := Load(ctx, e, args, release, model.ResolveAuto)
	if len(in.Problems) > 0 {
		return in.Problems, false
	}
	findings := in.Findings
	if chosen != nil {
		findings = chosen(findings)
	}
	for _, file := range in.Files {
		before := e.text(file)
		after := fix.All(before, findingsOf(findings, file))
		if chosen == nil && holdsCatalogs(in.Catalogs, file) {
			after = fix.Ordered(after)
		}
		if !bytes.Equal(before, after) {
			e.change(file, before, after)
			changed = true
		}
	}
	return nil, changed
}

// change replaces the text of a file and remembers the original.
func (e Edited) change(file string, before, after []byte) {
	if first, again := e[file]; again {
		before = first.Before
	}
	e[file] = Edit{before, after}
}

func findingsOf(findings diag.Findings, file string) diag.Findings {
	return slices.DeleteFunc(slices.Clone(findings), func(f diag.Finding) bool { return f.Pos.File != file })
}

func holdsCatalogs(catalogs []*catalog.Catalog, file string) bool {
	return slices.ContainsFunc(catalogs, func(c *catalog.Catalog) bool { return c.File == file })
}

// Names returns the paths of the changed files, sorted.
func (e Edited) Names() []string {
	return slices.Sorted(maps.Keys(e))
}
