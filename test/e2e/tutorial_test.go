package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTutorialsOperator runs the last section of docs/tutorial.md as a reader does, who has cloned
// event-gen beside a module and stands in that: the commands up to make in one shell, the others in
// the shell that make starts. What they print is compared with the page. The lines that the section
// shows of examples/operator are there.
func TestTutorialsOperator(t *testing.T) {
	const page, heading = "../../docs/tutorial.md", "## An operator of controller-runtime"
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	module := filepath.Join(folder, "backup")
	if err := os.Symlink(root, filepath.Join(folder, "event-gen")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(module, 0o755); err != nil {
		t.Fatal(err)
	}
	const mark = "\x00"
	commands := documentedCommands(t, page, heading)
	var shells [2]strings.Builder
	n := 0
	for _, c := range commands {
		shells[n].WriteString("printf '\\0'\n" + c.line + "\n")
		if strings.HasPrefix(c.line, "make ") {
			n++
		}
	}
	cmd := exec.CommandContext(t.Context(), "bash", "-c", shells[0].String())
	cmd.Dir, cmd.Stdin, cmd.Stderr = module, strings.NewReader(shells[1].String()), t.Output()
	cmd.Env = append(os.Environ(), "PWD="+module, "MAKEFLAGS=--no-print-directory", "GOFLAGS=", "KUBERC=off", "KUBECACHEDIR="+t.TempDir())
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		t.Errorf("%v", err)
	}
	printed := strings.Split(out.String(), mark)[1:]
	if len(printed) != len(commands) {
		t.Fatalf("%d of %d commands were run:\n%s", len(printed), len(commands), out.String())
	}
	for n, c := range commands {
		pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(c.output)), "…", ".*")
		if got := strings.TrimSpace(printed[n]); !regexp.MustCompile(`(?s)^` + pattern + `$`).MatchString(got) {
			t.Errorf("$ %s\n%s\nthe page shows\n%s", c.line, got, c.output)
		}
	}
	checkExcerpts(t, page, heading)
}

// checkExcerpts looks for the added lines of a section's diffs in the operator's files.
func checkExcerpts(t *testing.T, page, heading string) {
	t.Helper()
	var sources string
	for _, name := range []string{page, "../../examples/operator/cmd/main.go", "../../examples/operator/internal/controller/widget.go"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources += string(data)
	}
	_, section, _ := strings.Cut(sources, "\n"+heading+"\n")
	added := regexp.MustCompile(`(?m)^\+(.*)$`).FindAllStringSubmatch(section, -1)
	for _, line := range added {
		if !strings.Contains(section, "\n"+line[1]+"\n") {
			t.Errorf("examples/operator does not have the line %q", line[1])
		}
	}
	if len(added) == 0 {
		t.Error("the section shows no lines of examples/operator")
	}
}
