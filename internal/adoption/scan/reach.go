package scan

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// reach is the code that the program's main packages can run.
type reach struct {
	*index
	// names holds the names in each function: keys of functions and names of types. starts holds
	// the same of the code that runs when a package is imported.
	names, starts map[string][]string
	reached       map[string]bool
}

// runs returns a function that reports whether a place can run: in code outside of tests that a
// main package reaches. If no main package reaches a call of a recorder, all code outside of tests
// counts. whole reports whether a main package decides.
func (x *index) runs() (can func(place) bool, whole bool) {
	r := &reach{index: x, names: map[string][]string{}, starts: map[string][]string{}, reached: map[string]bool{}}
	for _, pkg := range x.prog.All() {
		for _, file := range pkg.Syntax {
			for _, d := range file.Decls {
				r.declared(pkg, d)
			}
		}
	}
	main := false
	for _, pkg := range x.prog.Packages {
		if pkg.Main && !x.inTest(pkg.Syntax[0]) {
			r.from(pkg)
			main = true
		}
	}
	tested := func(at place) bool { return at.file != nil && x.inTest(at.file) }
	reached := func(at place) bool {
		return !tested(at) && (at.fn == nil || at.fn.decl == nil || r.reached[x.closures[at.fn.decl].key])
	}
	whole = main && slices.ContainsFunc(x.recorded, func(c recordedCall) bool { return c.fn != nil && reached(c.place) })
	if whole {
		return reached, true
	}
	return func(at place) bool { return !tested(at) }, false
}

// inTest reports whether a file belongs to a test.
func (x *index) inTest(f *ast.File) bool {
	return strings.HasSuffix(x.prog.Fset.Position(f.Package).Filename, "_test.go")
}

func (r *reach) declared(pkg *Package, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		f := r.closures[d]
		names := namedIn(pkg.Info, d)
		if f == nil || d.Recv == nil && d.Name.Name == "init" {
			r.starts[pkg.Path] = append(r.starts[pkg.Path], names...)
			return
		}
		r.names[f.key] = names
		if f.obj != nil {
			if owner := MethodOwner(f.obj); owner != "" {
				r.names[owner] = append(r.names[owner], f.key)
			}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				r.starts[pkg.Path] = append(r.starts[pkg.Path], namedIn(pkg.Info, spec)...)
			case *ast.TypeSpec:
				owner := pkg.Path + "." + spec.Name.Name
				r.names[owner] = append(r.names[owner], namedIn(pkg.Info, spec.Type)...)
			}
		}
	}
}

// namedIn returns the functions and types that a node names.
func namedIn(info *types.Info, n ast.Node) (names []string) {
	for n := range ast.Preorder(n) {
		id, ok := n.(*ast.Ident)
		if !ok {
			continue
		}
		switch obj := info.Uses[id].(type) {
		case *types.Func:
			names = append(names, funcKey(obj))
		case *types.TypeName:
			names = append(names, ObjectName(obj))
		case *types.Var, *types.Const: // a value's methods
			if t := obj.Type(); t != nil {
				names = append(names, TypeName(Deref(t)))
			}
		}
	}
	return names
}

// from marks the code that a main package reaches.
func (r *reach) from(main *Package) {
	queue := append([]string{main.Path + ".main"}, r.starts[main.Path]...)
	packages.Visit(slices.Collect(maps.Values(main.Imports)), nil, func(l *packages.Package) {
		queue = append(queue, r.starts[RealPath(l.PkgPath)]...)
	})
	for len(queue) > 0 {
		key := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if !r.reached[key] {
			r.reached[key] = true
			queue = append(queue, r.names[key]...)
		}
	}
}
