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

// node is a function, method or type, or the code that runs when a package is imported: what it
// means for rights.
type node struct {
	needs []rights.Need
	names []string // of functions and types, unless a sink gets its client by them
	// calls are the calls of recorders' methods. sinks has an element for each sink of the core
	// group: whether it writes to one namespace only.
	calls []diag.Pos
	sinks []bool
	// cluster are the sites of events about cluster-scoped objects.
	cluster []rights.ClusterSite
	// unread lists recorders whose constructor is not known.
	unread []string
}

// graph holds the nodes by key.
type graph struct {
	*scan.Graph
	position func(token.Pos) diag.Pos
	nodes    map[string]*node
	// flags maps a variable or field to a text: the condition under which its flag is off.
	flags map[types.Object]string
	// serving holds the names in calls that give a sink its client.
	serving map[*ast.Ident]bool
}

func newGraph(packages []*scan.Package, position func(token.Pos) diag.Pos) *graph {
	g := &graph{position: position, nodes: map[string]*node{}, flags: map[types.Object]string{}, serving: map[*ast.Ident]bool{}}
	g.readFlags(packages)
	g.Graph = scan.NewGraph(packages, g.read)
	return g
}

func (g *graph) node(key string) *node {
	if g.nodes[key] == nil {
		g.nodes[key] = &node{}
	}
	return g.nodes[key]
}

// read adds what a node of a declaration means.
func (g *graph) read(p *scan.Package, key string, n ast.Node) {
	into := g.node(key)
	switch n := n.(type) {
	case *ast.Ident:
		switch obj := p.Info.Uses[n].(type) {
		case *types.Func:
			g.function(obj, n, into)
		case *types.TypeName:
			into.names = append(into.names, scan.ObjectName(obj))
		}
	case *ast.CompositeLit:
		g.literal(p, n, into)
	case *ast.AssignStmt:
		g.assignments(p, n, into)
	case *ast.UnaryExpr:
		g.address(p, n, into)
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
