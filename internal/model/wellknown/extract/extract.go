// Package extract reads the table of package wellknown out of the sources of k8s.io/api.
package extract

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Group is what one package of k8s.io/api declares. The names are sorted.
type Group struct {
	APIVersion string
	Path       string // below k8s.io/api: "batch/v1"
	Namespaced []string
	Cluster    []string
	Strings    []string // types whose underlying type is string
	// Constants are the values of the exported constants of each such type.
	Constants map[string][]string

	values   map[string]string // of all constants that are literals
	borrowed []borrowed
}

// From reads every package with a register.go below dir, the root of k8s.io/api.
func From(dir string) ([]Group, error) {
	registers, err := filepath.Glob(filepath.Join(dir, "*", "*", "register.go"))
	if err != nil {
		return nil, err
	}
	groups := make([]Group, 0, len(registers))
	for _, register := range registers {
		g, err := readPackage(dir, filepath.Dir(register))
		if err != nil {
			return nil, err
		}
		groups = append(groups, g)
	}
	for i := range groups {
		groups[i].borrow(groups)
		groups[i].sort()
	}
	return groups, nil
}

func readPackage(root, dir string) (Group, error) {
	path, err := filepath.Rel(root, dir)
	if err != nil {
		return Group{}, err
	}
	g := Group{Path: filepath.ToSlash(path), Constants: map[string][]string{}, values: map[string]string{}}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return Group{}, err
	}
	for _, file := range files {
		if err := g.readFile(file); err != nil {
			return Group{}, err
		}
	}
	return g, nil
}

func (g *Group) sort() {
	slices.Sort(g.Namespaced)
	slices.Sort(g.Cluster)
	slices.Sort(g.Strings)
	for name, values := range g.Constants {
		slices.Sort(values)
		g.Constants[name] = slices.Compact(values)
		if !slices.Contains(g.Strings, name) {
			delete(g.Constants, name)
		}
	}
}

func (g *Group) readFile(path string) error {
	if strings.HasSuffix(path, "_test.go") {
		return nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("reading an API package: %w", err)
	}
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.GenDecl); ok {
			g.readDecl(fset, file, d)
		}
	}
	return nil
}

func (g *Group) readDecl(fset *token.FileSet, file *ast.File, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.ValueSpec:
			g.readGroupName(s)
			if d.Tok == token.CONST {
				g.readConstants(file, s)
			}
		case *ast.TypeSpec:
			g.readType(s, markers(fset, file, d.Pos()))
		}
	}
}

func (g *Group) readGroupName(s *ast.ValueSpec) {
	if s.Names[0].Name != "GroupName" || len(s.Values) != 1 {
		return
	}
	lit, ok := s.Values[0].(*ast.BasicLit)
	if !ok {
		return
	}
	group, _ := strconv.Unquote(lit.Value)
	_, version, _ := strings.Cut(g.Path, "/")
	g.APIVersion = version
	if group != "" {
		g.APIVersion = group + "/" + version
	}
}

func (g *Group) readType(s *ast.TypeSpec, markers string) {
	switch t := s.Type.(type) {
	case *ast.Ident:
		if t.Name == "string" && s.Assign == 0 {
			g.Strings = append(g.Strings, s.Name.Name)
		}
	case *ast.StructType:
		if !embeds(t, "TypeMeta") || !embeds(t, "ObjectMeta") {
			return
		}
		if strings.Contains(markers, "+genclient:nonNamespaced") {
			g.Cluster = append(g.Cluster, s.Name.Name)
		} else {
			g.Namespaced = append(g.Namespaced, s.Name.Name)
		}
	}
}

func embeds(t *ast.StructType, name string) bool {
	return slices.ContainsFunc(t.Fields.List, func(f *ast.Field) bool {
		sel, ok := f.Type.(*ast.SelectorExpr)
		return ok && len(f.Names) == 0 && sel.Sel.Name == name
	})
}

// markers is the text of the comments that end at most a few lines before a declaration: Kubernetes puts a blank line
// between markers and doc comment.
func markers(fset *token.FileSet, file *ast.File, pos token.Pos) string {
	var text []string
	before := fset.Position(pos).Line
	for i := len(file.Comments) - 1; i >= 0; i-- {
		c := file.Comments[i]
		if c.Pos() >= pos {
			continue
		}
		if before-fset.Position(c.End()).Line > 2 {
			break
		}
		before = fset.Position(c.Pos()).Line
		for _, line := range c.List {
			text = append(text, line.Text)
		}
	}
	return strings.Join(text, "\n")
}
