package docs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

// in is a copy of the session's module, for what is not to last.
func (s shell) in(t *testing.T) shell {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(s.dir)); err != nil {
		t.Fatal(err)
	}
	return shell{dir: dir, env: s.env}
}

// tidies runs go mod tidy: it finds both modules, and nothing of the generator comes in.
func tidies(t *testing.T, user shell) {
	user = user.in(t)
	user.run(t, "go mod tidy")
	checkRequirements(t, filepath.Join(user.dir, "go.mod"))
	if file := parseMod(t, user.dir); len(file.Require) == 0 || !requires(file, runtimePath) {
		t.Errorf("go.mod does not require %s", runtimePath)
	} else if requires(file, modulePath) {
		t.Errorf("go.mod requires %s", modulePath)
	}
}

// vendors builds generated code from a vendor folder, beside which the generator runs.
func vendors(t *testing.T, user shell) {
	user = user.in(t)
	user.run(t, "go mod vendor && go build -mod=vendor ./backupevents && go generate ./...")
	for path, want := range map[string]bool{runtimePath: true, modulePath + "/internal": false, "github.com/spf13": false} {
		_, err := os.Stat(filepath.Join(user.dir, "vendor", filepath.FromSlash(path)))
		if (err == nil) != want {
			t.Errorf("vendor/%s: %v", path, err)
		}
	}
}

// takesTool pins the generator in go.mod: docs/tutorial.md says that this adds the generator's
// requirements.
func takesTool(t *testing.T, user shell, version string) {
	user = user.in(t)
	user.run(t, "go get -tool "+modulePath+"/cmd/event-gen@"+version+" && go tool event-gen generate --check")
	for _, path := range []string{modulePath, runtimePath, "k8s.io/gengo/v2", "github.com/spf13/cobra"} {
		if !requires(parseMod(t, user.dir), path) {
			t.Errorf("go.mod does not require %s, as docs/tutorial.md says it would", path)
		}
	}
}

// takesClone does what docs/tutorial.md shows for the time before the first release: the command
// and the run time come from a clone, here of the work tree's last commit. The program prints the
// same.
func takesClone(t *testing.T, user shell, page, version string) {
	repository, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	folder := shell{dir: t.TempDir(), env: slices.Concat(user.env, []string{
		"GOWORK=", "GOBIN=" + bin, "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"),
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url." + repository + ".insteadOf", "GIT_CONFIG_VALUE_0=https://" + modulePath,
	})}
	steps, _ := blocks(section(t, page, "Before v0.1.0 is released"))
	if len(steps) != 2 {
		t.Fatalf("%d blocks of commands, want one for the clone and one for the module", len(steps))
	}
	folder.console(t, steps[0])

	module := shell{dir: filepath.Join(folder.dir, "backup"), env: folder.env}
	program, err := os.ReadFile(filepath.Join(user.dir, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(module.dir, "main.go"), strings.Replace(string(program),
		"go run "+modulePath+"/cmd/event-gen@"+version+" generate", "event-gen generate", 1))
	catalog, err := os.ReadFile(filepath.Join(user.dir, "catalog.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(module.dir, "catalog.yaml"), string(catalog))
	module.run(t, "go mod init example.com/backup && go generate ./...")
	module.console(t, steps[1])
	if got, want := module.run(t, "go run ."), user.run(t, "go run ."); got != want {
		t.Errorf("the program prints\n%s\nand with the released version\n%s", got, want)
	}
}

// controller is a program as it was before, and what it becomes.
const (
	controller = `package main

import (
	_ "k8s.io/api/batch/v1"
	_ "k8s.io/client-go/kubernetes"
	_ "k8s.io/client-go/tools/record"
)

func main() {}
`
	recording = `package main

import (
	_ "github.com/event-gen/event-gen/runtime"
	_ "github.com/event-gen/event-gen/runtime/broadcaster"
	_ "github.com/event-gen/event-gen/runtime/sink/kube"
)
`
)

// gains holds what docs/dependencies.md says that a controller's go.mod gains: it is tidied before
// and after.
func gains(t *testing.T, env []string, version string) {
	user := shell{dir: t.TempDir(), env: env}
	put(t, filepath.Join(user.dir, "main.go"), controller)
	put(t, filepath.Join(user.dir, "go.mod"), "module example.com/controller\n\ngo 1.26\n\nrequire (\n"+
		"\tk8s.io/api v0.35.0\n\tk8s.io/apimachinery v0.35.0\n\tk8s.io/client-go v0.35.0\n)\n")
	user.run(t, "go mod tidy")
	before := parseMod(t, user.dir)
	put(t, filepath.Join(user.dir, "events.go"), recording)
	user.run(t, "go get "+runtimePath+"@"+version+" && go mod tidy")
	var gained []string
	for _, r := range parseMod(t, user.dir).Require {
		same := func(old *modfile.Require) bool { return old.Mod == r.Mod }
		if !slices.ContainsFunc(before.Require, same) {
			gained = append(gained, "require "+r.Mod.String())
		}
	}
	_, text, _ := strings.Cut(read(t, "docs/dependencies.md"), "## What your go.mod gains")
	_, block, _ := strings.Cut(text, "```\n")
	block, _, _ = strings.Cut(block, "```")
	if got := strings.ReplaceAll(strings.Join(gained, "\n")+"\n", "@", " "); got != block {
		t.Errorf("docs/dependencies.md says that go.mod gains\n%sand it gains\n%s", block, got)
	}
}

func parseMod(t *testing.T, dir string) *modfile.File {
	t.Helper()
	path := filepath.Join(dir, "go.mod")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse(path, data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func requires(file *modfile.File, path string) bool {
	return slices.ContainsFunc(file.Require, func(r *modfile.Require) bool { return r.Mod.Path == path })
}
