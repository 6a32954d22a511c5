package check

import (
	"cmp"
	"fmt"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// resolve finds the imports of a node, and whether it must be type-checked again.
func (r *run) resolve(n *node) {
	if n.state != unseen {
		return
	}
	n.state = open
	n.dirty = r.byID[n.id] == nil || r.changes(n) || n.was.ExportFile == "" && !n.was.Types.Complete()
	if !isTestMain(n.id) {
		for _, importPath := range r.written(n) {
			r.follow(n, importPath)
		}
	}
	n.state = closed
	if n.dirty {
		r.order = append(r.order, n)
	} else {
		close(n.done)
	}
}

// follow resolves one import of a node.
func (r *run) follow(n *node, importPath string) {
	to, why := r.target(n, importPath)
	switch {
	case to == nil && why == "":
		return // unsafe
	case to == nil:
		n.broken[importPath] = why
		return
	case to.state == open:
		n.broken[importPath], n.dirty = "import cycle not allowed", true
		return
	}
	r.resolve(to)
	n.imports[importPath] = to
	if was := n.was.Imports[importPath]; to.dirty || was == nil || was.ID != to.id {
		n.dirty = true
	}
}

// written returns the imports of a node's files, as the files write them.
func (r *run) written(n *node) []string {
	if !r.changes(n) && r.byID[n.id] != nil && len(n.was.Errors) == 0 {
		return keys(n.was.Imports)
	}
	all := map[string]bool{}
	for _, file := range n.files {
		if f := r.syntax(n, file).file; f != nil {
			for _, p := range importsOf(f) {
				all[p] = true
			}
		}
	}
	return keys(all)
}

// target returns the node that an import leads to. If there is none, it returns the cause.
func (r *run) target(from *node, importPath string) (*node, string) {
	if importPath == "unsafe" {
		return nil, ""
	}
	real := importPath
	if was := from.was.Imports[importPath]; was != nil {
		real = was.PkgPath
	} else if why := r.hidden(from, importPath); why != "" {
		return nil, why
	}
	test := forTest(from.id)
	if test != "" && r.byID[variant(test, test)] != nil && r.reaches(real, test) {
		id := variant(real, test)
		return r.node(id, cmp.Or(r.byID[id], r.plain(real))), ""
	}
	l := r.plain(real)
	if l == nil {
		return nil, cmp.Or(r.unknown[real], "no package of this path was read")
	}
	return r.node(real, l), ""
}

// plain returns a package without its tests.
func (r *run) plain(importPath string) *packages.Package {
	return cmp.Or(r.byID[importPath], r.fresh[importPath])
}

// reaches reports whether a package is another one or imports it, directly or not, with the new texts.
func (r *run) reaches(from, to string) bool {
	if r.users[to] == nil {
		r.users[to] = map[string]bool{}
		r.addUsers(r.users[to], to)
	}
	return r.users[to][from]
}

// addUsers adds a package and all packages that import it, directly or not.
func (r *run) addUsers(users map[string]bool, importPath string) {
	if users[importPath] {
		return
	}
	users[importPath] = true
	for _, by := range r.importers()[importPath] {
		r.addUsers(users, by)
	}
}

// importers returns the packages that import another one, by the imported path. The imports of tests do not count.
func (r *run) importers() map[string][]string {
	if r.importedBy != nil {
		return r.importedBy
	}
	r.importedBy = map[string][]string{}
	add := func(l *packages.Package) {
		for _, importPath := range r.written(r.node(l.ID, l)) {
			if was := l.Imports[importPath]; was != nil {
				importPath = was.PkgPath
			}
			r.importedBy[importPath] = append(r.importedBy[importPath], l.PkgPath)
		}
	}
	for id, l := range r.byID {
		if forTest(id) == "" && !isTestMain(id) {
			add(l)
		}
	}
	for _, l := range r.fresh {
		add(l)
	}
	return r.importedBy
}

// hidden returns the cause for which a package can't import one that it did not import before; empty if it can.
func (r *run) hidden(from *node, importPath string) string {
	by := strings.TrimSuffix(scan.RealPath(from.was.PkgPath), "_test")
	if parent, _, internal := strings.Cut("/"+importPath+"/", "/internal/"); internal && !strings.HasPrefix("/"+by+"/", parent+"/") {
		return fmt.Sprintf("use of internal package %s not allowed", importPath)
	}
	if l := r.plain(importPath); l != nil && l.Name == "main" && by != importPath {
		return fmt.Sprintf("%s is a program, not an importable package", importPath)
	}
	return ""
}
