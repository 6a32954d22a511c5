// Package inputs reads the catalogs for a command, builds their model and judges them. It reads
// them from the work tree and, for a comparison, from another commit, file or folder.
package inputs

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/catalog/lint"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
)

// Inputs holds catalogs, their model, and the findings in them.
type Inputs struct {
	Files    []string // in the order of reading
	Catalogs []*catalog.Catalog
	Config   *catalog.Configuration // nil if there is none
	Settings lint.Settings
	// Unlisted are catalogs beside files that the configuration lists, which it does not list.
	Unlisted []string
	// some is true if the module has further catalogs, which the arguments leave out.
	some bool
	// Set can be used only if there are no errors.
	Set      *model.Set
	Findings diag.Findings
	// Problems are findings about files, the configuration, and documents that are no catalog of
	// this version. The content of these is unknown.
	Problems diag.Findings
}

// Load reads and resolves the catalogs that the arguments name, and judges them. release is the
// version about to be released; it may be empty.
func Load(ctx context.Context, files discovery.Files, args []string, release string, mode model.ResolveMode) Inputs {
	in := read(files, args)
	in.resolve(ctx, model.Options{Resolve: mode})
	in.Findings = lint.Run(lint.Input{
		Catalogs: in.Catalogs, Set: in.Set, Found: in.Findings, Release: release, Settings: in.Settings, Some: in.some,
	})
	return in
}

// resolve builds the model of the catalogs.
func (in *Inputs) resolve(ctx context.Context, opts model.Options) {
	var findings diag.Findings
	in.Set, findings = model.Build(ctx, in.Catalogs, opts)
	in.add(findings.Besides(in.Findings))
	in.Findings.Sort()
}

// read reads the catalogs that the arguments name.
func read(files discovery.Files, args []string) (in Inputs) {
	config, problems := discovery.Configuration(files)
	settings, wrong := lint.NewSettings(config)
	in.Config, in.Settings, in.Problems = config, settings, append(problems, wrong...)
	if len(in.Problems) > 0 && len(args) == 0 {
		return in
	}
	in.readFrom(files, config, args)
	if len(args) == 0 && config != nil {
		in.explainMissing()
		in.Unlisted = discovery.Unlisted(files, config, in.Files)
	}
	return in
}

// explainMissing gives the problems of catalogs that the configuration lists, but that are not
// there, the position in the configuration.
func (in *Inputs) explainMissing() {
	for i := range in.Problems {
		f := &in.Problems[i]
		entry := discovery.Entry(in.Config, f.Pos.File)
		if !entry.Set() || f.Pos.Line > 0 || !disk.IsGone(f.Pos.File) {
			continue
		}
		f.Pos, f.Message = entry.Pos, fmt.Sprintf("%s: %s; write its new path, or remove this entry and the files that were generated from it", f.Pos.File, f.Message)
	}
}

// readFrom reads catalogs from disk or from another source of files.
func (in *Inputs) readFrom(files discovery.Files, config *catalog.Configuration, args []string) {
	in.readSources(files, config, args)
	if len(in.Catalogs) == 0 && len(in.Findings) == 0 && len(in.Problems) == 0 {
		in.nothingFound(append(args, discovery.ConfigurationFile)[0])
		if len(args) == 0 && config != nil {
			f := &in.Problems[0]
			f.Pos = config.CatalogsPos
			f.Message += "; list a file or folder that has one or, if the module has none any more, remove " +
				discovery.ConfigurationFile + " and the generated files"
		}
	}
}

func (in *Inputs) nothingFound(where string) {
	in.Problems = catalog.Unreadable(where, errors.New("no EventCatalog found"))
}

func (in *Inputs) readSources(files discovery.Files, config *catalog.Configuration, args []string) {
	sources, problems := discovery.FindIn(files, config, args)
	in.Problems = append(in.Problems, problems...)
	in.some = len(args) > 0 && discovery.Others(files, config, sources)
	for _, source := range sources {
		in.Files = append(in.Files, source.Path)
		found, findings := readSource(files, source)
		in.Catalogs = append(in.Catalogs, found...)
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

// add adds findings to the findings or to the problems. A finding without a line is about a file,
// so it is a problem.
func (in *Inputs) add(findings diag.Findings) {
	for _, f := range findings {
		if f.Unread || f.Pos.Line == 0 {
			in.Problems = append(in.Problems, f)
		} else {
			in.Findings = append(in.Findings, f)
		}
	}
}

// obstacles returns the reasons why catalogs can't be compared: problems and errors.
func (in *Inputs) obstacles() diag.Findings {
	errors := slices.DeleteFunc(slices.Clone(in.Findings), func(f diag.Finding) bool { return f.Severity < diag.Error })
	return append(slices.Clone(in.Problems), errors...)
}

// joined merges the findings of both sides. Both can have the same finding about the configuration.
func joined(a, b diag.Findings) diag.Findings {
	return append(a, slices.DeleteFunc(b, func(f diag.Finding) bool { return slices.Contains(a, f) })...)
}
