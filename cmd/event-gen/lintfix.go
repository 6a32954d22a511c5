package main

import (
	"bytes"
	"context"
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

// runFix mends the catalogs, or shows how.
func runFix(cmd *cobra.Command, args []string, o lintOptions) error {
	files := edited{}
	for range mostRounds {
		if problems, changed := files.mend(cmd.Context(), args, o); len(problems) > 0 {
			report(cmd.ErrOrStderr(), problems, diag.Info)
			return exitUsage
		} else if !changed {
			break
		}
	}
	if o.diff {
		return files.show(cmd)
	}
	return files.save(cmd)
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

// save writes the changed files.
func (e edited) save(cmd *cobra.Command) error {
	for _, name := range e.names() {
		if err := replace(name, e[name]); err != nil {
			report(cmd.ErrOrStderr(), catalog.Unreadable(name, err), diag.Info)
			return exitUsage
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "fixed %s\n", name)
	}
	return nil
}

// replace writes a file beside the old one and puts it in its place, so that nobody sees half of it.
func replace(name string, text []byte) error {
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o222 == 0 {
		return &fs.PathError{Op: "write", Path: name, Err: fs.ErrPermission}
	}
	temporary, err := os.CreateTemp(filepath.Dir(target), ".event-gen-*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(text)
	for _, step := range []func() error{
		func() error { return temporary.Chmod(info.Mode().Perm()) },
		temporary.Close,
	} {
		if failed := step(); err == nil {
			err = failed
		}
	}
	if err != nil {
		return err
	}
	return os.Rename(temporary.Name(), target)
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
