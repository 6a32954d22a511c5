package scan

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Graph tells what code can run: which functions, methods and types the declarations of packages
// name. Its keys are names as of ObjectName. Code that runs when a package is imported has the key
// of the package's init.
type Graph struct {
	names map[string][]string
	// dynamic holds the names of interfaces' methods. Code calls methods of other names only by
	// their own names.
	dynamic map[string]bool
}

// NewGraph reads the declarations of packages. It calls visit, if that is not nil, for each node of
// each declaration, with the declaration's key.
func NewGraph(packages []*Package, visit func(p *Package, key string, n ast.Node)) *Graph {
	g := &Graph{names: map[string][]string{}, dynamic: interfaceMethods(packages)}
	for _, p := range packages {
		read := func(key string, decl ast.Node) {
			for n := range ast.Preorder(decl) {
				if id, ok := n.(*ast.Ident); ok {
					switch obj := p.Info.Uses[id].(type) {
					case *types.Func, *types.TypeName:
						g.names[key] = append(g.names[key], ObjectName(obj))
					}
				}
				if visit != nil {
					visit(p, key, n)
				}
			}
		}
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				g.declare(p, d, read)
			}
		}
	}
	return g
}

func (g *Graph) declare(p *Package, d ast.Decl, read func(key string, decl ast.Node)) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		fn, ok := p.Info.Defs[d.Name].(*types.Func)
		if !ok {
			return
		}
		read(ObjectName(fn), d)
		if owner := MethodOwner(fn); owner != "" && g.dynamic[fn.Name()] {
			g.names[owner] = append(g.names[owner], ObjectName(fn))
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				read(initOf(p.Path), spec)
			case *ast.TypeSpec:
				read(p.Path+"."+spec.Name.Name, spec.Type)
			}
		}
	}
}

func initOf(path string) string { return RealPath(path) + ".init" }

// Starts returns the keys of the code that runs when a package is imported, the package's own last.
func Starts(p *Package) (keys []string) {
	packages.Visit(slices.Collect(maps.Values(p.Imports)), nil, func(l *packages.Package) { keys = append(keys, initOf(l.PkgPath)) })
	slices.Sort(keys)
	return append(keys, initOf(p.Path))
}

// Reached returns some keys, and the keys of all that they lead to.
func (g *Graph) Reached(keys ...string) (reached []string) {
	seen := map[string]bool{}
	queue := slices.Clone(keys)
	for len(queue) > 0 {
		key := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if !seen[key] {
			seen[key] = true
			reached = append(reached, key)
			queue = append(queue, g.names[key]...)
		}
	}
	return reached
}

// runs returns a function that reports whether a place can run: in code outside of tests that a
// main package reaches. If no main package reaches a call of a recorder, all code outside of tests
// counts. whole reports whether a main package decides.
func (x *index) runs() (can func(place) bool, whole bool) {
	var keys []string
	for _, pkg := range x.prog.Packages {
		if pkg.Main && !x.inTest(pkg.Syntax[0]) {
			keys = append(append(keys, pkg.Path+".main"), Starts(pkg)...)
		}
	}
	untested := func(at place) bool { return at.file == nil || !x.inTest(at.file) }
	if len(keys) == 0 {
		return untested, false
	}
	reached := map[string]bool{}
	for _, key := range NewGraph(x.prog.All(), nil).Reached(keys...) {
		reached[key] = true
	}
	can = func(at place) bool {
		return untested(at) && (at.fn == nil || at.fn.decl == nil || x.closures[at.fn.decl].obj != nil && reached[ObjectName(x.closures[at.fn.decl].obj)])
	}
	if slices.ContainsFunc(x.recorded, func(c recordedCall) bool { return c.fn != nil && can(c.place) }) {
		return can, true
	}
	return untested, false
}

// inTest reports whether a file belongs to a test.
func (x *index) inTest(f *ast.File) bool {
	return strings.HasSuffix(x.prog.Fset.Position(f.Package).Filename, "_test.go")
}

// interfaceMethods returns the names of all interface methods that the packages and their imports
// declare. A call through an interface can reach a type's method of such a name.
func interfaceMethods(packages []*Package) map[string]bool {
	names, seen := map[string]bool{}, map[*types.Package]bool{}
	var exported func(*types.Package)
	exported = func(p *types.Package) {
		if seen[p] {
			return
		}
		seen[p] = true
		for _, name := range p.Scope().Names() {
			if obj, isType := p.Scope().Lookup(name).(*types.TypeName); isType && types.IsInterface(obj.Type()) {
				for m := range obj.Type().Underlying().(*types.Interface).Methods() {
					names[m.Name()] = true
				}
			}
		}
		for _, i := range p.Imports() {
			exported(i)
		}
	}
	for _, p := range packages {
		if p.Types != nil {
			exported(p.Types)
		}
		for _, f := range p.Syntax {
			for n := range ast.Preorder(f) {
				if t, ok := n.(*ast.InterfaceType); ok { // such as one inside of a function
					for _, field := range t.Methods.List {
						for _, id := range field.Names {
							names[id.Name] = true
						}
					}
				}
			}
		}
	}
	return names
}
