package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

const interruptible = `apiVersion: event-gen.github.io/v1alpha1
kind: EventCatalog
spec:
  go: {package: p}
  imports: {api: example.com/m/api}
  objects: {Widget: {type: api.Widget}}
  events: [{reason: Started, regarding: Widget, message: "Started"}]
`

// Ctrl-C ends every command, regardless of what it waits for. It prints no finding and leaves no
// file or cache entry behind.
func TestInterrupt(t *testing.T) {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	gocache := strings.TrimSpace(string(out))
	for name, tt := range map[string]struct {
		args  string
		stdin bool   // the command reads from a pipe that does not end
		hangs string // a program that the command waits for
		with  string // it hangs with such an argument only
	}{
		"stdin":           {"explain --catalog catalog.yaml -", true, "", ""},
		"lint, go":        {"lint", false, "go", ""},
		"generate, go":    {"generate", false, "go", ""},
		"docs, go":        {"docs --into README.md", false, "go", ""},
		"breaking, git":   {"breaking --against=main --category=GO known.yaml", false, "git", ""},
		"lint --fix, go":  {"lint --fix", false, "go", ""},
		"generate, twice": {"generate catalog.yaml catalog.yaml", false, "go", ""},
		"migrate, go":     {"migrate --write --catalog=pods.yaml", false, "go", "-overlay"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, home := t.TempDir(), t.TempDir()
			writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n")
			writeFile(t, filepath.Join(dir, "catalog.yaml"), interruptible)
			writeFile(t, filepath.Join(dir, "known.yaml"), strings.ReplaceAll(interruptible, "{type: api.Widget}", "v1"))
			writeFile(t, filepath.Join(dir, "pods.yaml"), strings.NewReplacer("  imports: {api: example.com/m/api}\n", "", "{type: api.Widget}", "v1", "Widget", "Pod").Replace(interruptible))
			writeFile(t, filepath.Join(dir, "main.go"), "package main\n\nfunc main() {}\n")
			writeFile(t, filepath.Join(dir, "README.md"), "<!-- event-gen docs: begin -->\n<!-- event-gen docs: end -->\n")
			ready := filepath.Join(home, "ready")
			if tt.hangs != "" {
				program := filepath.Join(home, "bin", tt.hangs)
				actual, err := exec.LookPath(tt.hangs)
				if err != nil {
					t.Fatal(err)
				}
				writeFile(t, program, "#!/bin/sh\ncase \"$*\" in *"+tt.with+"*) ;; *) exec "+actual+" \"$@\" ;; esac\necho $$ >"+ready+".part && mv "+ready+".part "+ready+"\nexec sleep 600\n")
				if err := os.Chmod(program, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			before := everything(t, dir)
			cmd := exec.Command("event-gen", strings.Fields(tt.args)...)
			cmd.Dir = dir
			temporary := t.TempDir()
			cmd.Env = append(os.Environ(), "HOME="+home, "TMPDIR="+temporary, "GOCACHE="+gocache, "XDG_CACHE_HOME="+filepath.Join(home, "cache"), "GOWORK=off",
				"PATH="+filepath.Join(home, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
			interrupt(t, cmd, tt.stdin, ready)
			if after := everything(t, dir); after != before {
				t.Errorf("the folder holds\n%s\nwant\n%s", after, before)
			}
			if kept := everything(t, temporary); kept != "" {
				t.Errorf("the folder of temporary files holds %s", kept)
			}
			if kept := everything(t, filepath.Join(home, "cache")); strings.Contains(kept, ".json") {
				t.Errorf("the cache holds %s", kept)
			}
		})
	}
}

// interrupt starts a command, waits until it hangs, and ends it.
func interrupt(t *testing.T, cmd *exec.Cmd, stdin bool, ready string) {
	t.Helper()
	// a file, because a program that is left behind would hold a pipe open
	out, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if stdin {
		// More than a pipe holds: the command has begun to read once this is written.
		if _, err := input.Write(bytes.Repeat([]byte(" "), 1<<20)); err != nil {
			t.Fatal(err)
		}
	} else {
		for !exists(ready) {
			time.Sleep(5 * time.Millisecond)
		}
		t.Cleanup(func() { endLeftBehind(t, ready) })
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	text, _ := os.ReadFile(out.Name())
	if cmd.ProcessState.ExitCode() != 130 || string(text) != "event-gen: interrupted\n" {
		t.Errorf("%v, %s", err, text)
	}
}

// endLeftBehind ends the program that the command waited for, if it still runs.
func endLeftBehind(t *testing.T, ready string) {
	text, err := os.ReadFile(ready)
	if err != nil {
		t.Fatal(err)
	}
	id, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	_ = syscall.Kill(id, syscall.SIGKILL)
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// everything returns the names and texts of all files below a folder.
func everything(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		b.WriteString(path + "\n" + string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
