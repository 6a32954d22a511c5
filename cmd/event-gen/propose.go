package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/adoption/judge"
	"github.com/event-gen/event-gen/internal/adoption/propose"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/output/initialize"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
	"github.com/event-gen/event-gen/internal/plumbing/format"
)

// destination is where a proposed catalog goes; zero if none is asked for.
type destination struct {
	output string // as it was given; - is stdout
	file   string // absolute; with stdout, where the catalog would stand
	module initialize.Module
}

// destinationOf checks before packages are read, which may take minutes, that the catalog can go
// there.
func destinationOf(output string) (d destination, err error) {
	d.output = output
	file := output
	switch _, missing := os.Lstat(file); {
	case output == "":
		return d, nil
	case output == "-":
		file = "catalog.yaml"
	case missing == nil:
		return d, existsAlready(file)
	}
	if d.file, err = filepath.Abs(file); err != nil {
		return d, err
	}
	d.module, err = moduleFor([]string{filepath.Dir(d.file)})
	return d, err
}

// proposeCatalog writes the proposed catalog to a new file, or to stdout.
func proposeCatalog(cmd *cobra.Command, r *scan.Result, dir string, d destination) error {
	o := placed(d.module, d.file)
	o.Dir = dir
	c, text, err := judge.Proposed(cmd.Context(), r, o, d.file)
	if err != nil {
		return err
	}
	if d.output == "-" {
		_, err = cmd.OutOrStdout().Write(text)
	} else {
		err = writeOnce(cmd.Context(), d.module, d.file, d.output, text)
	}
	if err != nil {
		return err
	}
	reportProposal(cmd, c, r.Recording(), dir, d.output)
	return nil
}

// reportProposal prints the sites that are in no event of the proposed catalog.
func reportProposal(cmd *cobra.Command, c *propose.Catalog, sites int, dir, output string) {
	stderr := cmd.ErrOrStderr()
	for _, l := range c.Left {
		fmt.Fprintln(stderr, l.Text(dir))
	}
	if output != "-" {
		left := ""
		if n := sites - c.Sites; n > 0 {
			left = fmt.Sprintf("; %d of %d calls are in no event", n, sites)
		}
		fmt.Fprintf(stderr, "wrote %s: %s from %s%s\n", output, format.Count(len(c.Events), "event"), format.Count(c.Sites, "call"), left)
	}
}

// writeOnce writes a new file of the module. It fails if the file exists.
func writeOnce(ctx context.Context, m initialize.Module, file, name string, text []byte) error {
	rel, err := filepath.Rel(m.Root, file)
	if err != nil {
		return err
	}
	err = disk.Apply(ctx, []disk.Change{{Path: name, Root: m.Root, Name: rel, Content: text, New: true}})
	if errors.Is(err, fs.ErrExist) {
		return existsAlready(name)
	}
	return err
}

func existsAlready(name string) error {
	return fmt.Errorf("%s exists already; remove it, or name another file", name)
}

// placed returns the options for the package that a catalog generates. Its folder is
// internal/<controller>events for a catalog at the module's root. For another catalog it is the
// catalog's folder if that is called <controller>events, else a folder of this name in it.
func placed(m initialize.Module, file string) propose.Options {
	o := propose.Options{Package: initialize.Package(m.Path)}
	switch {
	case m.Dir == ".":
		o.Output = "internal/" + o.Package + "/zz_generated.events.go"
		o.ImportPath = path.Join(m.Path, "internal", o.Package)
	case path.Base(m.Dir) == o.Package:
		o.ImportPath = path.Join(m.Path, m.Dir)
	default:
		o.ImportPath = path.Join(m.Path, m.Dir, o.Package)
	}
	return o
}

// firstCatalog returns a catalog of the events that a module records; nil if the module records
// none or already has a catalog.
func firstCatalog(cmd *cobra.Command, m initialize.Module) ([]byte, error) {
	file := filepath.Join(m.Root, filepath.FromSlash(m.Catalog()))
	if exists(file) || !scan.NeedsClients(m.Root) {
		return nil, nil
	}
	r, dir, err := scannedPackages(cmd, scan.Options{Dir: m.Root})
	if err != nil || len(r.Sites) == 0 {
		return nil, nil // there are no packages, or none of them records events
	}
	o := propose.Options{
		Package: path.Base(m.Dir), ImportPath: path.Join(m.Path, m.Dir), Dir: dir,
	}
	c, text, err := judge.Proposed(cmd.Context(), r, o, file)
	if err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "the new catalog has no events: %v\n", err)
		return nil, nil
	}
	reportProposal(cmd, c, r.Recording(), dir, "-")
	return append([]byte("# yaml-language-server: $schema=./"+catalog.SchemaFile+"\n"), text...), nil
}
