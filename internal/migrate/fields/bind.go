package fields

import (
	"go/ast"
	"go/types"

	"github.com/event-gen/event-gen/internal/scan"
)

// method is a method of a type or of an interface that names recorders in its signature.
type method struct {
	fn    *types.Func
	nodes []*node
	shape string
}

// bind has methods of one name and one signature move together: one may implement the other. What implements a method elsewhere, or in a
// file that can't be changed, stays.
func (r *reader) bind() {
	byName := map[string][]method{}
	r.eachFile(func() {
		ast.Inspect(r.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv != nil {
					r.addMethod(byName, n.Name)
				}
			case *ast.InterfaceType:
				for _, m := range n.Methods.List {
					if len(m.Names) == 1 {
						r.addMethod(byName, m.Names[0])
					}
				}
			}
			return true
		})
	})
	foreign := r.foreignInterfaces(byName)
	for name, methods := range byName {
		for _, m := range methods {
			r.bindOne(m, methods, foreign[name])
		}
	}
	r.lookForAnnotations()
}

func (r *reader) addMethod(byName map[string][]method, id *ast.Ident) {
	fn, ok := r.info().Defs[id].(*types.Func)
	if !ok {
		return
	}
	m := method{fn: fn, nodes: r.signature(fn), shape: shapeOf(fn)}
	recorders := false
	for _, tuple := range []*types.Tuple{fn.Signature().Params(), fn.Signature().Results()} {
		for i := range tuple.Len() {
			_, _, is := recorderType(tuple.At(i).Type())
			recorders = recorders || is
		}
	}
	if recorders {
		byName[id.Name] = append(byName[id.Name], m)
	}
}

// shapeOf is a signature without the names of parameters. Variants of a package have the same.
func shapeOf(fn *types.Func) string {
	qualified := func(p *types.Package) string { return realPath(p) }
	text := ""
	for _, tuple := range []*types.Tuple{fn.Signature().Params(), fn.Signature().Results()} {
		text += "("
		for i := range tuple.Len() {
			text += types.TypeString(tuple.At(i).Type(), qualified) + ","
		}
		text += ")"
	}
	return text
}

func (r *reader) bindOne(m method, all []method, foreign map[string]string) {
	for _, o := range all {
		if o.shape != m.shape {
			continue
		}
		for i, n := range m.nodes {
			switch {
			case n == nil:
			case o.nodes[i] == nil:
				n.holds = append(n.holds, use{n.pos, o.fn.Name() + " of a file that can't be changed has the same signature"})
			default:
				r.join(n, o.nodes[i])
			}
		}
	}
	if r.generic[m.fn.Name()] {
		for _, n := range m.nodes {
			if n != nil {
				r.holdAt(n, "a generic interface has the method "+m.fn.Name())
			}
		}
	}
	if where := foreign[m.shape]; where != "" {
		for _, n := range m.nodes {
			if n != nil {
				n.holds = append(n.holds, use{n.pos, "the interface " + where + " has this method"})
			}
		}
	}
}

// foreignInterfaces are the interfaces of imported packages with a method of these names: by name and signature, which they are.
func (r *reader) foreignInterfaces(byName map[string][]method) map[string]map[string]string {
	found := map[string]map[string]string{}
	if len(byName) == 0 {
		return found
	}
	own := map[string]bool{}
	for _, l := range r.loaded {
		own[scan.RealPath(l.PkgPath)] = true
	}
	seen := map[*types.Package]bool{}
	for _, l := range r.loaded {
		if l.Types != nil {
			look(l.Types, seen, func(p *types.Package) {
				if !own[realPath(p)] {
					interfacesOf(p, byName, found)
				}
			})
		}
	}
	return found
}

// look calls a function for a package and all that it imports.
func look(p *types.Package, seen map[*types.Package]bool, do func(*types.Package)) {
	if seen[p] {
		return
	}
	seen[p] = true
	do(p)
	for _, i := range p.Imports() {
		look(i, seen, do)
	}
}

func interfacesOf(p *types.Package, byName map[string][]method, found map[string]map[string]string) {
	for _, name := range p.Scope().Names() {
		obj, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		i, ok := obj.Type().Underlying().(*types.Interface)
		if !ok {
			continue
		}
		for m := range i.Methods() {
			if byName[m.Name()] != nil {
				if found[m.Name()] == nil {
					found[m.Name()] = map[string]string{}
				}
				found[m.Name()][shapeOf(m)] = p.Name() + "." + name
			}
		}
	}
}

// lookForAnnotations finds out whether client-go's recorders of tools/events take annotations: they do since v0.37.
func (r *reader) lookForAnnotations() {
	seen := map[*types.Package]bool{}
	for _, l := range r.loaded {
		if l.Types == nil {
			continue
		}
		look(l.Types, seen, func(p *types.Package) {
			if path := realPath(p); path == eventsPath || path == "k8s.io/client-go/tools/internal/events" {
				r.annotated = r.annotated || p.Scope().Lookup("AnnotatedEventRecorder") != nil
			}
		})
	}
}
