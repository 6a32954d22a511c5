package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/adoption/propose"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/catalog/lint"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/output/initialize"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
)

// proposeCatalog writes the proposed catalog to a new file, or to stdout.
func proposeCatalog(cmd *cobra.Command, r *scan.Result, dir, output string) error {
	file := output
	if output == "-" {
		file = "catalog.yaml"
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	m, err := moduleFor([]string{filepath.Dir(file)})
	if err != nil {
		return err
	}
	o := placed(m, file)
	o.Dir = dir
	c, text, err := judged(cmd.Context(), r, o, file)
	if err != nil {
		return err
	}
	if output == "-" {
		_, err = cmd.OutOrStdout().Write(text)
	} else {
		err = writeOnce(cmd.Context(), m, file, output, text)
	}
	if err != nil {
		return err
	}
	reportProposal(cmd, c, r.Recording(), dir, output)
	return nil
}

// reportProposal tells which of all sites are in no event.
func reportProposal(cmd *cobra.Command, c *propose.Catalog, sites int, dir, output string) {
	stderr := cmd.ErrOrStderr()
	for _, l := range c.Left {
		fmt.Fprintln(stderr, l.Text(dir))
	}
	if output != "-" {
		left := ""
		if n := sites - c.Sites; n > 0 {
			left = fmt.Sprintf("; %d of all %d sites are in none", n, sites)
		}
		fmt.Fprintf(stderr, "wrote %s: %d events of %d sites%s\n", output, len(c.Events), c.Sites, left)
	}
}

// writeOnce writes a new file of the module. An existing file is an error.
func writeOnce(ctx context.Context, m initialize.Module, file, name string, text []byte) error {
	rel, err := filepath.Rel(m.Root, file)
	if err != nil {
		return err
	}
	err = disk.Apply(ctx, []disk.Change{{Path: name, Root: m.Root, Name: rel, Content: text, New: true}})
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists; remove it, or name another file", name)
	}
	return err
}

// placed returns the options for the package that a catalog generates: internal/<controller>events for a catalog at the module's root, else
// a folder of this name below the catalog's, or the catalog's if it has this name.
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

// firstCatalog returns a catalog of the events that a module records; nil if it records none, or already has a catalog.
func firstCatalog(cmd *cobra.Command, m initialize.Module) ([]byte, error) {
	file := filepath.Join(m.Root, filepath.FromSlash(m.Dir), initialize.CatalogFile)
	if exists(file) || !scan.NeedsClients(m.Root) {
		return nil, nil
	}
	r, dir, err := scannedPackages(cmd, scan.Options{Dir: m.Root})
	if err != nil || len(r.Sites) == 0 {
		return nil, nil // there are no packages, or none records
	}
	o := propose.Options{
		Package: path.Base(m.Dir), ImportPath: path.Join(m.Path, m.Dir), Dir: dir,
	}
	c, text, err := judged(cmd.Context(), r, o, file)
	if err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "the catalog has no events: %v\n", err)
		return nil, nil
	}
	reportProposal(cmd, c, r.Recording(), dir, "-")
	return append([]byte("# yaml-language-server: $schema=./"+catalog.SchemaFile+"\n"), text...), nil
}

// mostMends bounds the rounds of mending a proposal.
const mostMends = 12

// judged proposes a catalog without errors. It simplifies an event that lint refuses; if that does not help, it leaves the event out and
// reports it. Warnings about what is recorded already are suppressed with that reason.
func judged(ctx context.Context, r *scan.Result, o propose.Options, file string) (*propose.Catalog, []byte, error) {
	o.Plain, o.Without, o.Untyped = map[string]bool{}, map[string]string{}, map[string]bool{}
	o.Ignored = map[string][]any{}
	for range mostMends {
		c := propose.From(r, o)
		if len(c.Events) == 0 {
			return nil, nil, errors.New("nothing to propose: " + nothing(c, o.Dir))
		}
		text := c.YAML()
		errs, warnings := judgeText(ctx, file, text)
		switch {
		case len(errs) > 0:
			if !mend(&o, c, errs) {
				return nil, nil, fmt.Errorf("the proposed catalog has an error that event-gen can't mend: %s", errs[0])
			}
		case !quiet(&o, c, warnings):
			return c, text, nil
		}
	}
	return nil, nil, errors.New("the proposed catalog has errors that event-gen can't mend")
}

func nothing(c *propose.Catalog, dir string) string {
	if len(c.Left) == 0 {
		return "no calls of event recorders were found"
	}
	return c.Left[0].Text(dir)
}

// judgeText returns the errors and the warnings of a catalog, as lint is configured.
func judgeText(ctx context.Context, file string, text []byte) (errs, warnings diag.Findings) {
	config, _ := discovery.Configuration(discovery.Disk{})
	settings, _ := lint.NewSettings(config)
	catalogs, findings := catalog.Read(file, bytes.NewReader(text))
	set, more := model.Build(ctx, catalogs, resolution(model.ResolveAuto))
	findings = append(findings, more...)
	for _, f := range lint.Run(lint.Input{Catalogs: catalogs, Set: set, Found: findings, Settings: settings}) {
		switch f.Severity {
		case diag.Error:
			errs = append(errs, f)
		case diag.Warning:
			warnings = append(warnings, f)
		}
	}
	return errs, warnings
}

// recorded are rules about reasons, types, texts and arguments, which a catalog keeps as they are recorded.
var recorded = []string{
	diag.SimilarReasons, diag.ReasonWithBothTypes, diag.CamelCase, diag.TypeAgainstReason, diag.LeftoverVerb, diag.AlikeNeighbours,
	diag.EverNewKey, diag.IntentAndDeed,
}

// quiet changes a proposal so that it has fewer warnings. It reports whether it changed anything.
func quiet(o *propose.Options, c *propose.Catalog, warnings diag.Findings) bool {
	changed := false
	for _, f := range warnings {
		event := ""
		if owner, known := c.OwnerOf(f.Pos.Line); known {
			event = owner.Event
		}
		switch {
		case f.Rule == diag.NoDoc && !o.Document:
			o.Document, changed = true, true
		case event == "":
		case slices.Contains(recorded, f.Rule) && !slices.Contains(o.Ignored[event], any(f.Rule)):
			o.Ignored[event], changed = append(o.Ignored[event], f.Rule), true
		}
	}
	return changed
}

// mend simplifies or leaves out the events and objects with errors. It reports whether it changed anything.
func mend(o *propose.Options, c *propose.Catalog, errs diag.Findings) bool {
	changed := false
	for _, f := range errs {
		owner, known := c.OwnerOf(f.Pos.Line)
		switch {
		case !known:
		case owner.Object != "" && !o.Untyped[owner.Object]:
			o.Untyped[owner.Object], changed = true, true
		case owner.Event == "":
		case !o.Plain[owner.Event] && f.Rule != diag.DuplicateEvent:
			o.Plain[owner.Event], changed = true, true
		case o.Without[owner.Event] == "":
			o.Without[owner.Event], changed = fmt.Sprintf("%s [%s]", f.Message, f.Rule), true
		}
	}
	return changed
}
