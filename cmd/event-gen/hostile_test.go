package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/plumbing/format"
	"github.com/event-gen/event-gen/internal/plumbing/plain"
)

// hostileText is text of nothing but characters that do more than show, as YAML and JSON write it.
const hostileText = `\u001b]0;x\u0007\u001b[2J\u0000\u202e\u2066\u200b\u2028\u0085\r\n::stop-commands::x\n##[group]`

const hostileCatalog = `apiVersion: event-gen.github.io/v1alpha1
kind: EventCatalog
spec:
  go: {package: hevents, fake: true, rbac: auto}
  reportingController: example.com/h
  objects: {Pod: v1}
  defaults: {regarding: Pod}
  events:
  - {name: Other, reason: Other, message: "ok"}
  - reason: "XHOSTILE"
    name: X
    message: "x"
    doc: {summary: "HOSTILE", runbook: "https://x/HOSTILE"}
    annotations: {a: "HOSTILE"}
    lifecycle: {since: "HOSTILE", deprecated: {replacedBy: Other, reason: "HOSTILE", removeAfter: "HOSTILE"}}
`

// A file's name, a catalog and an event of nothing but hostile characters pass through each command
// and format. Nothing hidden leaves, and no line is a command to CI, but our own.
func TestHostileNames(t *testing.T) {
	t.Chdir(t.TempDir())
	names := []string{"::stop-commands::x.yaml", "\x1b[2J\u202e\n::error::.yaml"}
	events := strings.ReplaceAll(`{"kind": "List", "items": [{"metadata": {"name": "HOSTILE"}, "type": "HOSTILE", "reason": "XHOSTILE", "message": "HOSTILE",
		"regarding": {"kind": "Pod", "name": "HOSTILE", "namespace": "HOSTILE"}}, {"reason": "Other", "message": "ok", "involvedObject": {"kind": "HOSTILE"}}]}`, "HOSTILE", hostileText)
	for _, name := range names {
		write(t, name, strings.ReplaceAll(hostileCatalog, "HOSTILE", hostileText))
		write(t, name+".ok.yaml", strings.ReplaceAll(strings.ReplaceAll(hostileCatalog, "XHOSTILE", "X"), `{a: "HOSTILE"}`, `{a: "b"}`))
	}
	write(t, "go.mod", "module example.com/h\n\ngo 1.26\n")
	write(t, "events.json", events)
	if err := exec.Command("git", "init", "-q", ".").Run(); err != nil {
		t.Skip(err)
	}
	var commands [][]string
	for _, name := range append(names, names[0]+".ok.yaml", names[1]+".ok.yaml") {
		for _, f := range format.Names {
			commands = append(commands, []string{"lint", "--show=info", "--format=" + f, name}, []string{"breaking", "--format=" + f, "--against=" + name, name, names[1] + ".ok.yaml"})
		}
		commands = append(commands, []string{"generate", "--stdout", name}, []string{"generate", "--diff", name}, []string{"generate", "--check", name}, []string{"generate", name},
			[]string{"lint", "--diff", name}, []string{"docs", name}, []string{"docs", "--format=html", name}, []string{"docs", "--into=page.html", "--format=html", name},
			[]string{"explain", "--catalog=" + name, "events.json"}, []string{"explain", "--catalog=" + name, "ok"}, []string{"explain", "--catalog=" + name, strings.ReplaceAll("x\x1b[2J", "x", name)},
			[]string{"explain", "--summary", "--catalog=" + name, "events.json"}, []string{"lint", name + "\x1b.gone"}, []string{"breaking", "--against=\x1b[2J", name},
			[]string{"init", name}, []string{"scan", name}, []string{"schema", "--into", name + ".d/\x1b"}, []string{"lint", "--format=" + name}, []string{name})
	}
	for _, args := range commands {
		var stdout, stderr strings.Builder
		run(t.Context(), args, &stdout, &stderr)
		ours := strings.Contains(strings.Join(args, " "), "--format=github")
		for stream, text := range map[string]string{"stdout": stdout.String(), "stderr": stderr.String()} {
			judgeText(t, strings.Join(args, " ")+" "+stream, text, ours && stream == "stdout")
		}
	}
	_ = filepath.WalkDir(".", func(path string, _ os.DirEntry, _ error) error {
		if strings.Contains(path, "zz_") || strings.HasSuffix(path, ".html") {
			text, _ := os.ReadFile(path)
			judgeText(t, path, string(text), false)
		}
		return nil
	})
	if made, _ := filepath.Glob("hevents/zz_*"); len(made) < 1 {
		t.Errorf("nothing was generated: %q", made)
	}
}

// judgeText fails if text has a hidden character, or a line that commands CI.
func judgeText(t *testing.T, what, text string, commands bool) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		hidden := func(r rune) bool { return r != '\t' && r != '\uFFFD' && plain.Hidden(r) }
		at := strings.TrimSpace(line)
		if strings.ContainsFunc(line, hidden) || strings.HasPrefix(at, "::") && !(commands && ourCommand(at)) || strings.Contains(line, "##[") && !commands {
			t.Errorf("%q: %q", what, line)
		}
	}
}

func ourCommand(line string) bool {
	return strings.HasPrefix(line, "::error ") || strings.HasPrefix(line, "::warning ") || strings.HasPrefix(line, "::notice ")
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
