package migrate

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// Names knows a file's names for the declarations of other packages.
type Names struct {
	// Added are the imports that the new text needs, with their names in that text.
	Added map[string]string

	pkg      *types.Package
	imported map[string]string // by path
	used     map[string]bool   // all identifiers
}

// NewNames reads the imports and identifiers of a file of a package.
func NewNames(file *ast.File, pkg *types.Package, info *types.Info) *Names {
	n := &Names{Added: map[string]string{}, pkg: pkg, imported: map[string]string{}, used: map[string]bool{}}
	for _, spec := range file.Imports {
		if p := info.PkgNameOf(spec); p != nil && p.Name() != "_" {
			n.imported[scan.RealPath(p.Imported().Path())] = p.Name()
		}
	}
	for x := range ast.Preorder(file) {
		if id, ok := x.(*ast.Ident); ok {
			n.used[id.Name] = true
		}
	}
	return n
}

// Qualified returns the name of a package's declaration in the file. It adds the import if it is
// missing, under a free alias.
func (n *Names) Qualified(path, alias, name string) string {
	if scan.RealPath(n.pkg.Path()) == path {
		return name
	}
	local := n.imported[path]
	if local == "" {
		for local = alias; n.isTaken(local); {
			local += "x"
		}
		n.imported[path], n.Added[path], n.used[local] = local, local, true
	}
	if local == "." {
		return name
	}
	return local + "." + name
}

func (n *Names) isTaken(name string) bool {
	_, declared := n.pkg.Scope().LookupParent(name, token.NoPos)
	return n.used[name] || declared != nil
}
