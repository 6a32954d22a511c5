package extract

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// borrowed is a constant whose value is that of a constant of another package.
type borrowed struct {
	typeName   string
	path, name string // of the other
}

// readConstants reads constants of named types: X T = "x", X = T("x") or X = T(other.X).
func (g *Group) readConstants(file *ast.File, s *ast.ValueSpec) {
	for i, name := range s.Names {
		if name.IsExported() && i < len(s.Values) {
			g.readConstant(file, name.Name, s.Type, s.Values[i])
		}
	}
}

func (g *Group) readConstant(file *ast.File, name string, of, value ast.Expr) {
	if call, ok := value.(*ast.CallExpr); ok && of == nil && len(call.Args) == 1 {
		of, value = call.Fun, call.Args[0]
	}
	t, named := of.(*ast.Ident)
	switch v := value.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(v.Value)
		if err != nil || v.Kind != token.STRING {
			return
		}
		g.values[name] = text
		if named {
			g.Constants[t.Name] = append(g.Constants[t.Name], text)
		}
	case *ast.SelectorExpr:
		if other, ok := v.X.(*ast.Ident); ok && named {
			g.borrowed = append(g.borrowed, borrowed{t.Name, importOf(file, other.Name), v.Sel.Name})
		}
	}
}

// importOf is the path, below k8s.io/api, of a package that a file imports by a name.
func importOf(file *ast.File, name string) string {
	for _, i := range file.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		if i.Name != nil && i.Name.Name == name || i.Name == nil && strings.HasSuffix(path, "/"+name) {
			return strings.TrimPrefix(path, "k8s.io/api/")
		}
	}
	return ""
}

// borrow looks up the values that are those of other packages' constants.
func (g *Group) borrow(groups []Group) {
	for _, b := range g.borrowed {
		for i := range groups {
			if value, ok := groups[i].values[b.name]; ok && groups[i].Path == b.path {
				g.Constants[b.typeName] = append(g.Constants[b.typeName], value)
			}
		}
	}
}

// ConstantLines has a line for each type with constants: the type, and the values behind tabs.
func (g *Group) ConstantLines() string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(g.Constants)) {
		lines = append(lines, strings.Join(append([]string{name}, g.Constants[name]...), "\t"))
	}
	return strings.Join(lines, "\n")
}
