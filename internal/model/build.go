package model

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// builder resolves one catalog.
type builder struct {
	fs  *diag.Findings
	cat *catalog.Catalog
	pkg *Package

	root     string // folder of the module, or of the catalog where there is none
	scope    *scope // identifiers of the Go package
	recorder *scope // methods of its recorder

	imports    map[string]string // alias → path
	given      map[string]string // path → alias, of spec.imports
	named      map[string]bool   // aliases that types are named by
	facts      map[want]typeFacts
	vocabulary map[string]bool
	objects    map[string]*Object
	enums      map[string]*Enum
	limits     map[string]*Limit
	events     map[string]diag.Pos // names of events
	reasons    map[string]string   // reason → constant
	kindFuncs  map[string]*KindFunc
}

// Build resolves catalogs as one set. The findings are sorted; if any is an error, the set is not fit to generate from,
// and lacks what could not be resolved. Types are loaded at most once.
func Build(ctx context.Context, catalogs []*catalog.Catalog, opts Options) (*Set, diag.Findings) {
	var findings diag.Findings
	dir, err := filepath.Abs(opts.Dir)
	if err != nil {
		dir = opts.Dir
	}
	builders := prepare(catalogs, dir, opts.Baseline, &findings)
	resolveTypes(ctx, builders, opts, &findings)
	set := &Set{}
	for _, b := range builders {
		b.build()
		set.Packages = append(set.Packages, b.pkg)
	}
	return set, tidy(findings)
}

// tidy sorts findings and drops repeated ones. Text of the catalog that they quote is made fit for a line.
func tidy(findings diag.Findings) diag.Findings {
	for i := range findings {
		findings[i].Message = eventrt.Clean(findings[i].Message, 0)
	}
	findings.Sort()
	return slices.Compact(findings)
}

// prepare makes a builder for each catalog that says where its package goes. Each has a Go package of its own.
func prepare(catalogs []*catalog.Catalog, dir string, baseline bool, fs *diag.Findings) []*builder {
	folders := map[string]diag.Pos{}
	files := map[string]bool{}
	for _, cat := range catalogs {
		files[absolute(dir, cat.File)] = true
	}
	var builders []*builder
	for _, cat := range catalogs {
		b := newBuilder(cat, fs)
		l := layout{fs: fs, cat: cat, pkg: b.pkg, catalogs: files, baseline: baseline}
		if !l.place(dir) {
			continue
		}
		folder := filepath.Dir(b.pkg.Output)
		if first, taken := folders[folder]; taken {
			fs.Errorf(cat.Go.Package.Pos, "EV105", "the catalog at %s generates into the same Go package %s; give one of them another go.package",
				first, b.pkg.Name)
			continue
		}
		folders[folder] = cat.Go.Package.Pos
		b.root = l.root
		declareExisting(b.scope, b.pkg, l.there.files)
		builders = append(builders, b)
	}
	return builders
}

func newBuilder(cat *catalog.Catalog, fs *diag.Findings) *builder {
	b := &builder{
		fs:         fs,
		cat:        cat,
		pkg:        &Package{Catalog: cat, Controller: cat.ReportingController.Value},
		scope:      newScope(),
		recorder:   newScope(),
		named:      map[string]bool{},
		vocabulary: map[string]bool{},
		objects:    map[string]*Object{},
		enums:      map[string]*Enum{},
		limits:     map[string]*Limit{},
		reasons:    map[string]string{},
		events:     map[string]diag.Pos{},
		kindFuncs:  map[string]*KindFunc{},
	}
	for i := range cat.Params {
		b.vocabulary[cat.Params[i].Name.Value] = true
	}
	b.readImports()
	return b
}

func (b *builder) build() {
	b.settings()
	for i := range b.cat.Objects {
		d := &b.cat.Objects[i]
		o := b.object(d)
		b.objects[d.Alias.Value] = o
		if o != nil {
			b.pkg.Objects = append(b.pkg.Objects, o)
		}
	}
	b.readLimits()
	for i := range b.cat.Events {
		if e := b.event(&b.cat.Events[i]); e != nil {
			b.pkg.Events = append(b.pkg.Events, e)
		}
	}
	b.pkg.On = b.scope.unique("On", "the generated On", b.cat.Go.Package.Pos)
	b.pkg.OnRecord = b.scope.unique("OnRecord", "the generated OnRecord", b.cat.Go.Package.Pos)
	b.unusedImports()
	b.nameShared()
	b.settleImports()
	b.nameArguments()
}

// settings applies spec.go, and takes the names that every generated file has.
func (b *builder) settings() {
	g := b.cat.Go
	b.pkg.Recorder = defaultRecorder
	if g.Recorder.Set() {
		b.pkg.Recorder = g.Recorder.Value
	}
	if !exported(b.pkg.Recorder) {
		b.fs.Errorf(g.Recorder.Pos, "EV105", "the recorder needs an exported Go name, and %q is none", b.pkg.Recorder)
	}
	b.pkg.NewRecorder = recorderConstructor(b.pkg.Recorder)
	b.pkg.ArgsStruct = g.Args.Value == "struct"
	for _, name := range []string{b.pkg.Recorder, b.pkg.NewRecorder, definitionsFunc} {
		b.scope.declare(b.fs, name, "the generated "+name, g.Package.Pos)
	}
	for _, name := range recorderMethods {
		b.recorder.declare(b.fs, name, "every recorder", diag.Pos{})
	}
}
