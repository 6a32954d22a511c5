package servers

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tiny builds in no time what a server module builds in minutes: a program of an upstream module
// that says its version.
var tiny = module{
	folder:   "tiny",
	upstream: "example.com/upstream",
	programs: []program{{"tiny", "example.com/upstream", "a moment"}},
	ldflags:  func(version string) []string { return []string{"-X", "main.version=" + version} },
}

const tinyMain = `package main

var version = "unset"

func main() { print(version) }
`

// tinySource writes the module tiny and returns the folder that stands for test/servers.
func tinySource(t *testing.T, main string) string {
	t.Helper()
	source := t.TempDir()
	write(t, filepath.Join(source, "tiny", "go.mod"),
		"module example.com/tiny\n\ngo 1.26.0\n\nrequire example.com/upstream v1.2.3\n\nreplace example.com/upstream => ./upstream\n")
	write(t, filepath.Join(source, "tiny", "go.sum"), "")
	write(t, filepath.Join(source, "tiny", "upstream", "go.mod"), "module example.com/upstream\n\ngo 1.26.0\n")
	write(t, filepath.Join(source, "tiny", "upstream", "main.go"), main)
	return source
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func TestBuildsOnce(t *testing.T) {
	source, cache := tinySource(t, tinyMain), t.TempDir()
	var progress bytes.Buffer
	folder, err := tiny.ensure(t.Context(), source, cache, &progress)
	if err != nil {
		t.Fatal(err)
	}
	if want := "building tiny v1.2.3 once, a moment on two cores…\nbuilt tiny in "; !strings.HasPrefix(progress.String(), want) {
		t.Errorf("expected progress %q, got %q", want, progress.String())
	}
	said, err := exec.CommandContext(t.Context(), filepath.Join(folder, "tiny")).CombinedOutput()
	if err != nil || string(said) != "v1.2.3" {
		t.Errorf("expected the program to say v1.2.3, got %q, %v", said, err)
	}
	progress.Reset()
	again, err := tiny.ensure(t.Context(), source, cache, &progress)
	if err != nil || again != folder || progress.Len() > 0 {
		t.Errorf("expected the cached %s without a word, got %s, %q, %v", folder, again, progress.String(), err)
	}
}

func TestConcurrentCallersBuildOnce(t *testing.T) {
	source, cache := tinySource(t, tinyMain), t.TempDir()
	var group sync.WaitGroup
	progress := make([]bytes.Buffer, 4)
	for i := range progress {
		group.Go(func() {
			if _, err := tiny.ensure(t.Context(), source, cache, &progress[i]); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	builds := 0
	for i := range progress {
		builds += strings.Count(progress[i].String(), "building tiny")
	}
	if builds != 1 {
		t.Errorf("expected one build, got %d", builds)
	}
}

func TestFailedBuildCarriesTheCompilerAndLeavesNothing(t *testing.T) {
	source, cache := tinySource(t, "package main\n\nfunc main() { undeclared() }\n"), t.TempDir()
	_, err := tiny.ensure(t.Context(), source, cache, t.Output())
	if err == nil || !strings.Contains(err.Error(), "undefined: undeclared") {
		t.Errorf("expected what the compiler says, got %v", err)
	}
	files, _ := filepath.Glob(filepath.Join(cache, "*", "tiny*"))
	if len(files) > 0 {
		t.Errorf("expected no program, got %v", files)
	}
}
