package program

import (
	"context"
	"flag"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/event-gen/event-gen/internal/adoption/facts"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// module unpacks the test module: with this module's client-go, and stand-ins for
// controller-runtime and for event-gen.
func module(t *testing.T) (dir, want string) {
	t.Helper()
	dir = t.TempDir()
	archive, err := txtar.ParseFile("testdata/module.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		if f.Name == "want" {
			want = string(f.Data)
			continue
		}
		write(t, filepath.Join(dir, f.Name), f.Data)
	}
	gomod, err := os.ReadFile("../../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("../../../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(?m)^.*event-gen.*\n`).ReplaceAllString(string(gomod), "")
	text = "module example.com/m\n" + text + `
require sigs.k8s.io/controller-runtime v0.0.0
require github.com/event-gen/event-gen v0.0.0
require example.com/wrapping v0.0.0
replace example.com/wrapping => ./wrapping
replace sigs.k8s.io/controller-runtime => ./controller-runtime
replace github.com/event-gen/event-gen => ./event-gen
`
	write(t, filepath.Join(dir, "go.mod"), []byte(text))
	write(t, filepath.Join(dir, "go.sum"), sum)
	t.Setenv("GOWORK", "off")
	// with other flags than the tests', client-go would be compiled again
	t.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -mod=mod")
	return dir, want
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func load(t *testing.T, o scan.Options) *scan.Program {
	t.Helper()
	l, err := scan.Read(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.Program(t.Context(), o.Tests)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A program needs rights for the groups of all constructors that it can reach, and for no other
// constructor's.
func TestPrograms(t *testing.T) {
	dir, want := module(t)
	p := load(t, scan.Options{Dir: dir})
	for _, problem := range p.Problems {
		t.Error(problem)
	}
	if got := describe(p, dir); *update {
		writeWant(t, got)
	} else if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

var update = flag.Bool("update", false, "write what is found into testdata")

func writeWant(t *testing.T, got string) {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/module.txtar")
	if err != nil {
		t.Fatal(err)
	}
	archive.Files[len(archive.Files)-1].Data = []byte(got)
	write(t, "testdata/module.txtar", txtar.Format(archive))
}

// TestAllConstructorsAreKnown looks at every exported function and method with which client-go,
// controller-runtime and the run time make a recorder, a broadcaster or a sink. Each is in a table,
// or makes it from one of its arguments. Every name in the table exists.
func TestAllConstructorsAreKnown(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads controller-runtime")
	}
	t.Setenv("GOWORK", "off")
	loaded, err := packages.Load(&packages.Config{
		Dir: "../../../../examples/operator", Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedExportFile,
	}, slices.Concat(makers, []string{facts.RunTime, facts.RunTime + "/broadcaster", facts.RunTime + "/sink", facts.InternalEvents, facts.ControllerRuntime + "/pkg/leaderelection"})...)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	check := func(fn *types.Func) {
		found[scan.ObjectName(fn)] = true
		if fn.Exported() && isUnknownMaker(fn) {
			t.Errorf("%s makes a recorder, and is in no table", fn.FullName())
		}
	}
	for _, l := range loaded {
		if len(l.Errors) > 0 {
			t.Fatal(l.Errors)
		}
		for _, name := range l.Types.Scope().Names() {
			switch obj := l.Types.Scope().Lookup(name).(type) {
			case *types.Func:
				check(obj)
			case *types.TypeName:
				if !obj.Exported() {
					continue
				}
				found[scan.ObjectName(obj)] = true
				for m := range types.NewMethodSet(types.NewPointer(obj.Type())).Methods() {
					check(m.Obj().(*types.Func))
				}
				for m := range types.NewMethodSet(obj.Type()).Methods() { // of interfaces
					check(m.Obj().(*types.Func))
				}
			}
		}
	}
	for name := range facts.Constructors {
		if !found[name] {
			t.Errorf("no function is called %s", name)
		}
	}
	for name := range facts.Types {
		if !found[name] && !strings.HasSuffix(name, ".AnnotatedEventRecorder") { // a newer one
			t.Errorf("no type is called %s", name)
		}
	}
	for name, ours := range facts.ManagerMakers {
		if ours && !found[name] {
			t.Errorf("no function is called %s", name)
		}
	}
}

func describe(p *scan.Program, dir string) string {
	var out strings.Builder
	for _, program := range Of(p, scan.Scan(context.Background(), p), func(pos token.Pos) diag.Pos {
		at := p.Fset.Position(pos)
		rel, _ := filepath.Rel(dir, at.Filename)
		return diag.Pos{File: rel, Line: at.Line, Column: at.Column}
	}) {
		fmt.Fprintf(&out, "%s %v\n", program.Name, program.Uses)
		if program.ClusterNamespace {
			fmt.Fprintf(&out, "  with ClusterNamespace\n")
		}
		for _, n := range program.Needs {
			fmt.Fprintf(&out, "  %s: %s group=%q fallback=%t local=%t unless=%q\n", n.Pos, n.What, n.Group, n.Fallback, n.Local, n.Unless)
		}
		for _, c := range program.Cluster {
			fmt.Fprintf(&out, "  cluster: %s %s %q\n", c.Pos, c.Kind, c.Groups)
		}
		for _, text := range program.Unread {
			fmt.Fprintf(&out, "  unread: %s\n", text)
		}
	}
	return out.String()
}

// Without a main package, all code that can be called counts.
func TestLibrary(t *testing.T) {
	dir, _ := module(t)
	p := load(t, scan.Options{Dir: dir, Patterns: []string{"./shared"}})
	got := describe(p, dir)
	if !strings.HasPrefix(got, "this module ") || !strings.Contains(got, "events.NewBroadcaster") || !strings.Contains(got, "record.NewBroadcaster") {
		t.Error(got)
	}
}

// TestUnreadIsFirst checks that the package to name does not depend on the order of a map.
func TestUnreadIsFirst(t *testing.T) {
	importing := &scan.Package{Path: "m", Module: "m", Imports: map[string]*packages.Package{}}
	for _, path := range []string{"m/i", "m/c", "m/h", "m/b", "m/g", "m/d", "m/a", "m/f", "m/e", "m/read", "elsewhere"} {
		module, _, _ := strings.Cut(path, "/")
		importing.Imports[path] = &packages.Package{ID: path, PkgPath: path, Module: &packages.Module{Path: module}}
	}
	p := &scan.Program{Packages: []*scan.Package{importing, {Path: "m/read", Module: "m"}}}
	for range 20 {
		if got := Unread(p); got != "m/a" {
			t.Fatalf("Unread = %q, want m/a", got)
		}
	}
	p.Packages = p.Packages[1:]
	if got := Unread(p); got != "" {
		t.Errorf("Unread = %q of a program whose packages were all read", got)
	}
}
