package model

import (
	"path"
	"path/filepath"
	"slices"
)

// EventtestPath is the import path of the package that fakes use.
const EventtestPath = "github.com/event-gen/event-gen/runtime/eventtest"

// Fake is the package for tests of code that records the events of a package.
type Fake struct {
	Name   string
	Path   string
	Output string
	Source string // as in Package
	// Imports are the imports of Package and of the fake, each with a unique alias. They include
	// Eventtest and Tested.
	Imports []Import
	// Names holds the identifiers that a parameter of the fake's functions must not hide.
	Names map[string]bool
}

// Fake returns the package's fake. It has a folder of its own, so that no test code reaches
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
	eventtest := "eventtest"
	if slices.ContainsFunc(p.Events, func(e *Event) bool { return len(e.Formers) > 0 }) {
		// go fix of Go 1.26 adds the imports of what it inlines, and removes unused ones only if
		// they have another name than the package.
		eventtest = "eventtesting"
	}
	for _, own := range []Import{{Path: EventtestPath, Alias: eventtest}, {Path: p.Path, Alias: p.Name}} {
		own.Alias = free(own.Alias, f.Names, nil)
		own.Plain = own.Alias == path.Base(own.Path)
		f.Names[own.Alias] = true
		f.Imports = append(f.Imports, own)
	}
	for _, e := range p.Events {
		for _, m := range e.Methods {
			f.Names[m.Matcher()] = true
		}
		for _, former := range e.Formers {
			for _, m := range former.Methods {
				f.Names[former.Matcher(m)] = true
			}
		}
	}
	return f
}

// Param returns a free name for a parameter that the package calls name.
func (f *Fake) Param(name string, used map[string]bool) string {
	name = free(name, f.Names, used)
	used[name] = true
	return name
}

// Matcher returns the name of the fake's function that returns a matcher of the method's event.
func (m *Method) Matcher() string { return matcherName(m.Name) }

func matcherName(method string) string { return "Match" + method }

// FakeArgsType returns the name of the struct of expected params, for a package whose methods take
// a struct.
func (e *Event) FakeArgsType() string { return fakeArgsType(e.Name) }

func fakeArgsType(event string) string { return "ArgsOf" + event }

// RoleOutput returns the path of the package's role, a YAML file.
func (p *Package) RoleOutput() string {
	return filepath.Join(filepath.Dir(p.Output), "zz_generated.rbac.yaml")
}

// MarkersOutput returns the path of the Go file with the same role as kubebuilder's markers.
func (p *Package) MarkersOutput() string {
	return filepath.Join(filepath.Dir(p.Output), "zz_generated.rbac.go")
}

// CatalogFile returns the absolute path of the catalog.
func (p *Package) CatalogFile() string {
	return filepath.Join(filepath.Dir(p.Output), filepath.FromSlash(p.Source))
}
