package emit_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/output/emit"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// fields are the places of a catalog that can have any text.
var fields = []func(c *catalog.Catalog) *catalog.Scalar{
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Go.Package },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Go.Recorder },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Go.Output },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.ReportingController },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Imports[0].Alias },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Imports[0].Path },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Objects[0].Version },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Objects[1].Type },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Objects[1].APIVersion },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Objects[1].Kind },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].Name },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].Action },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].Type },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].Doc.Summary },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].Doc.Runbook },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].Lifecycle.Since },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].Lifecycle.Deprecated.ReplacedBy },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].Lifecycle.Deprecated.Reason },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].Lifecycle.Deprecated.RemoveAfter },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].Params[0].Type },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].Params[0].Prefix },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].Params[1].Values[0] },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].Params[1].GoName },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].Params[2].Separator },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].Related.Prefix },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].Annotations[0].Key },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].Variants[0].Reason },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].Variants[0].Doc.Summary },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].Other.Reason },
	func(c *catalog.Catalog) *catalog.Scalar { return &c.Events[0].ReportingController },
}

var hostile = []string{
	"", " ", "*/", "/*", "// x", "`", `"`, `\`, "\n", "\r\n", "\x00", "\xff", "\u2028", "\ufeff", "a\nfunc init() { panic(1) }\n",
	"*/ func init() {} /*", "\n//go:embed x\n", "Deprecated: x", "\n\nDeprecated: x", "func", "init", "main", "_", "x.y", "../../../x.go",
	"x/../../y.go", "a b", "T[int]", "int; var X = 1", "runtime", "batchv1.Job", "é", "世界", "<script>", "%s%!", strings.Repeat("x", 300),
	"{{.}}", "line one\nline two\n\n- item\n-", "# heading", "\t\tcode", "r", "time", "eventrt", "Recorder", "string", "nil",
}

// hostileCatalog returns a catalog with all kinds of text. Its field i is s.
func hostileCatalog(i int, s string) *catalog.Catalog {
	line := 0
	at := func(value string) catalog.Scalar {
		line++
		return catalog.Scalar{Value: value, Pos: diag.Pos{File: "catalog.yaml", Line: line, Column: 1}}
	}
	text := func(value string) catalog.Message {
		return catalog.Message{Pos: at("").Pos, Text: value, Segments: []catalog.Segment{
			{Text: value, Pos: at("").Pos}, {Placeholder: "text", Pos: at("").Pos},
		}}
	}
	message, annotation := text(s), text(s)
	c := &catalog.Catalog{File: "catalog.yaml", Spec: catalog.Spec{
		Go:                  catalog.GoSettings{Package: at("testevents"), Recorder: at("Recorder"), Output: at("out/zz.go")},
		ReportingController: at("example.com/c"),
		Imports:             []catalog.Import{{Alias: at("widgetv1"), Path: at("k8s.io/api/core/v1")}},
		Objects: []catalog.ObjectDecl{
			{Alias: at("Job"), Version: at("batch/v1")},
			{Alias: at("Widget"), Type: at("widgetv1.Secret"), APIVersion: at("v1"), Kind: at("Secret")},
		},
		Defaults: catalog.Defaults{Regarding: &catalog.Regarding{Objects: []catalog.Scalar{at("Widget")}}},
		Events: []catalog.Event{{
			Pos: at("").Pos, Name: at("Ended"), Action: at("End"), Type: at("Normal"), Message: &message,
			Related: &catalog.Related{Object: at("Job"), Optional: at("true"), Prefix: at("x")},
			Params: []catalog.Param{
				{Name: at("text"), Type: at("string"), Optional: at("true"), Prefix: at("x")},
				{Name: at("outcome"), Type: at("enum"), GoName: at("Outcome"), Values: []catalog.Scalar{at("Won"), at("Drawn")}},
				{Name: at("list"), Type: at("strings"), Separator: at("x")},
			},
			Doc: catalog.Doc{Summary: at("x"), Runbook: at("x")},
			Lifecycle: catalog.Lifecycle{Since: at("x"), Deprecated: &catalog.Deprecated{
				ReplacedBy: at("x"), Reason: at("x"), RemoveAfter: at("x"),
			}},
			Annotations:         []catalog.Annotation{{Key: at("example.com/x"), Value: annotation}},
			ReportingController: at("example.com/c"),
			Select:              at("outcome"),
			Variants:            []catalog.Variant{{Name: at("Won"), Reason: at("Victory"), Doc: catalog.Doc{Summary: at("x")}}},
			Other:               &catalog.Variant{Reason: at("Lost")},
		}},
	}}
	if i >= 0 {
		field := fields[i%len(fields)](c)
		field.Value = s
		if c.Events[0].Params[1].Values[0].Value == s {
			c.Events[0].Variants[0].Name.Value = s
		}
	}
	return c
}

// declarations returns the functions and imports of a Go file, which no text may change.
func declarations(t *testing.T, source string) (functions int, imports string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "zz.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			functions++
			if f.Name.Name == "init" && f.Recv == nil {
				t.Errorf("the file has a function init:\n%s", source)
			}
		}
	}
	for _, i := range file.Imports {
		imports += i.Path.Value + "\n"
	}
	return functions, imports
}

// exports imports the packages of generated files from the build cache.
var exports = sync.OnceValue(func() types.Importer {
	files := map[string]string{}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedExportFile | packages.NeedImports | packages.NeedDeps},
		model.RuntimePath, "k8s.io/api/batch/v1", "context", "time")
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

func compile(t *testing.T, source string) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "zz.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	config := types.Config{Importer: exports()}
	if _, err := config.Check("testevents", fset, []*ast.File{file}, nil); err != nil {
		t.Errorf("%v\n%s", err, source)
	}
}

// Any text in a catalog leads to findings, or to Go that compiles and has no further function or
// import.
func FuzzGo(f *testing.F) {
	for i := range fields {
		for _, s := range hostile {
			f.Add(i, s)
		}
	}
	f.Add(-1, "x")
	// if no types are loaded, only the compiler can tell whether a type exists
	typeFields := map[int]bool{5: true, 7: true}
	f.Fuzz(func(t *testing.T, i int, s string) {
		c := hostileCatalog(max(i, -1), s)
		set, findings := model.Build(t.Context(), []*catalog.Catalog{c}, model.Options{Dir: "/nowhere", Resolve: model.ResolveNever})
		if findings.HasErrors() {
			for _, finding := range findings {
				if finding.Pos.Line == 0 || strings.ContainsAny(finding.Message, "\n\x00") {
					t.Errorf("a finding without position, or of several lines: %s", finding)
				}
			}
			return
		}
		var b bytes.Buffer
		if err := emit.Go(&b, set.Packages[0]); err != nil {
			t.Fatal(err)
		}
		if err := emit.Fake(io.Discard, set.Packages[0]); err != nil {
			t.Fatal(err)
		}
		functions, imports := declarations(t, b.String())
		if typeFields[i%len(fields)] {
			return
		}
		if wantFunctions, wantImports := benign(t); functions != wantFunctions || imports != wantImports {
			t.Errorf("the file has %d functions and imports\n%s\n%s", functions, imports, b.String())
		}
		compile(t, b.String())
	})
}

// benign holds the declarations of a harmless catalog.
func benign(t *testing.T) (int, string) {
	set, findings := model.Build(t.Context(), []*catalog.Catalog{hostileCatalog(-1, "x")}, model.Options{Dir: "/nowhere", Resolve: model.ResolveNever})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	var b bytes.Buffer
	if err := emit.Go(&b, set.Packages[0]); err != nil {
		t.Fatal(err)
	}
	return declarations(t, b.String())
}
