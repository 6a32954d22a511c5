package scan

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/facts"
)

// TypedCall is a call of a generated function that records an event, or makes one.
type TypedCall struct {
	Package  *Package
	File     *ast.File
	Func     *ast.FuncDecl // nil in a package variable's initializer
	Function TypedFunction
	// Node is the call. If the function is used as a value, Node names the function, and Call is
	// nil.
	Node ast.Node
	Call *ast.CallExpr
	// Regarding are the objects that the event is about.
	Regarding []Object
}

// typedCalls collects the calls of generated functions, outside of generated code.
func (s *scanner) typedCalls() {
	for _, f := range s.typedFunctions() {
		for _, at := range s.calls[f.Key] {
			s.typedCall(at, f)
		}
		for _, at := range s.dynamic[f.Name] {
			if method := Callee(at.pkg.Info, at.node.(*ast.CallExpr)); f.Method && Parameters(method) == f.Parameters {
				s.typedCall(at, f)
			}
		}
		for _, at := range s.asValue[f.Key] {
			s.typedCall(at, f)
		}
	}
	slices.SortStableFunc(s.result.Typed, func(a, b *TypedCall) int {
		return ByPosition(s.prog.Fset.Position(a.Node.Pos()), s.prog.Fset.Position(b.Node.Pos()))
	})
	s.result.Typed = slices.CompactFunc(s.result.Typed, func(a, b *TypedCall) bool { return a.Node == b.Node })
}

// forward is the method for events that no catalog declares. It takes its object like generated
// methods.
var forward = TypedFunction{Key: "(*" + facts.RunTime + ".Recorder).Forward", Name: "Forward", Regarding: []int{0}, Related: -1}

// typedFunctions returns the generated functions of the packages that were read, and of the
// packages that they import.
func (s *scanner) typedFunctions() []TypedFunction {
	list := append(slices.Clone(s.prog.Typed), forward)
	for _, p := range s.prog.All() {
		list = append(list, TypedFunctions(p)...)
	}
	read := map[string]bool{}
	for _, p := range s.prog.Packages {
		packages.Visit(slices.Collect(maps.Values(p.Imports)), nil, func(l *packages.Package) {
			if _, ours := l.Imports[facts.RunTime]; ours && !read[l.PkgPath] && !s.paths[RealPath(l.PkgPath)] {
				if pkg := s.prog.source(l.PkgPath); pkg != nil {
					list = append(list, TypedFunctions(pkg)...)
				}
			}
			read[l.PkgPath] = true
		})
	}
	return list
}

func (s *scanner) typedCall(at place, f TypedFunction) {
	if at.pkg.Dependency || Generated(at.file) {
		return
	}
	c := &TypedCall{Package: at.pkg, File: at.file, Function: f, Node: at.node}
	if at.fn != nil {
		c.Func = at.fn.decl
	}
	call, _ := at.node.(*ast.CallExpr)
	if call != nil {
		sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if selection := at.pkg.Info.Selections[sel]; selection == nil || selection.Kind() != types.MethodExpr {
			c.Call = call
		}
	}
	for _, i := range f.Regarding {
		c.Regarding = append(c.Regarding, s.typedObject(at, c.Call, i))
	}
	s.result.Typed = append(s.result.Typed, c)
}

// typedObject describes an argument of a generated function. Without a call, its type is the
// parameter's.
func (s *scanner) typedObject(at place, call *ast.CallExpr, index int) Object {
	if call != nil && index < len(call.Args) && !isTuple(at.pkg.Info, call.Args[index]) {
		return s.evaluator(at.fn, at.pkg).object(call.Args[index])
	}
	sig := signatureAt(at)
	if sig == nil || index >= sig.Params().Len() {
		return Object{}
	}
	return Object{Types: []types.Type{sig.Params().At(index).Type()}}
}

// isTuple reports whether an expression stands for several results of one call.
func isTuple(info *types.Info, x ast.Expr) bool {
	_, ok := info.TypeOf(x).(*types.Tuple)
	return ok
}

// signatureAt returns the declared signature of the function that a place calls or names.
func signatureAt(at place) *types.Signature {
	switch n := at.node.(type) {
	case *ast.CallExpr:
		if fn := Callee(at.pkg.Info, n); fn != nil {
			return fn.Signature()
		}
	case *ast.SelectorExpr:
		if fn, ok := at.pkg.Info.Uses[n.Sel].(*types.Func); ok {
			return fn.Signature()
		}
	case *ast.Ident:
		if fn, ok := at.pkg.Info.Uses[n].(*types.Func); ok {
			return fn.Signature()
		}
	}
	return nil
}
