package program

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/scan"
)

// Packages are those that scan has read.
func Packages(p *scan.Program) []*Package {
	var all []*Package
	for _, s := range p.All() {
		all = append(all, &Package{
			Path: s.Path, Name: s.Name, Files: s.Syntax, Info: s.Info, Types: s.Types, Imports: imports(s), Own: !s.Dependency,
		})
	}
	return all
}

// imports are the paths of all packages that a package depends on.
func imports(s *scan.Package) []string {
	var paths []string
	packages.Visit(slices.Collect(maps.Values(s.Imports)), nil, func(l *packages.Package) { paths = append(paths, l.PkgPath) })
	slices.Sort(paths)
	return paths
}

// Unread is a package of the programs' own module that one of the packages depends on and that was not read; empty if there is
// none. What a program needs is known only if all of its own packages were read.
func Unread(p *scan.Program) (path string) {
	read := map[string]bool{}
	for _, s := range p.All() {
		read[s.Path] = true
	}
	for _, s := range p.Packages {
		packages.Visit(slices.Collect(maps.Values(s.Imports)), nil, func(l *packages.Package) {
			if path == "" && l.Module != nil && s.Module != "" && l.Module.Path == s.Module && !read[l.PkgPath] {
				path = l.PkgPath
			}
		})
	}
	return path
}
