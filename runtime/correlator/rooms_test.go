package correlator

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/event-gen/event-gen/runtime"

// storeImports is all that the store may use: it starts nothing, reads no clock and does no I/O.
var storeImports = []string{
	"cmp", "encoding/binary", "hash/maphash", "math", "math/bits", "slices", "strings", "time", "unsafe",
	module, module + "/correlator/internal/hexdigits", "k8s.io/apimachinery/pkg/apis/meta/v1",
}

// private are the store's own notions, which no exported name of it may show.
var private = []string{"ref", "slab", "index", "heap", "places", "entry", "queue", "queueName", "flags", "objectFlags"}

// TestOnlyTheStoreKnowsItsLinks holds the wall between the correlator's two rooms: the deciding code uses no references, flags or unsafe
// memory, and the store exports none of them.
func TestOnlyTheStoreKnowsItsLinks(t *testing.T) {
	for path, f := range parsed(t, "*.go") {
		for _, i := range imports(f) {
			if i == "unsafe" {
				t.Errorf("%s imports unsafe", path)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if slices.Contains(private, n.Name.Name) {
					t.Errorf("%s declares %s", path, n.Name.Name)
				}
			case *ast.BinaryExpr:
				if n.Op == token.AND_NOT {
					t.Errorf("%s keeps flags", path)
				}
			}
			return true
		})
	}
	for path, f := range parsed(t, "internal/store/*.go") {
		for _, i := range imports(f) {
			if !slices.Contains(storeImports, i) {
				t.Errorf("%s imports %s", path, i)
			}
		}
		for _, d := range f.Decls {
			for _, name := range shown(d) {
				if slices.Contains(private, name) {
					t.Errorf("%s shows %s", path, name)
				}
			}
		}
	}
}

// parsed are the product's files that a pattern names.
func parsed(t *testing.T, pattern string) map[string]*ast.File {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files: %v", err)
	}
	files := map[string]*ast.File{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files[path] = f
	}
	return files
}

func imports(f *ast.File) (paths []string) {
	for _, i := range f.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		paths = append(paths, path)
	}
	return paths
}

// shown lists the type names that a declaration shows to other packages: in signatures of exported functions, and of exported fields.
func shown(d ast.Decl) (names []string) {
	note := func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names = append(names, id.Name)
		}
		return true
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && (d.Recv == nil || exportedReceiver(d.Recv)) {
			for _, list := range []*ast.FieldList{d.Type.Params, d.Type.Results} {
				for _, field := range fields(list) {
					ast.Inspect(field.Type, note)
				}
			}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			s, ok := spec.(*ast.TypeSpec)
			if !ok || !s.Name.IsExported() {
				continue
			}
			if st, ok := s.Type.(*ast.StructType); ok {
				for _, field := range fields(st.Fields) {
					if len(field.Names) == 0 || field.Names[0].IsExported() {
						ast.Inspect(field.Type, note)
					}
				}
				continue
			}
			ast.Inspect(s.Type, note)
		}
	}
	return names
}

func fields(list *ast.FieldList) []*ast.Field {
	if list == nil {
		return nil
	}
	return list.List
}

func exportedReceiver(list *ast.FieldList) bool {
	receiver := list.List[0].Type
	if p, ok := receiver.(*ast.StarExpr); ok {
		receiver = p.X
	}
	id, ok := receiver.(*ast.Ident)
	return ok && id.IsExported()
}
