package program

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/rights"
)

// Package is a package that was read as source. A package that does not compile is used as far as possible.
type Package struct {
	Path, Name string
	Files      []*ast.File
	Info       *types.Info
	// Imports are the paths of all packages that it depends on, by whatever way, or of those that were read.
	Imports []string
	Types   *types.Package
	// Own: the package is one of the program's, and not of a dependency.
	Own bool
}

// node is a function, method, type or variable of a package, with everything that it names.
type node struct {
	needs []rights.Need
	uses  map[string]bool // groups whose events it handles itself
	names []string        // keys of nodes
}

// graph holds the nodes by key, and what runs when a package is imported.
type graph struct {
	position func(token.Pos) diag.Pos
	nodes    map[string]*node
	starts   map[string]*node // by import path
	// dynamic are the names of interfaces' methods: a method of another name is called by its own name only.
	dynamic map[string]bool
}

func newGraph(packages []*Package, position func(token.Pos) diag.Pos) *graph {
	g := &graph{position: position, nodes: map[string]*node{}, starts: map[string]*node{}, dynamic: interfaceMethods(packages)}
	for _, p := range packages {
		g.starts[p.Path] = &node{}
		for _, f := range p.Files {
			for _, d := range f.Decls {
				g.declare(p, d)
			}
		}
	}
	return g
}

func (g *graph) declare(p *Package, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		fn, ok := p.Info.Defs[d.Name].(*types.Func)
		if !ok {
			return
		}
		into := g.starts[p.Path]
		if d.Recv != nil || d.Name.Name != "init" {
			into = g.node(key(fn))
		}
		g.read(p, d, into)
		if owner := ownerOf(fn); owner != "" && g.dynamic[fn.Name()] {
			t := g.node(owner)
			t.names = append(t.names, key(fn))
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec: // it runs at the start
				g.read(p, spec, g.starts[p.Path])
			case *ast.TypeSpec:
				g.read(p, spec.Type, g.node(p.Path+"."+spec.Name.Name))
			}
		}
	}
}

func (g *graph) node(key string) *node {
	n := g.nodes[key]
	if n == nil {
		n = &node{}
		g.nodes[key] = n
	}
	return n
}

// read adds the names in a declaration.
func (g *graph) read(p *Package, d ast.Node, into *node) {
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			g.name(p, n, into)
		case *ast.CompositeLit:
			g.options(p, n, into)
		case *ast.AssignStmt:
			g.assignments(p, n, into)
		}
		return true
	})
}

func (g *graph) name(p *Package, id *ast.Ident, into *node) {
	switch obj := p.Info.Uses[id].(type) {
	case *types.Func:
		if need, ok := constructor(obj); ok {
			need.Pos = g.position(id.Pos())
			into.needs = append(into.needs, need)
		} else {
			into.names = append(into.names, key(obj))
		}
	case *types.TypeName:
		name := key(obj)
		if group, ok := eventTypes[name]; ok {
			if into.uses == nil {
				into.uses = map[string]bool{}
			}
			into.uses[group] = true
		}
		into.names = append(into.names, name)
	}
}

// key is the import path and name of a package's object; for a method, with its type.
func key(obj types.Object) string {
	if obj.Pkg() == nil {
		return obj.Name()
	}
	if fn, ok := obj.(*types.Func); ok {
		if owner := ownerOf(fn); owner != "" {
			return owner + "." + fn.Name()
		}
	}
	return path(obj.Pkg()) + "." + obj.Name()
}

// ownerOf is the key of a method's type; empty for functions.
func ownerOf(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return ""
	}
	t := types.Unalias(recv.Type())
	if ptr, ok := t.(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	if named, ok := t.(*types.Named); ok && named.Obj().Pkg() != nil {
		return path(named.Obj().Pkg()) + "." + named.Obj().Name()
	}
	return ""
}

// path is an import path without the vendor folder that GOPATH mode puts before it.
func path(p *types.Package) string {
	if i := strings.LastIndex(p.Path(), "/vendor/"); i >= 0 {
		return p.Path()[i+len("/vendor/"):]
	}
	return p.Path()
}

// reached gives all nodes that can run once packages were imported and nodes are called.
func (g *graph) reached(imports, keys []string) []*node {
	var found []*node
	seen := map[string]bool{}
	queue := slices.Clone(keys)
	for _, i := range imports {
		if n := g.starts[i]; n != nil {
			found = append(found, n)
			queue = append(queue, n.names...)
		}
	}
	for len(queue) > 0 {
		k := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		n := g.nodes[k]
		if n == nil || seen[k] {
			continue
		}
		seen[k] = true
		found = append(found, n)
		queue = append(queue, n.names...)
	}
	return found
}
