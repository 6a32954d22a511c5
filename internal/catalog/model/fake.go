package model

import (
	"path"
	"path/filepath"
)

// EventtestPath is the import path of what fakes are made of.
const EventtestPath = "github.com/event-gen/event-gen/runtime/eventtest"

// Fake is the package for tests of code that records the events of a package.
type Fake struct {
	Name   string
	Path   string
	Output string
	Source string // as in Package
	// Imports are those of Package and the fake's own, each with an alias that no other has;
	// Eventtest and Tested are among them.
	Imports []Import
	// Names are the identifiers that a parameter of the fake's functions must not hide.
	Names map[string]bool
}

// Fake is where the package's fake goes: into a folder of its own, so that no test code reaches
// production.
func (p *Package) Fake() *Fake {
	f := &Fake{Name: p.Name + "test", Names: map[string]bool{"fake": true, "Any": true, "Fake": true}}
	f.Path = path.Join(p.Path, f.Name)
	f.Output = filepath.Join(filepath.Dir(p.Output), f.Name, defaultOutput)
	f.Source = path.Join("..", p.Source)
	for _, i := range p.Imports {
		f.Imports = append(f.Imports, i)
		f.Names[i.Alias] = true
	}
	for _, own := range []Import{{Path: EventtestPath, Alias: "eventtest"}, {Path: p.Path, Alias: p.Name}} {
		own.Alias = free(own.Alias, f.Names, nil)
		own.Plain = own.Alias == path.Base(own.Path)
		f.Names[own.Alias] = true
		f.Imports = append(f.Imports, own)
	}
	for _, e := range p.Events {
		for _, m := range e.Methods {
			f.Names[m.Matcher()] = true
		}
	}
	return f
}

// Param returns a name that is still free for a parameter that the package calls name.
func (f *Fake) Param(name string, used map[string]bool) string {
	name = free(name, f.Names, used)
	used[name] = true
	return name
}

// Matcher returns the function of the fake's package that makes a matcher of the method's event.
func (m *Method) Matcher() string { return "Match" + m.Name }

// FakeArgsType returns the struct of the expected params, where the package's methods take a
// struct.
func (e *Event) FakeArgsType() string { return "ArgsOf" + e.Name }

// RoleOutput and MarkersOutput are where the RBAC rules of the package go: YAML, and Go with
// kubebuilder's markers.
func (p *Package) RoleOutput() string {
	return filepath.Join(filepath.Dir(p.Output), "zz_generated.rbac.yaml")
}

// MarkersOutput is described at RoleOutput.
func (p *Package) MarkersOutput() string {
	return filepath.Join(filepath.Dir(p.Output), "zz_generated.rbac.go")
}

// CatalogFile returns the absolute path of the catalog.
func (p *Package) CatalogFile() string {
	return filepath.Join(filepath.Dir(p.Output), filepath.FromSlash(p.Source))
}
