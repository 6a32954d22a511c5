package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/lint"
	"github.com/event-gen/event-gen/internal/model"
)

// inputs are catalogs with all that was found in them on the way to a model.
type inputs struct {
	// set is only good if there are no errors.
	set      *model.Set
	findings diag.Findings
	// problems are about files and the configuration, not about catalogs.
	problems diag.Findings
}

// load reads, judges and resolves the catalogs that the arguments stand for.
func load(ctx context.Context, args []string, mode model.ResolveMode) inputs {
	catalogs, in := read(args)
	judged := lint.Run(catalogs)
	set, findings := model.Build(ctx, catalog.Complete(catalogs), model.Options{Resolve: mode})
	in.set = set
	in.add(in.besides(append(judged, findings...)))
	in.findings.Sort()
	return in
}

// read reads the catalogs that the arguments stand for.
func read(args []string) (catalogs []*catalog.Catalog, in inputs) {
	sources, problems := discovery.Find(args)
	in.problems = problems
	for _, source := range sources {
		found, findings := catalog.ReadFile(source)
		catalogs = append(catalogs, found...)
		in.add(findings)
	}
	if len(catalogs) == 0 && len(in.findings) == 0 && len(in.problems) == 0 {
		where := append(args, discovery.ConfigurationFile)[0]
		in.problems = catalog.Unreadable(where, errors.New("no EventCatalog found"))
	}
	return catalogs, in
}

// besides gives the findings at places where nothing was found yet: what the reader could not take as it stands need not
// be judged too.
func (in *inputs) besides(findings diag.Findings) diag.Findings {
	taken := map[diag.Pos]bool{}
	for _, f := range in.findings {
		taken[f.Pos] = true
	}
	return slices.DeleteFunc(findings, func(f diag.Finding) bool { return taken[f.Pos] })
}

// add takes findings in; those without a line are about files.
func (in *inputs) add(findings diag.Findings) {
	for _, f := range findings {
		if f.Pos.Line == 0 {
			in.problems = append(in.problems, f)
		} else {
			in.findings = append(in.findings, f)
		}
	}
}

// report prints findings of a severity and worse, one a line.
func report(w io.Writer, findings diag.Findings, least diag.Severity) {
	for _, f := range findings {
		if f.Severity >= least {
			fmt.Fprintln(w, f)
		}
	}
}
