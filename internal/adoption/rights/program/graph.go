package program

import (
	"fmt"
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
	// calls are the calls of recorders' methods. sinks has an element for each sink of the core
	// group: whether it writes to one namespace only.
	calls []diag.Pos
	sinks []bool
	// cluster are the sites of events about cluster-scoped objects.
	cluster []rights.ClusterSite
	// unread lists recorders whose constructor is not known.
	unread []string
}

// graph holds the nodes by key, and the nodes that run when a package is imported.
type graph struct {
	position func(token.Pos) diag.Pos
	nodes    map[string]*node
	starts   map[string]*node // by import path
	// dynamic holds the names of interfaces' methods. Code calls methods of other names only by
	// their own names.
	dynamic map[string]bool
	// flags maps a variable or field to a text: the condition under which its flag is off.
	flags map[types.Object]string
	// serving holds the names in calls that give a sink its client.
	serving map[*ast.Ident]bool
}

func newGraph(packages []*scan.Package, position func(token.Pos) diag.Pos) *graph {
	g := &graph{
		position: position, nodes: map[string]*node{}, starts: map[string]*node{}, dynamic: interfaceMethods(packages),
		flags: map[types.Object]string{}, serving: map[*ast.Ident]bool{},
	}
	g.readFlags(packages)
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
			g.literal(p, n, into)
		case *ast.AssignStmt:
			g.assignments(p, n, into)
		case *ast.UnaryExpr:
			g.address(p, n, into)
		}
	}
}

func (g *graph) name(p *scan.Package, id *ast.Ident, into *node) {
	switch obj := p.Info.Uses[id].(type) {
	case *types.Func:
		g.function(obj, id, into)
	case *types.TypeName:
		into.names = append(into.names, scan.ObjectName(obj))
	}
}

func (g *graph) function(fn *types.Func, id *ast.Ident, into *node) {
	name, at := scan.ObjectName(fn), g.position(id.Pos())
	if need, ok := constructor(fn); ok {
		need.Pos = at
		into.needs = append(into.needs, need)
		return
	}
	switch _, records := scan.ShapeOf(fn); {
	case records:
		into.calls = append(into.calls, at)
	case slices.Contains(fromFile, name):
		into.needs = append(into.needs, rights.Need{Group: rights.CoreGroup, Local: true, What: "leader election", Pos: at, Unless: "its file disables it"})
	case isUnknownMaker(fn):
		into.unread = append(into.unread, fmt.Sprintf("%s, which makes a recorder at %s, is not known", name, at))
	}
	if !g.serving[id] {
		into.names = append(into.names, name)
	}
}

// readFlags notes which flag decides a variable.
func (g *graph) readFlags(packages []*scan.Package) {
	for _, p := range packages {
		for _, f := range p.Syntax {
			for n := range ast.Preorder(f) {
				switch n := n.(type) {
				case *ast.CallExpr:
					g.flag(p, n, nil)
				case *ast.AssignStmt:
					if call, ok := n.Rhs[0].(*ast.CallExpr); ok && len(n.Lhs) == 1 {
						g.flag(p, call, n.Lhs[0])
					}
				case *ast.ValueSpec:
					if len(n.Values) == 1 && len(n.Names) == 1 {
						if call, ok := n.Values[0].(*ast.CallExpr); ok {
							g.flag(p, call, n.Names[0])
						}
					}
				}
			}
		}
	}
}

// reached returns all nodes that can run after some packages are imported and some nodes are
// called.
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
