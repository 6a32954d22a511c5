package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/catalog/lint"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/format"
	"github.com/spf13/cobra"
)

// inputs are catalogs, their model, and the findings in them.
type inputs struct {
	files    []string // in the order of reading
	catalogs []*catalog.Catalog
	config   *catalog.Configuration // nil if there is none
	settings lint.Settings
	unsaved  textOf // texts that were judged in place of the files on disk
	// some: the module has further catalogs, which the arguments leave out.
	some bool
	// set is only good if there are no errors.
	set      *model.Set
	findings diag.Findings
	// problems are about files, the configuration, and documents that are no catalog of this version: their content is unknown.
	problems diag.Findings
}

// load reads, judges and resolves the catalogs that the arguments name.
func load(ctx context.Context, args []string, mode model.ResolveMode) inputs {
	return loadFrom(ctx, discovery.Disk{}, args, lintOptions{}, mode)
}

// loadFrom is load for catalogs that may not be on disk, and for the release of the options.
func loadFrom(ctx context.Context, files discovery.Files, args []string, o lintOptions, mode model.ResolveMode) inputs {
	in := resolved(ctx, files, args, resolution(mode))
	in.findings = lint.Run(lint.Input{
		Catalogs: in.catalogs, Set: in.set, Found: in.findings, Release: o.release, Settings: in.settings, Some: in.some,
	})
	return in
}

// resolution returns the options for looking up Go types.
func resolution(mode model.ResolveMode) model.Options {
	return model.Options{Resolve: mode}
}

// resolved reads and resolves catalogs without judging them.
func resolved(ctx context.Context, files discovery.Files, args []string, opts model.Options) inputs {
	in := read(files, args)
	in.resolve(ctx, opts)
	return in
}

// resolve resolves catalogs that were read.
func (in *inputs) resolve(ctx context.Context, opts model.Options) {
	var findings diag.Findings
	in.set, findings = model.Build(ctx, in.catalogs, opts)
	in.add(findings.Besides(in.findings))
	in.findings.Sort()
}

// read reads the catalogs that the arguments name.
func read(files discovery.Files, args []string) (in inputs) {
	config, problems := discovery.Configuration(files)
	settings, wrong := lint.NewSettings(config)
	in.config, in.settings, in.problems = config, settings, append(problems, wrong...)
	if len(in.problems) > 0 && len(args) == 0 {
		return in
	}
	in.readFrom(files, config, args)
	return in
}

// readFrom reads catalogs from disk or from elsewhere.
func (in *inputs) readFrom(files discovery.Files, config *catalog.Configuration, args []string) {
	in.readSources(files, config, args)
	if len(in.catalogs) == 0 && len(in.findings) == 0 && len(in.problems) == 0 {
		in.nothingFound(append(args, discovery.ConfigurationFile)[0])
	}
}

func (in *inputs) nothingFound(where string) {
	in.problems = catalog.Unreadable(where, errors.New("no EventCatalog found"))
}

func (in *inputs) readSources(files discovery.Files, config *catalog.Configuration, args []string) {
	sources, problems := discovery.FindIn(files, config, args)
	in.problems = append(in.problems, problems...)
	in.some = len(args) > 0 && discovery.Others(files, config, sources)
	for _, source := range sources {
		in.files = append(in.files, source.Path)
		found, findings := readSource(files, source)
		in.catalogs = append(in.catalogs, found...)
		in.add(findings)
	}
}

func readSource(files discovery.Files, source catalog.Source) ([]*catalog.Catalog, diag.Findings) {
	f, err := files.Open(source.Path)
	if err != nil {
		return nil, catalog.Unreadable(source.Path, err)
	}
	defer f.Close()
	return catalog.ReadFrom(source, f)
}

// add sorts findings into findings and problems. A finding without a line is about a file.
func (in *inputs) add(findings diag.Findings) {
	for _, f := range findings {
		if f.Unread || f.Pos.Line == 0 {
			in.problems = append(in.problems, f)
		} else {
			in.findings = append(in.findings, f)
		}
	}
}

// loadValid loads catalogs for a command that needs their content. It prints the findings of a severity or worse. The error is the command's
// outcome if a file has a problem, or a catalog an error.
func loadValid(cmd *cobra.Command, args []string, mode model.ResolveMode, least diag.Severity) (inputs, error) {
	in := load(cmd.Context(), args, mode)
	err := refused(cmd, in.problems)
	tell(cmd.ErrOrStderr(), in.findings, least)
	return in, cmp.Or(err, verdict(in.findings, diag.Error))
}

// refused prints problems, one a line. It returns the command's outcome if there are any.
func refused(cmd *cobra.Command, problems diag.Findings) error {
	report(cmd.ErrOrStderr(), problems, diag.Info)
	if len(problems) > 0 {
		return exitUsage
	}
	return nil
}

// report prints problems of a severity and worse, one a line.
func report(w io.Writer, problems diag.Findings, least diag.Severity) {
	for _, f := range problems {
		if f.Severity >= least {
			fmt.Fprintln(w, format.Line(f))
		}
	}
}

// tell prints findings in catalogs of a severity and worse, one a line.
func tell(w io.Writer, findings diag.Findings, least diag.Severity) {
	for _, f := range findings {
		if f.Severity >= least {
			fmt.Fprintln(w, format.SevereLine(f))
		}
	}
}
