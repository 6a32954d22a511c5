// Package architecture tests rules about the whole repository, such as the directions in which
// packages import each other.
package architecture

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/event-gen/event-gen"

// rule lists the imports that a package must not have: direct ones, and ones anywhere in its
// closure. A path also stands for all paths below it, unless it ends with $.
type rule struct {
	direct  []string
	closure []string
}

// generator lists the packages that only build-time code may import.
var generator = []string{
	"github.com/dave/jennifer", "k8s.io/gengo", "github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/tools",
	"github.com/rogpeppe/go-internal", "go.yaml.in/yaml/v3", "github.com/prometheus", "k8s.io/client-go",
	module + "/internal", module + "/templates", module + "/cmd",
}

var ioPackages = []string{"net", "net/http", "os", "io/fs", "syscall"}

// sinks are what stores events; what a sink implements is in runtime/sink itself.
var sinks = []string{module + "/runtime/sink/memory", module + "/runtime/sink/kube", module + "/runtime/sink/sinktest"}

var rules = map[string]rule{
	"runtime":                              {closure: generator},
	"runtime/correlator/internal/dispatch": {closure: generator, direct: append([]string{"sync", "context", "k8s.io"}, ioPackages...)},
	"runtime/correlator":                   {closure: generator, direct: append([]string{"sync", "context"}, ioPackages...)},
	// A program without a filter links none.
	"runtime/broadcaster": {closure: append([]string{module + "/runtime/eventfilter"}, generator...), direct: append([]string{"net", "net/http"}, sinks...)},
	"runtime/eventfilter": {closure: append(append([]string{module + "/runtime/correlator", module + "/runtime/broadcaster", module + "/runtime/sink"}, sinks...), generator...)},
	// The linker keeps all methods of a program with text/template, which is a third of an
	// operator's binary.
	"runtime/eventdebug":         {closure: append([]string{"text/template", "html/template", module + "/runtime/eventfilter"}, generator...), direct: sinks},
	"runtime/sink":               {closure: append(append([]string{module + "/runtime/correlator", module + "/runtime/broadcaster"}, sinks...), generator...)},
	"runtime/sink/memory":        {closure: append([]string{module + "/runtime/correlator", module + "/runtime/broadcaster"}, generator...)},
	"runtime/sink/kube":          {closure: append([]string{module + "/runtime/correlator", module + "/runtime/broadcaster"}, without(generator, "k8s.io/client-go", "github.com/spf13/pflag")...)},
	"runtime/internal/apiserver": {closure: append(append([]string{module + "/runtime/correlator", module + "/runtime/broadcaster"}, sinks...), generator...)},
	"runtime/internal/form":      {closure: append(append([]string{module + "/runtime/correlator", module + "/runtime/broadcaster"}, sinks...), generator...)},
	"examples/jobevents":         {closure: append([]string{module + "/runtime/correlator", module + "/runtime/broadcaster", module + "/runtime/sink"}, generator...)},
	"examples/cronjobevents":     {closure: append([]string{module + "/runtime/correlator", module + "/runtime/broadcaster", module + "/runtime/sink"}, generator...)},

	"internal/plumbing/diag":      {closure: []string{module + "/internal/catalog", "k8s.io", "go.yaml.in"}},
	"internal/catalog":            {closure: []string{module + "/internal/catalog/lint", module + "/internal/catalog/model", module + "/internal/output/emit", "k8s.io/api", "k8s.io/client-go", "k8s.io/gengo", "github.com/spf13", "github.com/dave"}},
	"internal/catalog/lint":       {closure: []string{module + "/internal/plumbing/format", module + "/internal/catalog/fix", module + "/internal/output/emit", module + "/internal/output", "github.com/spf13/cobra", "github.com/dave"}},
	"internal/catalog/breaking":   {closure: []string{module + "/internal/plumbing/gitread", module + "/internal/plumbing/format", "github.com/spf13/cobra"}, direct: []string{"os", "os/exec", module + "/internal/catalog/discovery"}},
	"internal/plumbing/format":    {closure: []string{module + "/internal/catalog/lint", module + "/internal/catalog/model", module + "/internal/catalog/breaking", "github.com/spf13/cobra"}},
	"internal/catalog/fix":        {closure: []string{module + "/internal/catalog/lint", module + "/internal/catalog/model", "github.com/spf13/cobra"}},
	"internal/plumbing/gitread":   {closure: []string{module + "/internal/catalog", module + "/internal/catalog/model", "k8s.io"}},
	"internal/catalog/model":      {closure: []string{module + "/internal/output/emit", module + "/internal/output", "github.com/dave", "github.com/spf13/cobra"}},
	"internal/output/emit":        {direct: []string{"go.yaml.in", "sigs.k8s.io/yaml", module + "/internal/catalog$", "github.com/spf13"}},
	"internal/plumbing/callrules": {closure: []string{module + "/internal/catalog", module + "/internal/adoption/scan", "golang.org/x/tools/go", "k8s.io", "go.yaml.in"}},
	"analyzer":                    {closure: []string{module + "/runtime", module + "/internal/catalog/lint", module + "/internal/catalog/model", module + "/internal/output/emit", "github.com/spf13/cobra", "github.com/dave"}},
	"internal/adoption/facts":     {closure: []string{module + "/internal/catalog", module + "/internal/adoption/scan", "golang.org/x/tools", "k8s.io"}},
	"internal/adoption/rawcall":   {closure: []string{module + "/internal/catalog/lint", module + "/internal/catalog/model", module + "/internal/plumbing/format", "github.com/spf13/cobra", "github.com/dave"}},
	"internal/adoption/rights":    {closure: []string{module + "/internal/catalog", module + "/internal/catalog/model", module + "/internal/catalog/lint", "golang.org/x/tools/go", "github.com/spf13/cobra"}},
	"internal/adoption/scan":      {closure: []string{module + "/internal/catalog", module + "/internal/catalog/lint", module + "/internal/catalog/model", "github.com/spf13/cobra", "k8s.io"}},
	"cmd/event-gen":               {direct: []string{"github.com/dave", "k8s.io", "go.yaml.in", "sigs.k8s.io"}},

	"internal/adoption/propose":       {closure: []string{module + "/internal/catalog$", module + "/internal/catalog/lint", "github.com/spf13/cobra"}},
	"internal/adoption/migrate":       {closure: []string{module + "/internal/catalog/lint", module + "/internal/output/emit", module + "/internal/plumbing/format", module + "/internal/output", "github.com/spf13/cobra", "github.com/dave"}, direct: []string{"os/exec"}},
	"internal/adoption/migrate/proof": {direct: append([]string{module + "/internal/adoption/scan", module + "/internal/catalog$"}, ioPackages...)},

	"internal/adoption/scan/report": {closure: []string{module + "/internal/catalog", module + "/internal/catalog/lint", module + "/internal/catalog/model", "github.com/spf13/cobra"}},
}

func without(list []string, drop ...string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(drop, s) })
}

type pkg struct {
	ImportPath string
	Doc        string
	GoFiles    []string
	Imports    []string
	Deps       []string
}

func TestImportsFlowOneWay(t *testing.T) {
	packages := list(t)
	for path, r := range rules {
		p, ok := packages[module+"/"+path]
		if !ok {
			t.Errorf("%s: no such package; correct the rules", path)
			continue
		}
		for _, banned := range r.direct {
			if found := within(p.Imports, banned); found != "" {
				t.Errorf("%s must not import %s", path, found)
			}
		}
		for _, banned := range r.closure {
			if found := within(p.Deps, banned); found != "" {
				t.Errorf("%s must not pull in %s", path, found)
			}
		}
	}
}

// TestGroupsImportOneWay checks that the generator does not import the tools for existing code, and
// that plumbing imports neither.
func TestGroupsImportOneWay(t *testing.T) {
	const catalog, output, adoption = module + "/internal/catalog", module + "/internal/output", module + "/internal/adoption"
	banned := map[string][]string{
		catalog:                       {adoption, output},
		output:                        {adoption},
		module + "/internal/plumbing": {adoption, catalog, output},
		module + "/cmd/event-gen-vet": {output},
	}
	packages := list(t)
	for group, others := range banned {
		found := false
		for path, p := range packages {
			if within([]string{path}, group) == "" {
				continue
			}
			found = true
			for _, other := range others {
				if i := within(p.Imports, other); i != "" {
					t.Errorf("%s must not import %s", path, i)
				}
			}
		}
		if !found {
			t.Errorf("%s: no such group of packages; correct the rules", group)
		}
	}
	for path, p := range packages {
		if i := within(p.Imports, adoption); i != "" && within([]string{path}, adoption) == "" &&
			within([]string{path}, module+"/cmd") == "" && within([]string{path}, module+"/analyzer") == "" {
			t.Errorf("%s must not import %s: only the commands and the analyzer use the tools for existing code", path, i)
		}
	}
}

// TestOnlyKubeKnowsClients checks that only one package calls client-go's clients.
func TestOnlyKubeKnowsClients(t *testing.T) {
	allowed := []string{"/runtime/sink/kube", "/runtime/clientgo", "/examples/controller"}
	for path, p := range list(t) {
		rest := strings.TrimPrefix(path, module)
		if slices.ContainsFunc(allowed, func(a string) bool { return strings.HasPrefix(rest, a) }) {
			continue
		}
		if found := within(p.Imports, "k8s.io/client-go"); found != "" {
			t.Errorf("%s must not import %s", path, found)
		}
	}
}

// TestPackagesHaveComments checks that every package has a package comment.
func TestPackagesHaveComments(t *testing.T) {
	for path, p := range list(t) {
		if p.Doc == "" && len(p.GoFiles) > 0 && !strings.Contains(path, "/testdata/") {
			t.Errorf("%s has no package comment", path)
		}
	}
}

func within(imports []string, path string) string {
	exact, only := strings.CutSuffix(path, "$")
	if only {
		if slices.Contains(imports, exact) {
			return exact
		}
		return ""
	}
	for _, i := range imports {
		if i == path || strings.HasPrefix(i, path+"/") {
			return i
		}
	}
	return ""
}

// list returns the packages of the root module and of the run time's module, without test files.
func list(t *testing.T) map[string]pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Doc,GoFiles,Imports,Deps", "work")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := map[string]pkg{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages[p.ImportPath] = p
	}
}

// TestCorrelatorHasNoClockAndStartsNothing checks that the correlator gets the time as an argument
// and starts no goroutine.
func TestCorrelatorHasNoClockAndStartsNothing(t *testing.T) {
	files, err := filepath.Glob("../../runtime/correlator/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if bad := forbidden(n); bad != "" {
				t.Errorf("%s: %s", fset.Position(n.Pos()), bad)
			}
			return true
		})
	}
}

func forbidden(n ast.Node) string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "the correlator starts no goroutine"
	case *ast.SelectorExpr:
		x, ok := n.X.(*ast.Ident)
		clocks := []string{"Now", "Since", "Until", "After", "AfterFunc", "NewTimer", "NewTicker", "Sleep", "Tick"}
		if ok && x.Name == "time" && slices.Contains(clocks, n.Sel.Name) {
			return "the correlator has no clock: time." + n.Sel.Name
		}
	}
	return ""
}

// TestOneWriter checks that event-gen writes files through one package only, and that it never uses
// a path as a pattern.
func TestOneWriter(t *testing.T) {
	writes := []string{"WriteFile", "Create", "CreateTemp", "OpenFile", "Rename", "Remove", "RemoveAll", "Mkdir", "MkdirAll", "MkdirTemp",
		"Chmod", "Link", "Symlink", "Truncate", "CopyFS"}
	// The writer itself, and a build tool.
	allowed := []string{"../plumbing/disk/", "../catalog/model/wellknown/gen/"}
	for _, pattern := range []string{"../*/*.go", "../*/*/*.go", "../*/*/*/*.go", "../*/*/*/*/*.go", "../../cmd/event-gen/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files: %v", pattern, err)
		}
		for _, file := range files {
			name := filepath.ToSlash(file)
			if strings.HasSuffix(name, "_test.go") || strings.Contains(name, "/testdata/") ||
				slices.ContainsFunc(allowed, func(a string) bool { return strings.HasPrefix(name, a) }) {
				continue
			}
			eachCallOf(t, file, "filepath", func(fset *token.FileSet, call *ast.SelectorExpr) {
				if call.Sel.Name == "Glob" && !strings.Contains(name, "/extract/") {
					t.Errorf("%s: a folder's name can contain brackets; list the folder instead", fset.Position(call.Pos()))
				}
			})
			eachCallOf(t, file, "os", func(fset *token.FileSet, call *ast.SelectorExpr) {
				if slices.Contains(writes, call.Sel.Name) {
					t.Errorf("%s: os.%s: write files through internal/plumbing/disk", fset.Position(call.Pos()), call.Sel.Name)
				}
			})
		}
	}
}

// eachCallOf calls use for each name of a package that a file uses.
func eachCallOf(t *testing.T, file, pkg string, use func(*token.FileSet, *ast.SelectorExpr)) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == pkg {
				use(fset, s)
			}
		}
		return true
	})
}
