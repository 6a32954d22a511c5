package docs

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const (
	modulePath  = "github.com/event-gen/event-gen"
	runtimePath = modulePath + "/runtime"
)

var released = flag.String("proxy", "", "a folder that is a module proxy, to take the two modules from instead of the work tree")

// proxyOf is a module proxy with both modules.
func proxyOf(t *testing.T, version string) string {
	t.Helper()
	if *released != "" {
		return *released
	}
	proxy := t.TempDir()
	serve(t, proxy, module.Version{Path: modulePath, Version: version}, ".")
	serve(t, proxy, module.Version{Path: runtimePath, Version: version}, "runtime")
	return proxy
}

// TestTutorial runs the tutorial of docs/tutorial.md as it stands, in a folder of its own: it
// writes the files, runs the commands in order in one shell, and compares what they print with the
// page. The two modules come from the work tree or -proxy, dependencies from the module cache;
// downloads of the user go to a cache that ends with the test. Then the user tidies, vendors and
// takes the tool directive.
func TestTutorial(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles Kubernetes' libraries for a module of its own")
	}
	page := read(t, "docs/tutorial.md")
	tutorial := section(t, page, "In a module of your own")
	version := versionIn(t, tutorial)
	shell := shell{dir: t.TempDir(), env: userEnvironment(t, proxyOf(t, version))}
	steps, _ := blocks(tutorial)
	for _, b := range steps {
		file := namedFile.FindStringSubmatch(b.lead)
		switch {
		case b.lang == "console":
			shell.console(t, b)
		case file != nil && b.lang == "diff":
			shell.change(t, file[1], b)
		case file != nil:
			shell.write(t, file[1], b)
		default:
			t.Fatalf("line %d of the tutorial: a block that is neither console nor a file, which the text before it names at its end", b.line)
		}
	}
	checkRequirements(t, filepath.Join(shell.dir, "go.mod"))
	for name, goesOn := range map[string]func(*testing.T){
		"tidy":   func(t *testing.T) { tidies(t, shell) },
		"vendor": func(t *testing.T) { vendors(t, shell) },
		"tool":   func(t *testing.T) { takesTool(t, shell, version) },
		"gains":  func(t *testing.T) { gains(t, shell.env, version) },
		"clone":  func(t *testing.T) { takesClone(t, shell, page, version) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			goesOn(t)
		})
	}
}

// namedFile is a line that introduces the text of a file: "… in `main.go`:".
var namedFile = regexp.MustCompile("`([\\w./-]+)`:$")

// versionIn is the one version of the module that a text names.
func versionIn(t *testing.T, text string) string {
	t.Helper()
	version := ""
	for _, match := range regexp.MustCompile(regexp.QuoteMeta(modulePath)+`[\w/-]*(?:@| )(v[\w.-]+)`).FindAllStringSubmatch(text, -1) {
		if version != "" && match[1] != version {
			t.Fatalf("both %s and %s", version, match[1])
		}
		version = match[1]
	}
	if version == "" {
		t.Fatal("no version")
	}
	return version
}

// userEnvironment is that of somebody who has neither the module nor its dependencies yet.
func userEnvironment(t *testing.T, proxy string) []string {
	t.Helper()
	// a no-op, but for go.mod files that only other modules' graphs need
	download := exec.Command("go", "mod", "download")
	download.Dir = root
	if out, err := download.CombinedOutput(); err != nil {
		t.Fatalf("go mod download: %v\n%s", err, out)
	}
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	dependencies := filepath.Join(strings.TrimSpace(string(cache)), "cache", "download")
	return append(os.Environ(),
		"GOPROXY="+fileURL(proxy)+","+fileURL(dependencies),
		"GOMODCACHE="+t.TempDir(),
		// removable; built once for all folders that the cache may be in; and without what only
		// debuggers read
		"GOFLAGS=-modcacherw -trimpath -gcflags=all=-dwarf=false",
		"GOSUMDB=off", "GOPRIVATE=", "GONOPROXY=none", "GOWORK=off",
	)
}

func fileURL(path string) string { return "file://" + filepath.ToSlash(path) }

// serve puts a module of the work tree into a folder that is a module proxy.
func serve(t *testing.T, dir string, version module.Version, folder string) {
	t.Helper()
	dir = filepath.Join(dir, filepath.FromSlash(version.Path), "@v")
	put(t, filepath.Join(dir, "list"), version.Version+"\n")
	put(t, filepath.Join(dir, version.Version+".info"), fmt.Sprintf("{%q: %q}", "Version", version.Version))
	put(t, filepath.Join(dir, version.Version+".mod"), read(t, filepath.Join(folder, "go.mod")))
	var tree []zip.File
	for _, path := range files(t) {
		if within, err := filepath.Rel(folder, filepath.FromSlash(path)); err == nil && filepath.IsLocal(within) {
			tree = append(tree, treeFile{folder, filepath.ToSlash(within)})
		}
	}
	archive, err := os.Create(filepath.Join(dir, version.Version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	if err := zip.Create(archive, version, tree); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// treeFile is a file of a module of the work tree. Package zip leaves out those of nested modules.
type treeFile struct{ folder, path string }

func (f treeFile) Path() string { return f.path }
func (f treeFile) Lstat() (os.FileInfo, error) {
	return os.Lstat(filepath.Join(root, f.folder, f.path))
}
func (f treeFile) Open() (io.ReadCloser, error) {
	return os.Open(filepath.Join(root, f.folder, f.path))
}

// shell runs commands as one session: where one leaves the folder, the next one begins.
type shell struct {
	dir string
	env []string
}

func (s *shell) write(t *testing.T, name string, b block) {
	t.Helper()
	put(t, filepath.Join(s.dir, name), b.text)
}

// change replaces a line: the block holds the old one after a minus, the new one after a plus.
func (s *shell) change(t *testing.T, name string, b block) {
	t.Helper()
	path := filepath.Join(s.dir, name)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.text, "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "-") || !strings.HasPrefix(lines[1], "+") {
		t.Fatalf("line %d of the tutorial: expected one line with a minus and one with a plus", b.line)
	}
	before, after := lines[0][1:]+"\n", lines[1][1:]+"\n"
	if n := strings.Count(string(data), before); n != 1 {
		t.Fatalf("line %d of the tutorial: %s holds %q %d times", b.line, name, before, n)
	}
	put(t, path, strings.Replace(string(data), before, after, 1))
}

// console runs the commands of a block and compares what they print.
func (s *shell) console(t *testing.T, b block) {
	t.Helper()
	for command := range strings.SplitSeq("\n"+b.text, "\n$ ") {
		command, want, _ := strings.Cut(command, "\n")
		if command == "" {
			continue
		}
		if got := s.run(t, command); !shown(want, got) {
			t.Fatalf("$ %s (-shown +printed):\n%s", command, cmp.Diff(want, got))
		}
	}
}

// run gives what a command prints, failed or not, without the lines about downloads, which depend
// on what is in the cache. The session goes on in the folder where the command has ended.
func (s *shell) run(t *testing.T, command string) string {
	t.Helper()
	where := filepath.Join(t.TempDir(), "where")
	cmd := exec.CommandContext(t.Context(), "sh", "-c", command+"\n"+`pwd >"$0"`, where)
	cmd.Dir, cmd.Env = s.dir, s.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("$ %s: %v\n%s", command, err, out)
	}
	dir, err := os.ReadFile(where)
	if err != nil {
		t.Fatalf("$ %s: %v\n%s", command, err, out)
	}
	s.dir = strings.TrimSpace(string(dir))
	return regexp.MustCompile(`(?m)^go: downloading .*\n`).ReplaceAllString(string(out), "")
}

// shown reports whether a page shows what was printed. A line "…" stands for any lines, and a "…"
// in a line for any text.
func shown(page, printed string) bool {
	pattern := regexp.QuoteMeta("\n" + strings.TrimSpace(page))
	pattern = strings.ReplaceAll(pattern, "\n…", `(?:\n.*)*`)
	pattern = strings.ReplaceAll(pattern, "…", `.*`)
	return regexp.MustCompile(`^` + pattern + `$`).MatchString("\n" + strings.TrimSpace(printed))
}

// What the generator is made of does not come into the user's module, nor do clients that nobody
// asked for.
func checkRequirements(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.Parse(path, data, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(mod.Require) == 0 {
		t.Error("no requirements")
	}
	for _, r := range mod.Require {
		for _, unwanted := range []string{
			"github.com/dave/jennifer", "github.com/spf13/", "k8s.io/gengo", "golang.org/x/tools", "golang.org/x/mod", "go.yaml.in/yaml/v3",
			"sigs.k8s.io/yaml", "k8s.io/client-go", "github.com/rogpeppe/", "github.com/google/go-cmp", "pgregory.net/rapid", "go.uber.org/goleak",
		} {
			if strings.HasPrefix(r.Mod.Path, unwanted) {
				t.Errorf("the user's go.mod requires %s", r.Mod)
			}
		}
	}
}
