package scan

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
)

// spellingHead stands before each spelling.
const spellingHead = `package spelling

import (
	"encoding/json"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

var _ = []any{json.Marshal, flag.Parse, fmt.Sprint, strconv.Itoa, strings.Title, cases.Title, language.Und}

const scaled = "scaled"

var (
	pod      *corev1.Pod
	recorder record.EventRecorder
	unknown  interface {
		Text() string
		Number() int
		Names() []string
		OK() bool
	}
)

func change(s *string) { *s = "changed" }

func event(reason string) { recorder.Event(pod, "Normal", reason, "x") }

`

// spellingImports are the types of what spellingHead imports, read once.
var spellingImports = sync.OnceValues(func() (map[string]*types.Package, error) {
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile},
		"encoding/json", "flag", "fmt", "strconv", "strings", "golang.org/x/text/cases", "golang.org/x/text/language",
		"k8s.io/api/core/v1", "k8s.io/client-go/tools/record")
	byPath := map[string]*types.Package{}
	for _, l := range loaded {
		byPath[l.PkgPath] = l.Types
	}
	return byPath, err
})

type mapImporter map[string]*types.Package

func (i mapImporter) Import(path string) (*types.Package, error) {
	if p := i[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("spellings do not import %s", path)
}

// reasonsOf returns the reasons in a program of one file, without reasons that callers decide: each
// as Value.String shows it, in the order of the text.
func reasonsOf(t *testing.T, text string) string {
	t.Helper()
	byPath, err := spellingImports()
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "spelling.go", spellingHead+text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	pkg := &Package{Path: "example.com/spelling", Name: "spelling", Syntax: []*ast.File{file}, Info: NewInfo()}
	conf := types.Config{Importer: mapImporter(byPath), GoVersion: "go1.26"}
	if pkg.Types, err = conf.Check(pkg.Path, fset, pkg.Syntax, pkg.Info); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var reasons []string
	for _, s := range Scan(context.Background(), &Program{Fset: fset, Packages: []*Package{pkg}}).Sites {
		if s.Scope != InWrapper {
			reasons = append(reasons, s.Reason.String())
		}
	}
	return strings.Join(reasons, " ")
}

// spelling is code that records, and the reason that scan should see.
type spelling struct{ code, reason string }

// statement returns a spelling whose code is the body of a function.
func statement(code, reason string) spelling {
	const head = "func f() {\n\ttext, n, names, ok := unknown.Text(), unknown.Number(), unknown.Names(), unknown.OK()\n\t_, _, _, _ = text, n, names, ok\n\t"
	return spelling{head + code + "\n}\n", reason}
}

func checkSpellings(t *testing.T, all []spelling) {
	t.Helper()
	for _, s := range all {
		if got := reasonsOf(t, s.code); got != s.reason {
			t.Errorf("got %q, want %q:\n%s", got, s.reason, s.code)
		}
	}
}
