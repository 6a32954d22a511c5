package scan

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// ByPosition compares positions by file, line and column.
func ByPosition(a, b token.Position) int {
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// ObjectName returns the import path and name of a package's object. A method's name has its type
// before it.
func ObjectName(obj types.Object) string {
	if fn, ok := obj.(*types.Func); ok && fn.Pkg() != nil {
		if owner := MethodOwner(fn); owner != "" {
			return owner + "." + fn.Name()
		}
	}
	if obj.Pkg() == nil {
		return obj.Name()
	}
	return RealPath(obj.Pkg().Path()) + "." + obj.Name()
}

// MethodOwner returns the import path and name of the type that has a method, or "" for a function.
func MethodOwner(fn *types.Func) string {
	if recv := fn.Signature().Recv(); recv != nil {
		return TypeName(Deref(recv.Type()))
	}
	return ""
}

// Variable returns the variable that an expression names, or nil.
func Variable(info *types.Info, x ast.Expr) *types.Var {
	id, _ := ast.Unparen(x).(*ast.Ident)
	if id == nil {
		return nil
	}
	v, _ := info.ObjectOf(id).(*types.Var)
	return v
}

// IsLocal reports whether a function declares the variable. It accepts nil.
func IsLocal(v *types.Var) bool { return v != nil && v.Parent() != nil && !isGlobal(v) }

// Named returns the object that an identifier or a selector names, or nil.
func Named(info *types.Info, x ast.Expr) types.Object {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return info.ObjectOf(x)
	case *ast.SelectorExpr:
		return info.Uses[x.Sel]
	}
	return nil
}

// ConstantText returns the value of a constant expression of string type.
func ConstantText(info *types.Info, x ast.Expr) (string, bool) {
	v := info.Types[x].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

// Plain reports whether %s or %v renders the part, without flags.
func (p Part) Plain() bool { return p.Verb == "%s" || p.Verb == "%v" }

// Metadata returns the go command's facts about a loaded package or one of its dependencies, or nil
// for any other package.
func (p *Program) Metadata(path string) *packages.Package {
	for _, r := range p.sources {
		if l := r.all[path]; l != nil {
			return l
		}
	}
	return nil
}

// Read returns a package with its syntax and types. It reads dependencies on demand, and returns
// nil if there is no source.
func (p *Program) Read(path string) *Package {
	for _, pkg := range p.All() {
		if pkg.Path == path {
			return pkg
		}
	}
	return p.source(path)
}
