// Package ci runs what users take for their CI: the steps of the GitHub action, the pre-commit
// hooks and the targets of the Makefile, on a sample repository.
package ci

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/catalog/breaking"
)

const root = "../.."

// By default the command is built from the work tree, once.
var (
	bin     string
	given   = flag.String("bin", "", "the folder of the command")
	version = flag.String("version", "", "a version of the command, for the action to install")
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "ci")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	switch {
	case *given != "":
		bin = *given
	case *version != "":
		bin = install(dir)
	default:
		build := exec.Command("go", "build", "-o", filepath.Join(dir, "event-gen"), "./cmd/event-gen")
		build.Dir = root
		if out, err := build.CombinedOutput(); err != nil {
			panic(string(out))
		}
		bin = dir
	}
	return m.Run()
}

// install performs the action's first step, and returns the folder that it adds to the PATH.
func install(dir string) string {
	added := filepath.Join(dir, "path")
	step := exec.Command("bash", "-eo", "pipefail", "-c", readAction().Runs.Steps[0].Run)
	step.Dir = dir
	step.Env = append(os.Environ(), "VERSION="+*version, "GITHUB_PATH="+added, "GOPATH="+dir, "GOWORK=off")
	if out, err := step.CombinedOutput(); err != nil {
		panic(string(out))
	}
	path, err := os.ReadFile(added)
	if err != nil {
		panic("event-gen is on the PATH already, so the action installed nothing")
	}
	return strings.TrimSpace(string(path))
}

const (
	clean = `apiVersion: event-gen.github.io/v1alpha1
kind: EventCatalog
spec:
  go: {package: p}
  objects: {Pod: v1}
  defaults: {regarding: Pod}
  events:
  - {reason: Started, message: "Started", doc: "It runs."}
`
	broken = `apiVersion: event-gen.github.io/v1alpha1
kind: EventCatalog
spec:
  go: {package: p}
  objects: {Pod: v1}
  defaults: {regarding: Pod}
  events:
  - {reason: Started, type: Warning, message: "Started", doc: "It runs."}
  - {reason: Startd, message: "Started", doc: "It runs."}
`
)

// repository is a shallow clone of a repository whose branch main has the clean catalog.
func repository(t *testing.T, now string) string {
	t.Helper()
	dir := t.TempDir()
	origin, clone := filepath.Join(dir, "origin"), filepath.Join(dir, "clone")
	write(t, filepath.Join(origin, "catalog.yaml"), clean)
	write(t, filepath.Join(origin, "go.mod"), "module example.com/m\n")
	command(t, origin, "git init -q -b main && git add . && git commit -q -m one && git checkout -q -b change")
	write(t, filepath.Join(origin, "catalog.yaml"), now)
	command(t, origin, "git commit -q -a --allow-empty -m two")
	command(t, dir, "git clone -q --depth=1 --branch=change file://"+origin+" clone")
	return clone
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// environment has the command on the path, and nothing of the user's Git configuration.
func environment() []string {
	return append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Test", "GIT_AUTHOR_EMAIL=t@example.com", "GIT_COMMITTER_NAME=Test",
		"GIT_COMMITTER_EMAIL=t@example.com")
}

func command(t *testing.T, dir, script string) {
	t.Helper()
	if out, code := shell(t, dir, script, nil); code != 0 {
		t.Fatalf("%s: exit code %d\n%s", script, code, out)
	}
}

// shell runs a script as GitHub does.
func shell(t *testing.T, dir, script string, env []string) (out string, code int) {
	t.Helper()
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(environment(), env...)
	data, err := cmd.CombinedOutput()
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
		return string(data), ended.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return string(data), 0
}

type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Using string
		Steps []struct {
			Name, If, Shell, Run string
			Folder               string `yaml:"working-directory"`
			Env                  map[string]string
		}
	}
}

var expression = regexp.MustCompile(`\$\{\{ inputs\.([a-z-]+) \}\}`)

func readAction() (a action) {
	data, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		panic(err)
	}
	if err := yaml.Unmarshal(data, &a); err != nil {
		panic(err)
	}
	return a
}

// perform runs the action's steps with inputs, up to one that fails.
func perform(t *testing.T, dir string, with map[string]string) (out string, code int) {
	t.Helper()
	a := readAction()
	input := func(name string) string {
		declared, known := a.Inputs[name]
		if !known {
			t.Fatalf("the action has no input %s", name)
		}
		if given, ok := with[name]; ok {
			return given
		}
		return declared.Default
	}
	for _, step := range a.Runs.Steps {
		if step.If != "" && input(strings.TrimSuffix(strings.TrimPrefix(step.If, "inputs."), " != ''")) == "" {
			continue
		}
		if step.Shell != "bash" || strings.Contains(step.Run, "${{") {
			t.Errorf("step %s: text of inputs must not become a script", step.Name)
		}
		expanded := func(text string) string {
			return expression.ReplaceAllStringFunc(text, func(s string) string { return input(expression.FindStringSubmatch(s)[1]) })
		}
		var env []string
		for key, value := range step.Env {
			env = append(env, key+"="+expanded(value))
		}
		said, code := shell(t, filepath.Join(dir, expanded(step.Folder)), step.Run, env)
		if out += said; code != 0 {
			return out, code
		}
	}
	return out, 0
}

func TestAction(t *testing.T) {
	for _, c := range []struct {
		name, now string
		with      map[string]string
		code      int
		want      string
	}{
		{"clean", clean, map[string]string{"against": "main"}, 0, ""},
		{"findings", broken, nil, 0, "::warning file=catalog.yaml,line=9,col=14,title=EV106 similar-reasons::reason Startd"},
		{"fail-on", broken, map[string]string{"fail-on": "warning"}, 1, "title=EV106"},
		{"breaking", broken, map[string]string{"against": "main"}, 1, "::error file=catalog.yaml,line=8,col=29,title=BW01 identity-changed::event Started"},
		{"category", broken, map[string]string{"against": "main", "category": "GO"}, 0, "title=EV106"},
		{"catalogs", broken, map[string]string{"catalogs": "catalog.yaml go.mod"}, 1, "go.mod"},
		{"unknown ref", clean, map[string]string{"against": "nowhere"}, 2, "nowhere"},
		{"hostile", clean, map[string]string{"catalogs": "$(touch pwned);`touch pwned`", "fail-on": "'; touch pwned; '"}, 2, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := repository(t, c.now)
			out, code := perform(t, dir, c.with)
			if code != c.code || !strings.Contains(out, c.want) {
				t.Errorf("exit code %d, want %d; %q is wanted in\n%s", code, c.code, c.want, out)
			}
			if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
				t.Error("an input was run as a script")
			}
		})
	}
}

func TestActionWritesSARIF(t *testing.T) {
	dir := repository(t, broken)
	if out, code := perform(t, dir, map[string]string{"sarif": "out.sarif", "fail-on": "warning"}); code != 1 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	report, err := sarif.Open(filepath.Join(dir, "out.sarif"))
	if err != nil {
		t.Fatal(err)
	}
	if err := report.Validate(); err != nil {
		t.Error(err)
	}
	if len(report.Runs) != 1 || len(report.Runs[0].Results) == 0 {
		t.Error("the findings are missing")
	}
}

// Every line of catalogs is read, one path a line, in the folder that is named; and nothing else
// is, though event-gen.yaml lists more. Annotations have the paths by which the repository knows
// the files.
func TestActionReadsWhatItSays(t *testing.T) {
	dir := repository(t, clean)
	write(t, filepath.Join(dir, "sub", "go.mod"), "module example.com/sub\n")
	write(t, filepath.Join(dir, "sub", "one.yaml"), broken)
	write(t, filepath.Join(dir, "sub", "two words.yaml"), strings.NewReplacer("package: p", "package: q", "Start", "Stopp").Replace(broken))
	write(t, filepath.Join(dir, "sub", "listed", "other.yaml"), "no catalog\n")
	write(t, filepath.Join(dir, "sub", "event-gen.yaml"), "apiVersion: event-gen.github.io/v1alpha1\nkind: Configuration\ncatalogs: [listed/other.yaml]\n")
	for name, tt := range map[string]struct {
		catalogs string
		want     []string
		absent   string
	}{
		"lines":           {"one.yaml\n\ntwo words.yaml\r\n", []string{"file=sub/one.yaml,line=9", "file=sub/two words.yaml,line=9"}, "other.yaml"},
		"one line":        {" one.yaml  listed/other.yaml ", []string{"file=sub/one.yaml,line=9", "sub/listed/other.yaml"}, "two words"},
		"nothing":         {"\n  \n", []string{"file=sub/listed/other.yaml"}, "one.yaml"},
		"no flag, a file": {"--rule=EV001", []string{"--rule=EV001: no such file or directory"}, "one.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			out, _ := perform(t, dir, map[string]string{"working-directory": "sub", "catalogs": tt.catalogs})
			for _, want := range tt.want {
				if !strings.Contains(out, want) {
					t.Errorf("%q is wanted in\n%s", want, out)
				}
			}
			if strings.Contains(out, tt.absent) {
				t.Errorf("%q is in\n%s", tt.absent, out)
			}
		})
	}
}

// A configuration that can't be read fails the job with 2, is an annotation, and is in the SARIF
// file as well.
func TestActionWithoutConfiguration(t *testing.T) {
	dir := repository(t, clean)
	write(t, filepath.Join(dir, "event-gen.yaml"), "apiVersion: event-gen.github.io/v1alpha1\nkind: Configuration\ncatalogues: []\n")
	const annotation = "::error file=event-gen.yaml,line=3,col=1,title=EV001 syntax::unknown key \"catalogues\""
	out, code := perform(t, dir, map[string]string{"sarif": "out.sarif"})
	if code != 2 || strings.Count(out, annotation) != 1 {
		t.Errorf("exit code %d, want 2; once %s is wanted in\n%s", code, annotation, out)
	}
	report, err := sarif.Open(filepath.Join(dir, "out.sarif"))
	if err != nil {
		t.Fatal(err)
	}
	if err := report.Validate(); err != nil {
		t.Error(err)
	}
	if run := report.Runs[0]; len(run.Invocations) != 1 || len(run.Invocations[0].ToolExecutionNotifications) != 1 {
		t.Errorf("it does not say why: %+v", run.Invocations)
	}
}

// Where SARIF can't be written, the job fails before anything is judged.
func TestActionWithoutPlaceForSARIF(t *testing.T) {
	dir := repository(t, clean)
	if out, code := perform(t, dir, map[string]string{"sarif": "nowhere/out.sarif"}); code == 0 || !strings.Contains(out, "nowhere/out.sarif") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

func TestPreCommitHooks(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct{ ID, Name, Language, Entry string }
	if err := yaml.Unmarshal(data, &hooks); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"event-gen-lint": 1, "event-gen-fix": 1, "event-gen-generate": 3}
	dir := repository(t, strings.Replace(broken, "type: Warning", "type: Bad", 1))
	for _, hook := range hooks {
		place := dir
		if hook.ID == "event-gen-generate" {
			place = repository(t, clean)
		}
		code, known := want[hook.ID]
		if out, got := shell(t, place, hook.Entry, nil); !known || got != code || hook.Language != "golang" || hook.Name == "" {
			t.Errorf("%s: exit code %d, want %d\n%s", hook.ID, got, code, out)
		}
		delete(want, hook.ID)
	}
	if len(want) > 0 {
		t.Errorf("missing hooks: %v", want)
	}
}

func TestMakefile(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "docs", "breaking.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), "```make\n")
	text, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("docs/breaking.md has no targets for make")
	}
	for now, want := range map[string]int{clean: 0, broken: 2} {
		dir := repository(t, now)
		write(t, filepath.Join(dir, "Makefile"), text)
		command(t, dir, "git fetch -q --unshallow origin main")
		if out, code := shell(t, dir, "make lint-events EVENT_GEN=event-gen AGAINST=FETCH_HEAD", nil); code != want {
			t.Errorf("exit code %d, want %d\n%s", code, want, out)
		}
	}
}

// The document has a row for each rule of compatibility.
func TestBreakingRulesAreDocumented(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "docs", "breaking.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range breaking.Rules() {
		row := regexp.MustCompile(`(?m)^\| ` + r.ID + ` \|.*\| ` + r.Severity.String() + ` \|$`)
		if !row.Match(data) {
			t.Errorf("docs/breaking.md has no row for %s, %s", r.ID, r.Severity)
		}
	}
}
