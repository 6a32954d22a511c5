package analyzer_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/event-gen/event-gen/analyzer"
)

// module unpacks the test module: with this module's client-go, and a stand-in for the run time.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	archive, err := txtar.ParseFile("testdata/module.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		write(t, filepath.Join(dir, f.Name), f.Data)
	}
	gomod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	text := "module example.com/m\n" + regexp.MustCompile(`(?m)^.*event-gen.*\n`).ReplaceAllString(string(gomod), "") + `
require github.com/event-gen/event-gen/runtime v0.0.0
replace github.com/event-gen/event-gen/runtime => ./event-gen
`
	write(t, filepath.Join(dir, "go.mod"), []byte(text))
	write(t, filepath.Join(dir, "go.sum"), sum)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	return dir
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

// The comments of the test module say what is reported, and that nothing else is.
func TestAnalyzer(t *testing.T) {
	analysistest.Run(t, module(t), analyzer.Analyzer, "./...")
}

// Settings switch raw calls off, and what is strict on.
func TestSettings(t *testing.T) {
	dir := module(t)
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: dir, Tests: true}, "./direct", "./chain")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		settings   analyzer.Settings
		want, lack string
	}{
		{analyzer.Settings{}, "[EV501]", "b\" is"},
		{analyzer.Settings{NoRaw: true}, "[EV516]", "[EV501]"},
		{analyzer.Settings{Strict: true, Config: filepath.Join(dir, "strict.yaml")}, "[EV511]", "no such text"},
		{analyzer.Settings{Tests: true}, "not \"a\"", "no such text"},
	} {
		graph, err := checker.Analyze([]*analysis.Analyzer{analyzer.New(c.settings)}, loaded, nil)
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for _, root := range graph.Roots {
			if root.Err != nil {
				t.Error(root.Err)
			}
			for _, d := range root.Diagnostics {
				all.WriteString(d.Message + "\n")
			}
		}
		if !strings.Contains(all.String(), c.want) || strings.Contains(all.String(), c.lack) {
			t.Errorf("%+v: %s", c.settings, &all)
		}
	}
}

// A package is judged although one that it imports does not compile.
func TestDespiteErrors(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "wrong", "wrong.go"), []byte("package wrong\n\nimport _ \"example.com/missing\"\n\nvar X int = \"x\"\n"))
	write(t, filepath.Join(dir, "user", "user.go"), []byte(`package user

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"

	"example.com/m/wrong"
)

func use(r record.EventRecorder, obj runtime.Object) {
	_ = wrong.X
	r.Event(obj, "Normal", "Used", "used")
}
`))
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: dir}, "./user")
	if err != nil {
		t.Fatal(err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{analyzer.Analyzer}, loaded, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, root := range graph.Roots {
		if root.Err != nil || len(root.Diagnostics) != 1 || !strings.Contains(root.Diagnostics[0].Message, "raw call of Event") {
			t.Errorf("%v: %v", root.Err, root.Diagnostics)
		}
	}
}

// As a vet tool, the command reports what it reports by itself: facts go through files there.
func TestVetTool(t *testing.T) {
	dir := module(t)
	tool := filepath.Join(t.TempDir(), "event-gen-vet")
	build := exec.Command("go", "build", "-o", tool, "../cmd/event-gen-vet")
	build.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	vet := exec.Command("go", "vet", "-vettool="+tool, "./...")
	vet.Dir = dir
	byVet, _ := vet.CombinedOutput()
	got, want := messages(dir, byVet), wanted(t, dir)
	if !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v\n%s", got, want, byVet)
	}
}

var comment = regexp.MustCompile(`// want [^\n]*$`)

// wanted are the lines of the test module for which its comments want a diagnostic.
func wanted(t *testing.T, dir string) (lines []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			if c := comment.FindString(line); c != "" && !strings.Contains(c, ":`") {
				rel, _ := filepath.Rel(dir, file)
				lines = append(lines, fmt.Sprintf("%s:%d", filepath.ToSlash(rel), i+1))
			}
		}
	}
	slices.Sort(lines)
	return lines
}

var place = regexp.MustCompile(`^(?:\./)?(\w+/\w+\.go:\d+):\d+: `)

// messages are the lines of code that an output reports something for, sorted.
func messages(dir string, out []byte) (found []string) {
	for line := range strings.Lines(string(out)) {
		line = strings.TrimPrefix(strings.TrimSpace(line), dir+string(filepath.Separator))
		if match := place.FindStringSubmatch(line); match != nil {
			found = append(found, match[1])
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// The analyzer is one that drivers take.
func TestValid(t *testing.T) {
	if err := analysis.Validate([]*analysis.Analyzer{analyzer.Analyzer}); err != nil {
		t.Error(err)
	}
}
