package scan

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// RealPath is an import path without the vendor folder that GOPATH mode puts before it.
func RealPath(path string) string { return realPath(path) }

// TypeName is the import path and the name of a named type; empty for others.
func TypeName(t types.Type) string { return typeName(t) }

// IsString reports whether a type's values are text.
func IsString(t types.Type) bool { return isString(t) }

// ConstantText is the value of a constant expression of string type.
func ConstantText(info *types.Info, x ast.Expr) (string, bool) {
	return constantString(info.Types[x].Value)
}

// Plain reports whether the part is rendered as it is: by %s or %v, without flags.
func (p Part) Plain() bool { return p.Verb == "%s" || p.Verb == "%v" }

// Metadata is what the go command knows of a package that was loaded, or that one of those imports; nil for others.
func (p *Program) Metadata(path string) *packages.Package {
	for _, r := range p.sources {
		if l := r.all[path]; l != nil {
			return l
		}
	}
	return nil
}

// Read gives a package with its syntax and types. Dependencies are read on demand; nil if there is no source.
func (p *Program) Read(path string) *Package {
	for _, pkg := range p.All() {
		if pkg.Path == path {
			return pkg
		}
	}
	return p.source(path)
}
