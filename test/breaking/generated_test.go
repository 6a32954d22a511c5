package breaking

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/exp/apidiff"
	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/output/emit"
)

// modulePath is that of the module that the catalogs are in.
const modulePath = "example.com/m"

// home is the folder of that module.
func home(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+modulePath+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// build resolves documents; ok is false where they have errors.
func build(t testing.TB, dir string, docs []document) (*model.Set, bool) {
	t.Helper()
	var text bytes.Buffer
	for _, d := range docs {
		text.WriteString("---\n")
		data, err := json.MarshalIndent(d, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		text.Write(append(data, '\n'))
	}
	catalogs, findings := catalog.Read("catalog.yaml", &text)
	set, more := model.Build(t.Context(), catalogs, model.Options{Dir: dir, Resolve: model.ResolveNever, Baseline: true})
	if findings = append(findings, more...); findings.HasErrors() {
		if os.Getenv("SHOW_REFUSED") != "" {
			t.Log(findings[0])
		}
		return nil, false
	}
	return set, true
}

// exports has the packages that generated code imports, from the build cache.
var exports = sync.OnceValue(func() types.Importer {
	files := map[string]string{}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedExportFile | packages.NeedImports | packages.NeedDeps},
		model.RuntimePath, model.RuntimePath+"/eventtest", "k8s.io/api/batch/v1", "k8s.io/api/core/v1", "context", "time")
	if err != nil {
		panic(err)
	}
	packages.Visit(pkgs, nil, func(p *packages.Package) { files[p.PkgPath] = p.ExportFile })
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("package %s is not among those that generated files import", path)
		}
		return os.Open(files[path])
	})
})

// checked are the packages of a set by import path, fakes too.
type checked map[string]*types.Package

func (c checked) Import(path string) (*types.Package, error) {
	if p := c[path]; p != nil {
		return p, nil
	}
	return exports().Import(path)
}

// typeCheck emits the packages of a set and type-checks them.
func typeCheck(t testing.TB, set *model.Set) checked {
	t.Helper()
	c := checked{}
	for _, p := range set.Packages {
		c.add(t, p.Path, func(w io.Writer) error { return emit.Go(w, p) })
		c.add(t, p.Fake().Path, func(w io.Writer) error { return emit.Fake(w, p) })
	}
	return c
}

func (c checked) add(t testing.TB, path string, write func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "zz.go", b.Bytes(), parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: c}
	if c[path], err = config.Check(path, fset, []*ast.File{file}, nil); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
}

// incompatible are the identifiers of a package that callers of before can't use as before: "Recorder.Method" for methods,
// "Type.Field" for fields. The values of constants are no part of it.
func incompatible(old, now *types.Package) map[string]string {
	out := map[string]string{}
	for _, c := range apidiff.Changes(old, now).Changes {
		name, what, _ := strings.Cut(c.Message, ": ")
		if c.Compatible || strings.HasPrefix(what, "value changed from") || sameText(what) {
			continue
		}
		name = strings.NewReplacer("(", "", ")", "", "*", "").Replace(name)
		out[strings.TrimPrefix(name, "./")] = what
	}
	return out
}

// sameText reports whether a change is from a type to itself. apidiff says so of what uses a type after it has met another type at
// the place of this one, as where two params were swapped; the types themselves and the method with that place are told anyway.
func sameText(what string) bool {
	types, found := strings.CutPrefix(what, "changed from ")
	was, is, split := strings.Cut(types, " to ")
	return found && split && was == is
}
