package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// mostFields is the number of fields that a reader can keep in mind.
const mostFields = 30

// TestStructsAreSmall counts the fields that a type of the recording state declares, with those of
// the structs that it embeds or declares in place.
func TestStructsAreSmall(t *testing.T) {
	structs := map[string]*ast.StructType{}
	for _, dir := range []string{"runtime/correlator", "runtime/correlator/internal/dispatch"} {
		files, err := filepath.Glob(filepath.Join("../..", dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %d files", dir, err, len(files))
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if spec, ok := n.(*ast.TypeSpec); ok {
					if s, ok := spec.Type.(*ast.StructType); ok {
						structs[spec.Name.Name] = s
					}
				}
				return true
			})
		}
	}
	for name, s := range structs {
		n := countFields(s, structs)
		if n > mostFields {
			t.Errorf("%s has %d fields, expected at most %d", name, n, mostFields)
		}
		t.Logf("%3d %s", n, name)
	}
	if len(structs) < 20 {
		t.Errorf("found %d types", len(structs))
	}
}

func countFields(s *ast.StructType, structs map[string]*ast.StructType) (n int) {
	for _, f := range s.Fields.List {
		of, _ := f.Type.(*ast.StructType)
		if len(f.Names) == 0 {
			switch x := f.Type.(type) {
			case *ast.Ident:
				of = structs[x.Name]
			case *ast.SelectorExpr:
				of = structs[x.Sel.Name]
			}
		}
		if of != nil {
			n += countFields(of, structs)
			continue
		}
		n += max(1, len(f.Names))
	}
	return n
}
