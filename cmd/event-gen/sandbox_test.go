package main

import (
	"crypto/sha256"
	"fmt"
	"go/build"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/seed"
)

// TestMutatedRepositories runs commands in a repository whose catalogs, event-gen.yaml, manifests,
// file names and links somebody has changed at random. Nothing outside of it changes, nor in .git;
// nothing hidden and no command to CI is printed; there is no bug; and what ends with 0 has read
// all that event-gen.yaml names. EVENT_GEN_MUTATIONS=3000 tries more.
func TestMutatedRepositories(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a minute")
	}
	n := 300
	if more, err := strconv.Atoi(os.Getenv("EVENT_GEN_MUTATIONS")); err == nil {
		n = more
	}
	s := seed.Of(t)
	texts := seedCatalogs(t)
	gomod, err := os.ReadFile("../../go.mod")
	sum, err2 := os.ReadFile("../../go.sum")
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for name, value := range map[string]string{"GOWORK": "off", "GOPROXY": "off", "GOFLAGS": "-mod=mod", "GIT_CONFIG_GLOBAL": os.DevNull} {
		t.Setenv(name, value)
	}
	for i := range n {
		m := &sandbox{Rand: rand.New(rand.NewPCG(s, uint64(i))), keys: keysOf(t, texts), T: t, top: t.TempDir()}
		m.fill(texts, runTimeLine.ReplaceAll(moduleLine.ReplaceAll(gomod, []byte("module example.com/m")), nil), sum)
		m.try(i)
		if t.Failed() {
			t.Fatalf("mutation %d of seed %d", i, s)
		}
	}
}

// sandbox is a folder with a repository, and with files beside it that nothing may change.
type sandbox struct {
	*rand.Rand
	*testing.T
	keys []*yaml.Node // of all catalogs
	top  string
}

func (m *sandbox) mutate(text []byte) []byte { return mutated(m.T, m.Rand, text, m.keys) }

func (m *sandbox) write(name string, text []byte) {
	path := filepath.Join(m.top, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		m.Fatal(err)
	}
}

const sandboxConfiguration = `apiVersion: event-gen.github.io/v1alpha1
kind: Configuration
catalogs: [%q]
docs: {into: %q}
generate: {headerFile: %q}
calls: {allow: [{path: legacy, reason: "old"}]}
`

const sandboxRole = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: x}
rules:
- {apiGroups: [""], resources: [events], verbs: [create, patch]}
`

const sandboxProgram = `package m

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

func Do(r record.EventRecorder, p *corev1.Pod) { r.Event(p, "Normal", "Done", "Done") }
`

// constraints choose the build that reads a file; the first is every one.
var constraints = []string{"", "enterprise", "!linux", "windows && (amd64 || pro)", "!cgo", "a && !b && c", "!enterprise", "arm64"}

// badPaths lead where no file of the repository may lead.
var badPaths = []string{
	"../outside/victim.yaml", "../outside", "../outside/page.md", "../new/page.md", "linked/victim.yaml", "linked/page.md", "linked",
	".git/config", ".git/x.md", ".GIT/x.md", "/etc/passwd", "docs\\x.md", "zero.yaml", "fifo.yaml", "outlink.yaml", "con.md", "..", "",
}

// badNames are names of catalogs that do more than show.
var badNames = []string{"::stop-commands::x.yaml", "a\x1b[2Jb.yaml", "a\u202eb.yaml", "a\nb.yaml", "::error::\n.yaml", "-x.yaml", "##[group].yaml"}

func (m *sandbox) fill(texts [][]byte, gomod, sum []byte) {
	victim := strings.ReplaceAll(string(texts[m.IntN(len(texts))]), `message: "`, `message:   "`)
	m.write("outside/victim.yaml", []byte(victim))
	m.write("outside/page.md", []byte("<!-- event-gen docs: begin -->\n<!-- event-gen docs: end -->\n"))
	m.write("repo/go.mod", gomod)
	m.write("repo/go.sum", sum)
	m.write("repo/m.go", []byte(sandboxProgram))
	tagged := fmt.Sprintf("//go:build %s\n\n%s", constraints[m.IntN(len(constraints))], strings.Replace(sandboxProgram, "Do(", "Too(", 1))
	m.write("repo/"+[]string{"n.go", "n_windows.go", "n_arm64.go"}[m.IntN(3)], []byte(strings.TrimPrefix(tagged, "//go:build \n\n")))
	m.write("repo/LICENCE", []byte("Licence\n"))
	catalogFile, into, licence := "catalog.yaml", "docs/events.md", "LICENCE"
	if m.IntN(3) == 0 {
		catalogFile = badNames[m.IntN(len(badNames))]
	}
	m.write("repo/"+catalogFile, m.mutate(texts[m.IntN(len(texts))]))
	role := []byte(sandboxRole)
	if m.IntN(2) == 0 {
		role = m.mutate(role)
	}
	m.write("repo/role.yaml", role)
	for name, to := range map[string]string{"linked": "../outside", "zero.yaml": "/dev/zero", "outlink.yaml": "../outside/victim.yaml"} {
		if err := os.Symlink(to, filepath.Join(m.top, "repo", name)); err != nil {
			m.Skip(err)
		}
	}
	if out, err := exec.Command("mkfifo", filepath.Join(m.top, "repo", "fifo.yaml")).CombinedOutput(); err != nil {
		m.Fatalf("mkfifo: %v\n%s", err, out)
	}
	for _, path := range []*string{&catalogFile, &into, &licence} {
		if m.IntN(3) == 0 {
			*path = badPaths[m.IntN(len(badPaths))]
		}
	}
	config := fmt.Appendf(nil, sandboxConfiguration, catalogFile, into, licence)
	if m.IntN(3) == 0 {
		config = m.mutate(config)
	}
	m.write("repo/event-gen.yaml", config)
	m.Chdir(filepath.Join(m.top, "repo"))
	for _, args := range []string{"init -q .", "add -A", "-c user.name=T -c user.email=t@example.com commit -q -m one"} {
		if out, err := exec.Command("git", strings.Fields(args)...).CombinedOutput(); err != nil {
			m.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
}

func (m *sandbox) try(i int) {
	commands := [][]string{
		{"lint"}, {"lint", "--fix"}, {"lint", "--diff"}, {"lint", "--format=github"}, {"lint", "--format=json"}, {"generate", "--resolve=never"},
		{"generate", "--resolve=never", "--diff"}, {"generate", "--resolve=never", "--check"}, {"generate", "--resolve=never", "--stdout"},
		{"docs"}, {"docs", "--check"}, {"breaking", "--against=HEAD"}, {"explain", "It works"}, {"lint", "--fix", "linked"}, {"lint", "--fix", "."},
	}
	chosen := [][]string{commands[m.IntN(len(commands))], commands[m.IntN(len(commands))]}
	if i%10 == 0 {
		chosen = append(chosen, []string{"scan", "--findings", "--rbac=role.yaml"}, []string{"migrate"})
	}
	before := m.state()
	for _, args := range chosen {
		var stdout, stderr strings.Builder
		code := run(m.Context(), args, &stdout, &stderr)
		what := strings.Join(args, " ")
		judgeText(m.T, what+" stdout", stdout.String(), slices.Contains(args, "--format=github"))
		judgeText(m.T, what+" stderr", stderr.String(), false)
		if now := m.state(); now != before {
			m.Errorf("%s changed what it may not change:\n%s\nwas\n%s", what, now, before)
		}
		if code == int(exitInternal) {
			m.Errorf("%s: %s", what, stderr.String())
		}
		if code == 0 && (args[0] == "scan" || args[0] == "migrate") {
			m.sourcesRead(what, stdout.String()+stderr.String())
		}
		if code == 0 && len(args) == 1 {
			m.wasRead(what)
		}
	}
}

// wasRead fails if event-gen.yaml names a catalog that a command can't have read.
func (m *sandbox) wasRead(what string) {
	text, err := os.ReadFile("event-gen.yaml")
	if err != nil {
		m.Fatal(err)
	}
	config, findings := catalog.ReadConfiguration("event-gen.yaml", strings.NewReader(string(text)))
	if config == nil || len(findings) > 0 {
		m.Errorf("%s ends with 0, and event-gen.yaml can't be read: %v", what, findings)
		return
	}
	for _, c := range config.Catalogs {
		info, err := os.Stat(c.Value)
		real, _ := filepath.EvalSymlinks(c.Value)
		if err != nil || !info.IsDir() && !info.Mode().IsRegular() || strings.Contains(real, "..") || filepath.IsAbs(real) {
			m.Errorf("%s ends with 0, without catalog %q", what, c.Value)
		}
	}
}

// sourcesRead fails if the present build leaves out a file, and a report does not name it.
func (m *sandbox) sourcesRead(what, said string) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		m.Fatal(err)
	}
	for _, file := range files {
		if selected, err := build.Default.MatchFile(".", file); err != nil || !selected && !strings.Contains(said, file+":") {
			m.Errorf("%s ends with 0, and does not name %s: %v\n%s", what, file, err, said)
		}
	}
}

// state describes what no command may change: all beside the repository, and .git.
func (m *sandbox) state() string {
	var b strings.Builder
	_ = filepath.WalkDir(m.top, func(path string, e fs.DirEntry, _ error) error {
		name, _ := filepath.Rel(m.top, path)
		inside := strings.HasPrefix(name, filepath.Join("repo", "")+string(filepath.Separator))
		if inside && name != filepath.Join("repo", ".git") && !strings.HasPrefix(name, filepath.Join("repo", ".git")+string(filepath.Separator)) {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(name, ".lock") || filepath.Base(name) == "index" { // git's own
			return nil
		}
		sum := [32]byte{}
		if e.Type().IsRegular() {
			content, _ := os.ReadFile(path)
			sum = sha256.Sum256(content)
		}
		fmt.Fprintf(&b, "%s %x\n", name, sum[:4])
		return nil
	})
	return b.String()
}
