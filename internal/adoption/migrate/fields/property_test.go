package fields

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/adoption/migrate"
	"github.com/event-gen/event-gen/internal/adoption/migrate/check"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/output/emit"
	"github.com/event-gen/event-gen/internal/plumbing/seed"
)

var programs = flag.Int("fields.programs", 28, "the number of random programs")

const podsCatalog = `apiVersion: event-gen.github.io/v1alpha1
kind: EventCatalog
spec:
  go: {package: podsevents}
  objects: {Pod: v1}
  defaults: {regarding: Pod}
  events:
  - {reason: Scaled, message: "Scaled to {n}", params: [n int]}
  - {reason: Failed, type: Warning, message: "Failed"}
`

const nodesCatalog = `apiVersion: event-gen.github.io/v1alpha1
kind: EventCatalog
spec:
  go: {package: nodesevents}
  objects: {Pod: v1}
  defaults: {regarding: Pod}
  events:
  - {reason: Drained, message: "Drained"}
`

// TestRandomPrograms rewrites random programs. It compares which recorders move with what the programs' model says, compiles the programs
// and their tests, and compares what they print. A second run must change nothing. One module has all programs: they are compiled and
// linked once before, and once after.
func TestRandomPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles programs with client-go")
	}
	drawn := seed.Or(t, 1)
	forms := map[string]int{}
	var all []*random
	vocabulary := drawable(readForms(t))
	for id := range *programs {
		all = append(all, newRandom(t, drawn, id, forms, vocabulary))
	}
	w := newWorkspace(t)
	w.add(all)
	before := w.runs()

	first, second := w.migrate()
	w.compare(all, second)
	w.write(first)
	w.exec("go", "vet", "./...")
	if after := w.runs(); after != before {
		t.Errorf("the programs print\n%s\nand before\n%s", after, before)
	}

	first, second = w.migrate()
	for _, f := range first.Files {
		t.Errorf("a second run changes %s", f.Path)
	}
	for path := range second.Files {
		t.Errorf("a second run moves recorders of %s", path)
	}
	wanted := []string{"struct", "nil", "local", "two", "function", "results", "across", "copy", "insider", "catalogs", "vocabulary"}
	for _, use := range badUses {
		wanted = append(wanted, use.form)
	}
	for _, form := range wanted {
		if forms[form] == 0 && *programs >= 28 {
			t.Errorf("no program has the form %s", form)
		}
	}
}

// workspace is a module of random programs.
type workspace struct {
	t         *testing.T
	dir       string
	set       *model.Set
	generated map[string][]byte
}

func newWorkspace(t *testing.T) *workspace {
	w := &workspace{t: t, dir: t.TempDir(), generated: map[string][]byte{}}
	w.environment()
	w.put("pods.yaml", podsCatalog)
	w.put("nodes.yaml", nodesCatalog)
	w.model()
	return w
}

// add writes programs, and the test that runs them.
func (w *workspace) add(all []*random) {
	imports, calls, functions := "", "", ""
	for _, r := range all {
		w.put(fmt.Sprintf("lib%d/lib.go", r.id), r.lib.String()+r.libEnd)
		w.put(fmt.Sprintf("lib%d/lib_test.go", r.id), r.inside.String())
		w.put(fmt.Sprintf("use%d/use.go", r.id), r.use.String()+r.useEnd)
		for name, text := range r.files {
			w.put(name, text)
		}
		functions += r.run.String()
		for _, p := range []string{"lib", "use"} {
			if strings.Contains(r.run.String(), fmt.Sprintf("%s%d.", p, r.id)) {
				imports += fmt.Sprintf("\t\"example.com/random/%s%d\"\n", p, r.id)
			}
		}
	}
	for _, f := range regexp.MustCompile(`(?m)^func (\w+)`).FindAllStringSubmatch(functions, -1) {
		calls += fmt.Sprintf("\t%s(pod)\n", f[1])
	}
	w.put("run/run_test.go", fmt.Sprintf(`package run

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"

%s)

func TestAll(t *testing.T) {
	pod := &corev1.Pod{}
	pod.Name = "pod"
%s}

%s
var _ = record.NewFakeRecorder

var _ = fmt.Println
`, imports, calls, functions))
}

// environment makes the module one that has this project's requirements, and the run time.
func (w *workspace) environment() {
	root, err := filepath.Abs("../../../..")
	if err != nil {
		w.t.Fatal(err)
	}
	gomod := string(w.read(filepath.Join(root, "go.mod")))
	gomod = regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(gomod, "module example.com/random")
	gomod = regexp.MustCompile(`(?m)^.*event-gen/runtime .*\n`).ReplaceAllString(gomod, "")
	w.put("go.mod", gomod+"\nrequire github.com/event-gen/event-gen/runtime v0.1.0\n\nreplace github.com/event-gen/event-gen/runtime => "+root+"/runtime\n")
	w.put("go.sum", string(w.read(filepath.Join(root, "go.sum")))+string(w.read(filepath.Join(root, "runtime/go.sum"))))
	w.t.Setenv("GOWORK", "off")
	w.t.Setenv("GOPROXY", "off")
	w.t.Setenv("GOFLAGS", strings.TrimSpace(w.exec("go", "env", "GOFLAGS"))+" -mod=mod")
}

func (w *workspace) read(file string) []byte {
	w.t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		w.t.Fatal(err)
	}
	return text
}

func (w *workspace) put(name, text string) {
	w.t.Helper()
	at := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *workspace) exec(name string, args ...string) string {
	w.t.Helper()
	c := exec.Command(name, args...)
	c.Dir = w.dir
	out, err := c.CombinedOutput()
	if err != nil {
		w.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// runs is what the programs print.
func (w *workspace) runs() string {
	out := w.exec("go", "test", "-count=1", "-v", "./run")
	if strings.Count(out, "Scaled to") == 0 {
		w.t.Fatalf("the programs record nothing:\n%s", out)
	}
	return regexp.MustCompile(`(?m)^(ok|--- ).*$`).ReplaceAllString(out, "")
}

// model reads the catalogs, and generates their packages.
func (w *workspace) model() {
	var files []string
	for _, name := range []string{"pods.yaml", "nodes.yaml"} {
		files = append(files, filepath.Join(w.dir, name))
	}
	catalogs, findings := catalog.Read(files[0], bytes.NewReader(w.read(files[0])))
	more, found := catalog.Read(files[1], bytes.NewReader(w.read(files[1])))
	set, wrong := model.Build(w.t.Context(), append(catalogs, more...), model.Options{Dir: w.dir})
	if findings = slices.Concat(findings, found, wrong); findings.HasErrors() {
		w.t.Fatal(findings)
	}
	w.set = set
	for _, p := range set.Packages {
		var b bytes.Buffer
		if err := emit.Go(&b, p); err != nil {
			w.t.Fatal(err)
		}
		w.generated[p.Output] = b.Bytes()
	}
}

// migrate decides both stages, with the packages read once for each set of build tags.
func (w *workspace) migrate(tags ...[]string) (*migrate.Plan, *Plan) {
	w.t.Helper()
	checks := migrate.Check{Generated: w.generated}
	var results []*scan.Result
	for _, set := range append([][]string{nil}, tags...) {
		loaded, err := scan.Read(w.t.Context(), scan.Options{Dir: w.dir, Tests: true, Tags: set})
		if err != nil {
			w.t.Fatal(err)
		}
		program, err := loaded.Program(w.t.Context(), false)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, problem := range program.Problems {
			w.t.Errorf("%s", problem)
		}
		results = append(results, scan.Scan(w.t.Context(), program))
		checks.Loads = append(checks.Loads, check.New(loaded))
	}
	first, err := migrate.New(results, w.set, migrate.Options{Dir: w.dir})
	if err != nil {
		w.t.Fatal(err)
	}
	second, err := New(w.t.Context(), first, checks, Options{Dir: w.dir, Set: w.set})
	if err != nil {
		w.t.Fatal(err)
	}
	for path, text := range second.Files {
		if err := first.Replace(path, text); err != nil {
			w.t.Fatal(err)
		}
	}
	if err := first.Verify(w.t.Context(), checks); err != nil {
		w.t.Errorf("%v", err)
	}
	return first, second
}

// compare compares what moves with what the model says.
func (w *workspace) compare(all []*random, second *Plan) {
	var moved, left, wantMoved, wantLeft []string
	for _, p := range second.Moved {
		moved = append(moved, p.Name)
	}
	causes := map[string]string{}
	for _, p := range second.Left {
		left = append(left, p.Name)
		causes[p.Name] = p.Why
		if p.Why == "" || p.Use.Filename == "" {
			w.t.Errorf("%s is left without a cause", p.Name)
		}
	}
	for _, r := range all {
		m, l := expect(r.places)
		wantMoved, wantLeft = slices.Concat(wantMoved, m, r.moves), slices.Concat(wantLeft, l, r.left)
	}
	w.t.Logf("%d recorders move, %d are left", len(moved), len(left))
	for what, lists := range map[string][2][]string{"moves": {moved, wantMoved}, "is left": {left, wantLeft}} {
		got, want := count(lists[0]), count(lists[1])
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if got[name] != want[name] {
				w.t.Errorf("%s %s %d times, want %d; cause: %s", name, what, got[name], want[name], causes[name])
			}
		}
		for _, name := range slices.Sorted(maps.Keys(got)) {
			if want[name] == 0 {
				w.t.Errorf("%s %s, which was not expected: %s", name, what, causes[name])
			}
		}
	}
}

func count(names []string) map[string]int {
	out := map[string]int{}
	for _, n := range names {
		out[n]++
	}
	return out
}

// write writes what both stages change, and the generated packages.
func (w *workspace) write(first *migrate.Plan) {
	texts := maps.Clone(w.generated)
	for _, f := range first.Files {
		texts[f.Path] = f.New
	}
	for path, text := range texts {
		rel, err := filepath.Rel(w.dir, path)
		if err != nil {
			w.t.Fatal(err)
		}
		w.put(rel, string(text))
	}
}
