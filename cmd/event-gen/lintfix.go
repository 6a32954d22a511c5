package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/fix"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
)

// mostRounds bounds the rounds of fixes: one fix can make another possible.
const mostRounds = 10

// fixFiles mends the catalogs. It returns why they could not be written. If a file can't be read, it writes nothing, and lint
// reports the file.
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
	if err := refused(cmd, problems); err != nil {
		return err
	}
	return files.show(cmd)
}

// mended returns the files that fixes change, or the problems with files.
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

// mend applies the fixes of the current findings. It reports whether anything changed.
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
			e.change(file, before, after)
			changed = true
		}
	}
	return nil, changed
}

// change replaces the text of a file, and remembers the original.
func (e edited) change(file string, before, after []byte) {
	if first, again := e[file]; again {
		before = first.before
	}
	e[file] = edit{before, after}
}

func findingsOf(findings diag.Findings, file string) diag.Findings {
	return slices.DeleteFunc(slices.Clone(findings), func(f diag.Finding) bool { return f.Pos.File != file })
}

func holdsCatalogs(catalogs []*catalog.Catalog, file string) bool {
	return slices.ContainsFunc(catalogs, func(c *catalog.Catalog) bool { return c.File == file })
}

// names returns the paths of the changed files, sorted.
func (e edited) names() []string {
	return slices.Sorted(maps.Keys(e))
}

// show prints what would change.
func (e edited) show(cmd *cobra.Command) error {
	for _, name := range e.names() {
		if _, err := cmd.OutOrStdout().Write(diff.Diff(name, e[name].before, name, e[name].now)); err != nil {
			return err
		}
	}
	if len(e) > 0 {
		return exitFindings
	}
	return nil
}

// save writes the changed files.
func (e edited) save(cmd *cobra.Command) diag.Findings {
	var changes []disk.Change
	for _, name := range e.names() {
		changes = append(changes, disk.Change{
			Path: name, Root: filepath.Dir(name), Name: filepath.Base(name), Content: e[name].now, Old: e[name].before,
		})
	}
	if err := disk.Apply(cmd.Context(), changes); err != nil {
		return catalog.Unwritable(err)
	}
	for _, c := range changes {
		fmt.Fprintf(cmd.ErrOrStderr(), "fixed %s\n", c.Path)
	}
	return nil
}
