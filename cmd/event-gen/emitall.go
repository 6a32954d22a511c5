package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/output"
	"github.com/event-gen/event-gen/internal/output/emit"
	"github.com/event-gen/event-gen/internal/plumbing/header"
)

// emitAll generates every file of a set.
func (o generateOptions) emitAll(set *model.Set) ([]output.File, error) {
	var files []output.File
	for _, p := range set.Packages {
		made, err := o.emitPackage(p)
		if err != nil {
			return nil, err
		}
		files = append(files, made...)
	}
	return files, nil
}

// artifact is a file that can be made of a package.
type artifact struct {
	path  string
	write func(io.Writer, *model.Package) error
}

func (o generateOptions) emitPackage(p *model.Package) ([]output.File, error) {
	artifacts := []artifact{{p.Output, emit.Go}}
	fake, err := o.wantsFake(p)
	if err != nil {
		return nil, err
	}
	if fake {
		artifacts = append(artifacts, artifact{p.Fake().Output, emit.Fake})
	}
	groups, err := o.groups(p)
	if err != nil {
		return nil, err
	}
	if groups != "" {
		artifacts = append(artifacts, artifact{p.RoleOutput(), of(emit.Role, groups)}, artifact{p.MarkersOutput(), of(emit.RoleMarkers, groups)})
	}
	files := make([]output.File, len(artifacts))
	for i, a := range artifacts {
		var b bytes.Buffer
		b.WriteString(o.above(a.path))
		if err := a.write(&b, p); err != nil {
			return nil, fmt.Errorf("%s: %w", a.path, err)
		}
		files[i] = output.File{Path: a.path, Catalog: p.CatalogFile(), Content: b.Bytes()}
	}
	return files, nil
}

// above returns the licence for a file, with the year that the file names already, else this year.
func (o generateOptions) above(path string) string {
	content, _ := os.ReadFile(path)
	year := cmp.Or(header.FirstYear(content), o.year)
	if filepath.Ext(path) == ".go" {
		return o.licence.Go(year)
	}
	return o.licence.YAML(year)
}

func of(write func(io.Writer, *model.Package, emit.Groups) error, groups emit.Groups) func(io.Writer, *model.Package) error {
	return func(w io.Writer, p *model.Package) error { return write(w, p, groups) }
}

// wantsFake reports whether the flag, or else the catalog, asks for the package for tests.
func (o generateOptions) wantsFake(p *model.Package) (bool, error) {
	fake := p.HasFake
	if o.given("fake") {
		fake = o.fake
	}
	if fake && (p.Path == "" || p.Name == "main") {
		return false, usage(fmt.Errorf("%s: a fake needs a package that can be imported: one in a module, and not main", p.Output))
	}
	return fake, nil
}

// groups returns the API groups of the role, by the flag or else by the catalog; empty if there is no role.
func (o generateOptions) groups(p *model.Package) (emit.Groups, error) {
	name := cmp.Or(o.rbac, p.RBAC, "none")
	if name == "none" {
		return "", nil
	}
	groups, err := emit.ParseGroups(name)
	if err != nil {
		return "", usage(err)
	}
	return groups, nil
}

// usage marks an error that is not event-gen's own.
func usage(err error) error { return usageError{err} }

type usageError struct{ error }
