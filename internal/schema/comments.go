package schema

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// docComments are the doc comments of a file's types, by name, and of their fields, by type and field.
func docComments(source string) (map[string]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "types.go", source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	comments := map[string]string{}
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.TYPE {
			continue
		}
		for _, spec := range d.Specs {
			t := spec.(*ast.TypeSpec)
			comments[t.Name.Name] = sentence(t.Name.Name, d.Doc.Text())
			if s, ok := t.Type.(*ast.StructType); ok {
				fieldComments(comments, t.Name.Name, s)
			}
		}
	}
	return comments, nil
}

func fieldComments(comments map[string]string, typeName string, s *ast.StructType) {
	for _, field := range s.Fields.List {
		for _, name := range field.Names {
			comments[typeName+"."+name.Name] = sentence(name.Name, field.Doc.Text())
		}
	}
}
