package model

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// Options holds the settings for resolving catalogs.
type Options struct {
	// Dir is the folder that relative paths of catalogs are relative to; empty: the working
	// directory.
	Dir     string
	Resolve ResolveMode
	// Baseline is true if the catalogs are only compared. Nothing is generated then, so other
	// packages in the target folders do not matter.
	Baseline bool
}

// ResolveMode decides when Go packages are loaded to look up types.
type ResolveMode int

// The modes.
const (
	// ResolveAuto loads packages if the catalog lacks a fact.
	ResolveAuto ResolveMode = iota
	// ResolveAlways loads the packages of all types except Kubernetes' own, even if the catalog
	// gives all facts.
	ResolveAlways
	// ResolveNever loads nothing. The catalog must give every fact.
	ResolveNever
)

var resolveModes = []string{ResolveAuto: "auto", ResolveAlways: "always", ResolveNever: "never"}

// String returns the name that the command line uses.
func (m ResolveMode) String() string { return resolveModes[m] }

// Set reads the name of a mode.
func (m *ResolveMode) Set(name string) error {
	i := slices.Index(resolveModes, name)
	if i < 0 {
		return fmt.Errorf("expected auto, always or never, found %q", name)
	}
	*m = ResolveMode(i)
	return nil
}

// Type names the values of a flag in its usage.
func (*ResolveMode) Type() string { return "mode" }

// Build resolves catalogs as one set. It finds the place of each package, looks up its Go types,
// and resolves its entries. It uses only entries that the reader read completely, because the
// reader has reported the others. The findings are sorted. If any is an error, the set is
// incomplete, and nothing must be generated from it. Types are loaded at most once.
func Build(ctx context.Context, catalogs []*catalog.Catalog, opts Options) (*Set, diag.Findings) {
	dir, err := filepath.Abs(opts.Dir)
	if err != nil {
		dir = opts.Dir
	}
	targets, findings := locate(catalog.Complete(catalogs), dir, opts.Baseline)
	facts, found := lookUp(ctx, targets, opts)
	findings = append(findings, found...)
	set := &Set{}
	for _, t := range targets {
		findings = append(findings, t.resolve(facts[t.root])...)
		if !findings.HasErrors() { // an entry with an error may be the one that uses an import
			findings = append(findings, unusedImports(t.pkg.Catalog)...)
		}
		set.Packages = append(set.Packages, t.pkg)
	}
	return set, tidy(findings)
}

// tidy sorts findings and drops repeated ones. It replaces characters in their messages that do not
// fit on one line.
func tidy(findings diag.Findings) diag.Findings {
	for i := range findings {
		findings[i].Message = eventrt.Clean(findings[i].Message, 0)
	}
	findings.Sort()
	return slices.Compact(findings)
}

// target is a catalog with the place of its package.
type target struct {
	pkg   *Package // has its place; resolve sets the rest
	root  string   // folder of the module; without a module, the catalog's folder
	types typeNames
	scope *scope // identifiers of the Go package; at first those in its other files
}

// locate finds the place of each package. Two catalogs can't share a Go package.
func locate(catalogs []*catalog.Catalog, dir string, baseline bool) (targets []*target, findings diag.Findings) {
	files := map[string]bool{}
	for _, cat := range catalogs {
		files[absolute(dir, cat.File)] = true
	}
	folders := map[string]*catalog.Catalog{}
	for _, cat := range catalogs {
		l := layout{cat: cat, catalogs: files, baseline: baseline, pkg: &Package{Catalog: cat, Controller: cat.ReportingController.Value}}
		placed := l.place(dir)
		imports, found := readImports(cat, l.pkg.Path)
		findings = append(append(findings, found...), l.Findings...)
		if !placed {
			continue
		}
		folder := filepath.Dir(l.pkg.Output)
		first, mend := folders[folder], "go.package"
		if cat.Go.Output.Set() || first != nil && first.Go.Output.Set() {
			mend = "go.output"
		}
		if first != nil {
			findings.Errorf(cat.Go.Package.Pos, diag.GoName, "the catalog at %s generates into the same folder %s; give one of them another %s",
				first.Go.Package.Pos, relativeSlashes(dir, folder), mend)
			continue
		}
		folders[folder] = cat
		if file, source := l.there.generated(); source != "" {
			findings.Errorf(cat.Go.Package.Pos, diag.GoName, "the catalog at %s generates into the same folder %s, as the header of %s there says; give one of them another %s",
				disk.Show(source), relativeSlashes(dir, folder), filepath.Base(file), mend)
			continue
		}
		s := newScope()
		declareExisting(s, l.pkg, l.there.files)
		targets = append(targets, &target{pkg: l.pkg, root: l.root, scope: s, types: typeNames{imports: imports, pkg: l.pkg, scope: s}})
	}
	return targets, findings
}

// resolve computes everything in the package except its place.
func (t *target) resolve(facts facts) diag.Findings {
	cat, pkg := t.pkg.Catalog, t.pkg
	names := newNames(pkg, t.scope)
	objects, findings := resolveObjects(cat.Objects, t.types, facts)
	for _, d := range cat.Objects {
		if o := objects[d.Alias.Value]; o != nil {
			pkg.Objects = append(pkg.Objects, o)
		}
	}
	limits, found := readLimits(cat.Limits)
	findings = append(findings, found...)
	in := &inputs{cat: cat, types: t.types, facts: facts, objects: objects, limits: limits, names: names}
	for i := range cat.Events {
		e, found := in.event(&cat.Events[i])
		findings = append(findings, found...)
		if e != nil {
			pkg.Events = append(pkg.Events, e)
		}
	}
	for _, d := range cat.Limits {
		if l := limits[d.Name.Value]; l != nil && l.Var != "" {
			pkg.Limits = append(pkg.Limits, l)
		}
	}
	pkg.Transitions, found = in.transitionsOf(pkg)
	findings = append(findings, found...)
	names.formerly(pkg.Events)
	pos := cat.Go.Package.Pos
	pkg.For = t.scope.unique("For", "the generated For", pos)
	pkg.FromEvents = t.scope.unique("FromEvents", "the generated FromEvents", pos)
	pkg.FromRecord = t.scope.unique("FromRecord", "the generated FromRecord", pos)
	nameShared(pkg, t.scope)
	resolveImports(pkg, t.types.imports, t.scope)
	nameArguments(pkg, t.scope)
	return append(findings, names.Findings...)
}
