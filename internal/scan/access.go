package scan

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// RealPath returns an import path without the vendor folder that GOPATH mode puts before it.
func RealPath(path string) string { return realPath(path) }

// TypeName returns the import path and name of a named type, or "" for any other type.
func TypeName(t types.Type) string { return typeName(t) }

// IsString reports whether the values of a type are strings.
func IsString(t types.Type) bool { return isString(t) }

// ConstantText returns the value of a constant expression of string type.
func ConstantText(info *types.Info, x ast.Expr) (string, bool) {
	return constantString(info.Types[x].Value)
}

// Plain reports whether %s or %v renders the part, without flags.
func (p Part) Plain() bool { return p.Verb == "%s" || p.Verb == "%v" }

// Metadata returns what the go command knows about a loaded package or one of its dependencies, or nil for any other package.
func (p *Program) Metadata(path string) *packages.Package {
	for _, r := range p.sources {
		if l := r.all[path]; l != nil {
			return l
		}
	}
	return nil
}

// Read returns a package with its syntax and types. It reads dependencies on demand, and returns nil if there is no source.
func (p *Program) Read(path string) *Package {
	for _, pkg := range p.All() {
		if pkg.Path == path {
			return pkg
		}
	}
	return p.source(path)
}
