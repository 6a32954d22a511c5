package rawcall

import (
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

var update = flag.Bool("update", false, "write the findings of examples into their pages")

// head stands before each example.
const head = `package example

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/clientgo"
)

var _ runtime.Object

var _ = []any{eventrt.NewRecorder, broadcaster.New, clientgo.NewBroadcaster, klog.Background, fmt.Sprint, strings.Join, time.Now, errors.New, context.Background, metav1.Now, kubernetes.New, typedcorev1.New, maps.Clone[map[int]int], slices.Clone[[]int], sort.Ints}

type status interface{ Update(context.Context, *corev1.Pod) error }

type client interface{ Status() status }

type reconciler struct {
	recorder record.EventRecorder
	events   events.EventRecorder
	client   client
}

`

// imported are the types of what head imports, read once.
var imported = sync.OnceValues(func() (map[string]*types.Package, error) {
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile},
		"context", "errors", "fmt", "maps", "slices", "sort", "strings", "time", "k8s.io/api/core/v1", "k8s.io/apimachinery/pkg/apis/meta/v1", "k8s.io/apimachinery/pkg/runtime",
		"k8s.io/client-go/tools/events", "k8s.io/client-go/tools/record", "k8s.io/client-go/kubernetes", "k8s.io/klog/v2",
		"k8s.io/client-go/kubernetes/typed/core/v1", "github.com/event-gen/event-gen/runtime",
		"github.com/event-gen/event-gen/runtime/broadcaster", "github.com/event-gen/event-gen/runtime/clientgo")
	byPath := map[string]*types.Package{}
	for _, l := range loaded {
		byPath[l.PkgPath] = l.Types
	}
	return byPath, err
})

type importer map[string]*types.Package

func (i importer) Import(path string) (*types.Package, error) {
	if p := i[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("the examples do not import %s", path)
}

// read type-checks an example, with further files of its package.
func read(t *testing.T, text string, more ...string) *scan.Program {
	t.Helper()
	byPath, err := imported()
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "example.go", head+text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	files := []*ast.File{file}
	for _, other := range more {
		f, err := parser.ParseFile(fset, "more.go", other, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{},
		Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: importer(byPath), GoVersion: "go1.26"}
	pkg, err := conf.Check("example.com/internal/example", fset, files, info)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	p := &scan.Package{Path: pkg.Path(), Name: pkg.Name(), Syntax: files, Types: pkg, Info: info}
	return &scan.Program{Fset: fset, Packages: []*scan.Package{p}}
}

// findings judges an example.
func findings(program *scan.Program, change func(*Input)) []Finding {
	result := scan.Scan(context.Background(), program)
	in := Input{
		Fset: program.Fset, Sites: result.Sites, Typed: result.Typed, Formats: result.Formats, Left: result.Left, Packages: program.Packages, Whole: true,
		Where: func(pos token.Pos) string { return where(program, pos) }, Controllers: result.Controllers,
	}
	if change != nil {
		change(&in)
	}
	return Check(in)
}

// where returns a position in an example, without the lines of head.
func where(program *scan.Program, pos token.Pos) string {
	at := program.Fset.Position(pos)
	return fmt.Sprintf("%d:%d", at.Line-strings.Count(head, "\n"), at.Column)
}

// judge returns the findings in an example of Go, with positions in it.
func judge(t *testing.T, text string, change func(*Input)) []string {
	t.Helper()
	return judged(read(t, text), change)
}

func judged(program *scan.Program, change func(*Input)) []string {
	var out []string
	for _, f := range findings(program, change) {
		out = append(out, fmt.Sprintf("%s: %s [%s]", where(program, f.Pos), f.Message, f.Rule.ID))
	}
	return out
}

// others are judged elsewhere: by the analyzer, and by package rights, each with
// its page.
var others = []string{"EV501", "EV503", "EV504", "EV524", "EV525", "EV526"}

// Each bad example has the findings that its page shows, and each good one has none of any rule.
func TestExamples(t *testing.T) {
	for _, rule := range callrules.Rules() {
		page, ok := callrules.PageOf(rule.ID)
		if !ok || page.Why == "" || page.Bad == "" || page.Good == "" || page.Findings == "" {
			t.Errorf("%s has no page", rule.ID)
			continue
		}
		if strings.Contains(strings.Join(others, " "), rule.ID) {
			continue
		}
		whole := func(in *Input) { in.Complete, in.Packages[0].Main = true, true }
		got := strings.Join(judge(t, page.Bad, whole), "\n")
		if *update {
			writeFindings(t, rule.ID, got+"\n")
			continue
		}
		if diff := cmp.Diff(page.Findings, got); diff != "" {
			t.Errorf("%s: the bad example (-want +got):\n%s", rule.ID, diff)
		}
		if got := judge(t, page.Good, whole); len(got) > 0 {
			t.Errorf("%s: the good example: %s", rule.ID, got)
		}
	}
}

func writeFindings(t *testing.T, id, findings string) {
	file := filepath.Join("..", "..", "plumbing", "callrules", "pages", id+".txtar")
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range archive.Files {
		if archive.Files[i].Name == "findings" {
			archive.Files[i].Data = []byte(findings)
		}
	}
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
