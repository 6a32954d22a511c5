package program

import (
	"go/ast"
	"go/types"
)

// interfaceMethods are the names of the methods of all interfaces that the packages, and those that they import, declare. A
// method of a type can be called through one of them.
func interfaceMethods(packages []*Package) map[string]bool {
	names := map[string]bool{}
	seen := map[*types.Package]bool{}
	for _, p := range packages {
		if p.Types != nil {
			exported(p.Types, names, seen)
		}
		for _, f := range p.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				if t, ok := n.(*ast.InterfaceType); ok {
					written(t, names)
				}
				return true
			})
		}
	}
	return names
}

// exported adds the interfaces of a package's scope, and of those that it imports.
func exported(p *types.Package, names map[string]bool, seen map[*types.Package]bool) {
	if seen[p] {
		return
	}
	seen[p] = true
	for _, name := range p.Scope().Names() {
		obj, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		if t, ok := obj.Type().Underlying().(*types.Interface); ok {
			for i := range t.NumMethods() {
				names[t.Method(i).Name()] = true
			}
		}
	}
	for _, i := range p.Imports() {
		exported(i, names, seen)
	}
}

// written adds the methods that an interface's text lists, such as one inside of a function.
func written(t *ast.InterfaceType, names map[string]bool) {
	for _, field := range t.Methods.List {
		for _, id := range field.Names {
			names[id.Name] = true
		}
	}
}
