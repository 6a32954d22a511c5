package program

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/event-gen/event-gen/internal/adoption/rights"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// node is a function, method, type or variable of a package, with everything that it names.
type node struct {
	needs []rights.Need
	names []string // keys of nodes
}

// graph holds the nodes by key, and what runs when a package is imported.
type graph struct {
	position func(token.Pos) diag.Pos
	nodes    map[string]*node
	starts   map[string]*node // by import path
	// dynamic holds the names of interfaces' methods. Code calls methods of other names only by their own names.
	dynamic map[string]bool
}

func newGraph(packages []*scan.Package, position func(token.Pos) diag.Pos) *graph {
	g := &graph{position: position, nodes: map[string]*node{}, starts: map[string]*node{}, dynamic: interfaceMethods(packages)}
	for _, p := range packages {
		g.starts[p.Path] = &node{}
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				g.declare(p, d)
			}
		}
	}
	return g
}

func (g *graph) declare(p *scan.Package, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		fn, ok := p.Info.Defs[d.Name].(*types.Func)
		if !ok {
			return
		}
		into := g.starts[p.Path]
		if d.Recv != nil || d.Name.Name != "init" {
			into = g.node(scan.ObjectName(fn))
		}
		g.read(p, d, into)
		if owner := scan.MethodOwner(fn); owner != "" && g.dynamic[fn.Name()] {
			t := g.node(owner)
			t.names = append(t.names, scan.ObjectName(fn))
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
	if g.nodes[key] == nil {
		g.nodes[key] = &node{}
	}
	return g.nodes[key]
}

// read adds the names in a declaration.
func (g *graph) read(p *scan.Package, d ast.Node, into *node) {
	for n := range ast.Preorder(d) {
		switch n := n.(type) {
		case *ast.Ident:
			g.name(p, n, into)
		case *ast.CompositeLit:
			g.options(p, n, into)
		case *ast.AssignStmt:
			g.assignments(p, n, into)
		}
	}
}

func (g *graph) name(p *scan.Package, id *ast.Ident, into *node) {
	switch obj := p.Info.Uses[id].(type) {
	case *types.Func:
		if need, ok := constructor(obj); ok {
			need.Pos = g.position(id.Pos())
			into.needs = append(into.needs, need)
		} else {
			into.names = append(into.names, scan.ObjectName(obj))
		}
	case *types.TypeName:
		into.names = append(into.names, scan.ObjectName(obj))
	}
}

// reached returns all nodes that can run after some packages are imported and some nodes are called.
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
