package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/fix"
	"github.com/event-gen/event-gen/internal/model"
)

// mostRounds bounds how often fixes make room for others.
const mostRounds = 10

// fixFiles mends the catalogs. It gives what could not be written, in which case nothing was; where a file can't be read
// nothing is written either, and lint says so by itself.
func fixFiles(cmd *cobra.Command, args []string, o lintOptions) diag.Findings {
	files, problems := mended(cmd.Context(), args, o)
	if len(problems) > 0 {
		return nil
	}
	return files.save(cmd)
}

// showFixes prints what would change.
func showFixes(cmd *cobra.Command, args []string, o lintOptions) error {
	files, problems := mended(cmd.Context(), args, o)
	report(cmd.ErrOrStderr(), problems, diag.Info)
	if len(problems) > 0 {
		return exitUsage
	}
	return files.show(cmd)
}

// mended gives the files that fixes change, unless there are problems with any file.
func mended(ctx context.Context, args []string, o lintOptions) (files edited, problems diag.Findings) {
	files = edited{}
	for range mostRounds {
		problems, changed := files.mend(ctx, args, o)
		if len(problems) > 0 {
			return nil, problems
		}
		if !changed {
			break
		}
	}
	return files, nil
}

// edited is the disk with files that have other texts.
type edited map[string][]byte

// mend applies the fixes that the findings of now have. It reports whether anything changed.
func (e edited) mend(ctx context.Context, args []string, o lintOptions) (problems diag.Findings, changed bool) {
	in := loadFrom(ctx, e, args, o, model.ResolveAuto)
	if len(in.problems) > 0 {
		return in.problems, false
	}
	findings := o.chosen(in.findings)
	for _, file := range in.files {
		before := e.text(file)
		after := fix.All(before, findingsOf(findings, file))
		if len(o.rules) == 0 && holdsCatalogs(in.catalogs, file) {
			after = fix.Ordered(after)
		}
		if !bytes.Equal(before, after) {
			e[file], changed = after, true
		}
	}
	return nil, changed
}

func findingsOf(findings diag.Findings, file string) diag.Findings {
	return slices.DeleteFunc(slices.Clone(findings), func(f diag.Finding) bool { return f.Pos.File != file })
}

func holdsCatalogs(catalogs []*catalog.Catalog, file string) bool {
	return slices.ContainsFunc(catalogs, func(c *catalog.Catalog) bool { return c.File == file })
}

func (e edited) text(file string) []byte {
	if text, ok := e[file]; ok {
		return text
	}
	text, _ := os.ReadFile(file)
	return text
}

// names are the paths of the changed files, sorted.
func (e edited) names() []string {
	var names []string
	for name := range e {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// show prints what would change.
func (e edited) show(cmd *cobra.Command) error {
	for _, name := range e.names() {
		before, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if _, err := cmd.OutOrStdout().Write(diff.Diff(name, before, name, e[name])); err != nil {
			return err
		}
	}
	if len(e) > 0 {
		return exitFindings
	}
	return nil
}

// save writes the changed files: each beside the old one, and only when all are there in its place. So nobody sees half of
// a file, and nothing is written where one can't be.
func (e edited) save(cmd *cobra.Command) diag.Findings {
	var all []*replacement
	for _, name := range e.names() {
		r, err := stage(name, e[name])
		if err != nil {
			discard(all)
			return catalog.Unreadable(name, err)
		}
		all = append(all, r)
	}
	for i, r := range all {
		if err := os.Rename(r.temporary, r.target); err != nil {
			discard(all[i:])
			return catalog.Unreadable(r.name, err)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "fixed %s\n", r.name)
	}
	return nil
}

// replacement is a file that is written and not yet in its place.
type replacement struct{ name, target, temporary string }

// stage writes the new text of a file beside it.
func stage(name string, text []byte) (*replacement, error) {
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(target)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o222 == 0 {
		return nil, &fs.PathError{Op: "write", Path: name, Err: fs.ErrPermission}
	}
	temporary, err := os.CreateTemp(filepath.Dir(target), ".event-gen-*")
	if err != nil {
		return nil, err
	}
	_, err = temporary.Write(text)
	err = errors.Join(err, temporary.Chmod(info.Mode().Perm()), temporary.Close())
	r := &replacement{name, target, temporary.Name()}
	if err != nil {
		discard([]*replacement{r})
	}
	return r, err
}

// discard removes what does not come into its place.
func discard(all []*replacement) {
	for _, r := range all {
		os.Remove(r.temporary)
	}
}

// Open opens a file as it is now.
func (e edited) Open(path string) (fs.File, error) {
	text, ok := e[path]
	if !ok {
		return discovery.Disk{}.Open(path)
	}
	info, err := os.Stat(path)
	return &memoryFile{Reader: bytes.NewReader(text), info: info}, err
}

// Stat describes a file as it is on disk.
func (edited) Stat(path string) (fs.FileInfo, error) { return discovery.Disk{}.Stat(path) }

// ReadDir lists a folder.
func (edited) ReadDir(path string) ([]fs.DirEntry, error) { return discovery.Disk{}.ReadDir(path) }

// memoryFile is a file that is not written yet.
type memoryFile struct {
	*bytes.Reader
	info fs.FileInfo
}

func (f *memoryFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (*memoryFile) Close() error                 { return nil }
