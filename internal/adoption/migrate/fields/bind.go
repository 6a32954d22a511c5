package fields

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/event-gen/event-gen/internal/adoption/facts"
	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// method is a method of a type or of an interface that names recorders in its signature.
type method struct {
	fn    *types.Func
	nodes []*node
}

// methodKey identifies methods that may implement each other: by name, and by signature without the
// names of parameters. Variants of a package share it.
type methodKey struct{ name, signature string }

// bind makes methods of one name and one signature move together, because one may implement the
// other. A method stays if it may implement an interface elsewhere, or if a counterpart is in a
// file that can't be changed.
func (r *reader) bind() {
	methods := map[methodKey][]method{}
	r.eachFile(func() {
		for n := range ast.Preorder(r.file) {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv != nil {
					r.addMethod(methods, n.Name)
				}
			case *ast.InterfaceType:
				for _, m := range n.Methods.List {
					if len(m.Names) == 1 {
						r.addMethod(methods, m.Names[0])
					}
				}
			}
		}
	})
	foreign := r.foreignInterfaces(methods)
	for key, same := range methods {
		for _, m := range same {
			r.bindOne(m, same, foreign[key])
		}
	}
	r.lookForAnnotations()
}

func (r *reader) addMethod(methods map[methodKey][]method, id *ast.Ident) {
	fn, ok := r.info().Defs[id].(*types.Func)
	if ok && slices.ContainsFunc(variables(fn.Signature()), func(v *types.Var) bool { return isRecorder(v.Type()) }) {
		key := keyOf(fn)
		methods[key] = append(methods[key], method{fn, r.signature(fn)})
	}
}

func keyOf(fn *types.Func) methodKey {
	text := fmt.Sprint(fn.Signature().Params().Len())
	for _, v := range variables(fn.Signature()) {
		text += "," + types.TypeString(v.Type(), realPath)
	}
	return methodKey{fn.Name(), text}
}

func (r *reader) bindOne(m method, same []method, foreign string) {
	for _, o := range same {
		for i, n := range m.nodes {
			switch {
			case n == nil:
			case o.nodes[i] == nil:
				r.holdAt(n, o.fn.Name()+" of a file that can't be changed has the same signature")
			default:
				r.join(n, o.nodes[i])
			}
		}
	}
	for _, n := range m.nodes {
		if n != nil && foreign != "" {
			r.holdAt(n, "the interface "+foreign+" has this method")
		}
	}
}

// foreignInterfaces returns the interfaces of imported packages that have one of some methods.
func (r *reader) foreignInterfaces(methods map[methodKey][]method) map[methodKey]string {
	found := map[methodKey]string{}
	if len(methods) == 0 {
		return found
	}
	own := map[string]bool{}
	for _, l := range r.loaded {
		own[scan.RealPath(l.PkgPath)] = true
	}
	for _, p := range r.imported() {
		if !own[realPath(p)] {
			interfacesOf(p, methods, found)
		}
	}
	return found
}

// imported returns the types of the packages that were read, and of all their imports.
func (r *reader) imported() (all []*types.Package) {
	seen := map[*types.Package]bool{nil: true}
	var look func(p *types.Package)
	look = func(p *types.Package) {
		if !seen[p] {
			seen[p], all = true, append(all, p)
			for _, i := range p.Imports() {
				look(i)
			}
		}
	}
	for _, l := range r.loaded {
		look(l.Types)
	}
	return all
}

func interfacesOf(p *types.Package, methods map[methodKey][]method, found map[methodKey]string) {
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
			if key := keyOf(m); methods[key] != nil {
				found[key] = p.Name() + "." + name
			}
		}
	}
}

// lookForAnnotations finds out whether client-go's recorders of tools/events take annotations, as
// they do since v0.37.
func (r *reader) lookForAnnotations() {
	for _, p := range r.imported() {
		if path := realPath(p); path == facts.ClientEvents || path == facts.InternalEvents {
			r.annotated = r.annotated || p.Scope().Lookup("AnnotatedEventRecorder") != nil
		}
	}
}
