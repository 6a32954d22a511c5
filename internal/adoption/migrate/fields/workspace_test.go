package fields

import (
	"bytes"
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
)

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

// workspace is a module with catalogs for pods and nodes.
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

// environment gives the module this project's requirements, and the run time.
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

// runs returns the output of the programs.
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
