package program

import (
	"cmp"
	"go/token"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/rights"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// Of returns the main packages that a scan has read, sorted by name, and the rights that each needs. If there is none, all packages that
// match the scan's patterns together count as one program, because importers can call all of them. position converts positions of
// all.Fset.
func Of(all *scan.Program, position func(token.Pos) diag.Pos) []rights.Program {
	read := slices.DeleteFunc(all.All(), func(p *scan.Package) bool { return isOpaque(p.Path) })
	g := newGraph(read, position)
	var programs []rights.Program
	for _, p := range read {
		if p.Main && !p.Dependency {
			programs = append(programs, g.program(p.Path, append([]string{p.Path}, imports(p)...), []string{p.Path + ".main"}))
		}
	}
	if len(programs) == 0 {
		programs = append(programs, g.library(read))
	}
	slices.SortFunc(programs, func(a, b rights.Program) int { return cmp.Compare(a.Name, b.Name) })
	return programs
}

// library is the set of functions that importers of packages can call.
func (g *graph) library(packages []*scan.Package) rights.Program {
	var imported, keys []string
	for _, p := range packages {
		if p.Dependency {
			continue
		}
		imported = append(append(imported, p.Path), imports(p)...)
		for name := range g.nodes {
			if strings.HasPrefix(name, p.Path+".") {
				keys = append(keys, name)
			}
		}
	}
	return g.program("this module", imported, keys)
}

func (g *graph) program(name string, imports, keys []string) rights.Program {
	p := rights.Program{Name: name, Uses: map[string]bool{}}
	for _, n := range g.reached(imports, keys) {
		p.Needs = append(p.Needs, n.needs...)
		for _, name := range n.names {
			if group, ok := eventTypes[name]; ok {
				p.Uses[group] = true
			}
		}
	}
	slices.SortFunc(p.Needs, func(a, b rights.Need) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column), cmp.Compare(a.What, b.What))
	})
	p.Needs = slices.Compact(p.Needs)
	return p
}

// imports returns the paths of all packages that a package depends on.
func imports(s *scan.Package) []string {
	var paths []string
	packages.Visit(slices.Collect(maps.Values(s.Imports)), nil, func(l *packages.Package) { paths = append(paths, l.PkgPath) })
	slices.Sort(paths)
	return paths
}

// Unread returns the first package, by import path, of the programs' own module that one of the packages depends on and that was not
// read. It returns "" if there is none. A program's needs are known only if all of its own packages were read.
func Unread(p *scan.Program) string {
	read := map[string]bool{}
	for _, s := range p.All() {
		read[s.Path] = true
	}
	var unread []string
	for _, s := range p.Packages {
		packages.Visit(slices.Collect(maps.Values(s.Imports)), nil, func(l *packages.Package) {
			if l.Module != nil && s.Module != "" && l.Module.Path == s.Module && !read[l.PkgPath] {
				unread = append(unread, l.PkgPath)
			}
		})
	}
	if len(unread) == 0 {
		return ""
	}
	return slices.Min(unread)
}
