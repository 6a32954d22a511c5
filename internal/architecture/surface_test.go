package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// maxSurface bounds what a user of the run time can see: it may shrink, and grows only on purpose.
const maxSurface = 645

// TestTheSurfaceOfTheRunTimeIsBounded counts the exported identifiers of the packages under
// runtime, with fields and methods, those of internal packages left out.
func TestTheSurfaceOfTheRunTimeIsBounded(t *testing.T) {
	var files []string
	for _, pattern := range []string{"*.go", "*/*.go", "*/*/*.go", "*/*/*/*.go"} {
		found, err := filepath.Glob("../../runtime/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	perPackage, sum := map[string]int{}, 0
	for _, file := range files {
		dir := filepath.ToSlash(filepath.Dir(file))
		if strings.HasSuffix(file, "_test.go") || strings.Contains(dir+"/", "/internal/") || strings.Contains(dir, "/testdata") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			n := exportedBy(decl)
			perPackage[dir] += n
			sum += n
		}
	}
	if sum > maxSurface || sum < maxSurface/2 {
		t.Errorf("%d exported identifiers, expected at most %d; unexport what only our packages use: %v", sum, maxSurface, perPackage)
	}
}

// exportedBy counts the exported names that a declaration declares.
func exportedBy(decl ast.Decl) (n int) {
	if f, ok := decl.(*ast.FuncDecl); ok {
		if f.Name.IsExported() && (f.Recv == nil || receiver(f).IsExported()) {
			n++
		}
		return n
	}
	for _, spec := range decl.(*ast.GenDecl).Specs {
		switch s := spec.(type) {
		case *ast.ValueSpec:
			n += exported(s.Names)
		case *ast.TypeSpec:
			if s.Name.IsExported() {
				n += 1 + members(s.Type)
			}
		}
	}
	return n
}

// members counts the exported fields of a struct, or methods of an interface.
func members(t ast.Expr) (n int) {
	var fields *ast.FieldList
	switch t := t.(type) {
	case *ast.StructType:
		fields = t.Fields
	case *ast.InterfaceType:
		fields = t.Methods
	default:
		return 0
	}
	for _, f := range fields.List {
		n += exported(f.Names)
	}
	return n
}

func exported(names []*ast.Ident) (n int) {
	for _, name := range names {
		if name.IsExported() {
			n++
		}
	}
	return n
}

// receiver is the name of a method's type.
func receiver(f *ast.FuncDecl) *ast.Ident {
	t := f.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if g, ok := t.(*ast.IndexExpr); ok {
		t = g.X
	}
	return t.(*ast.Ident)
}
