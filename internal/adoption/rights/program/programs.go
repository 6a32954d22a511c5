package program

import (
	"cmp"
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/facts"
	"github.com/event-gen/event-gen/internal/adoption/rights"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// Of returns the main packages that a scan has read, sorted by name, and the rights that each
// needs. If there is none, all packages that match the scan's patterns together count as one
// program, because importers can call all of them. position converts positions of all.Fset. found
// is the result of their scan, or nil.
func Of(all *scan.Program, found *scan.Result, position func(token.Pos) diag.Pos) []rights.Program {
	read, unread := sources(all)
	g := newGraph(read, position)
	if found != nil {
		g.clusterSites(all, found.Sites, found.Typed)
	}
	var programs []rights.Program
	for _, p := range read {
		if p.Main && !p.Dependency {
			programs = append(programs, g.program(p.Path, append(scan.Starts(p), p.Path+".main")))
		}
	}
	if len(programs) == 0 {
		programs = append(programs, g.library(read))
	}
	for i := range programs {
		programs[i].Unread = append(programs[i].Unread, unread...)
	}
	slices.SortFunc(programs, func(a, b rights.Program) int { return cmp.Compare(a.Name, b.Name) })
	return programs
}

// sources returns the packages to read, and names the packages that could not be read. Beside the
// packages of the scan it reads the dependencies that can make or reach a recorder: they import a
// package with constructors, or a package that does.
func sources(all *scan.Program) (read []*scan.Package, unread []string) {
	have := map[string]bool{}
	for _, p := range all.All() {
		have[p.Path] = true
		if !isOpaque(p.Path) {
			read = append(read, p)
		}
	}
	reaches := map[string]bool{}
	visit := func(l *packages.Package) {
		path := scan.RealPath(l.PkgPath)
		if l.Module == nil || isOpaque(path) {
			return
		}
		for _, i := range l.Imports {
			reaches[path] = reaches[path] || reaches[scan.RealPath(i.PkgPath)] || slices.Contains(makers, scan.RealPath(i.PkgPath))
		}
		if !reaches[path] || have[path] {
			return
		}
		have[path] = true
		if p := all.Read(l.PkgPath); p != nil {
			read = append(read, p)
		} else {
			unread = append(unread, "the package "+path+" has no source")
		}
	}
	for _, p := range all.Packages {
		packages.Visit(slices.Collect(maps.Values(p.Imports)), nil, visit)
	}
	slices.SortFunc(read, func(a, b *scan.Package) int { return cmp.Compare(a.Path, b.Path) })
	return read, unread
}

const library = "this module"

// library is the set of functions that importers of packages can call.
func (g *graph) library(packages []*scan.Package) rights.Program {
	var keys []string
	for _, p := range packages {
		if p.Dependency {
			continue
		}
		keys = append(keys, scan.Starts(p)...)
		for name := range g.nodes {
			if strings.HasPrefix(name, p.Path+".") {
				keys = append(keys, name)
			}
		}
	}
	slices.Sort(keys)
	p := g.program(library, keys)
	p.Unread = append(p.Unread, "no main package was read, and importers can make recorders too")
	return p
}

func (g *graph) program(name string, keys []string) rights.Program {
	p := rights.Program{Name: name, Uses: map[string]bool{}}
	var running []*node
	var calls []diag.Pos
	var sinks []bool
	ours := false
	for _, key := range g.Reached(keys...) {
		n := g.nodes[key]
		if n == nil {
			continue
		}
		running = append(running, n)
		p.Needs = append(p.Needs, n.needs...)
		p.Unread = append(p.Unread, n.unread...)
		p.Cluster = append(p.Cluster, n.cluster...)
		calls, sinks = append(calls, n.calls...), append(sinks, n.sinks...)
		for _, name := range n.names {
			if group, ok := eventUses[name]; ok {
				p.Uses[group] = true
			}
			ours = ours || facts.ManagerMakers[name]
			p.ClusterNamespace = p.ClusterNamespace || withClusterNamespace(name)
		}
	}
	for i := range p.Needs {
		n := &p.Needs[i]
		n.Fallback = n.Fallback || ours && slices.Contains(ofManagers, n.What)
		n.Local = n.Local || slices.Contains(broadcasters, n.What) && len(sinks) > 0 && !slices.Contains(sinks, false)
	}
	if len(p.Needs) == 0 && len(calls) > 0 {
		first := slices.MinFunc(calls, func(a, b diag.Pos) int { return before(a, b) })
		p.Unread = append(p.Unread, fmt.Sprintf("the recorder at %s is made by no constructor that was found", first))
	}
	if name != library {
		p.Needs = slices.DeleteFunc(p.Needs, func(n rights.Need) bool { return onlyLogs(n, running) })
	}
	slices.SortFunc(p.Cluster, func(a, b rights.ClusterSite) int { return before(a.Pos, b.Pos) })
	slices.SortFunc(p.Needs, func(a, b rights.Need) int { return cmp.Or(before(a.Pos, b.Pos), cmp.Compare(a.What, b.What)) })
	p.Needs = slices.Compact(p.Needs)
	return p
}

func before(a, b diag.Pos) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// Unread returns the first unread package, by import path, of the programs' own module on which one
// of the packages depends. It returns "" if there is none. A program's needs are known only if all
// of its own packages were read.
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
