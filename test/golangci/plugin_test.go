package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const settings = `version: "2"
issues: {uniq-by-line: false}
linters:
  default: none
  enable: [eventgen]
  settings:
    custom:
      eventgen:
        type: module
        settings: SETTINGS
`

const code = `package m

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

func f(r record.EventRecorder, pod *corev1.Pod, err error) {
	r.Eventf(pod, "Warning", "Failed", err.Error())
	r.Event(pod, "Warning", "Failed", "x") //nolint:eventgen // a test
}
`

// The real golangci-lint reports what the analyzer finds, heeds nolint, and hands settings on.
func TestPlugin(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "golangci-lint")
	if out, err := exec.Command("go", "build", "-o", tool, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range []struct{ settings, want, lack string }{
		{"{}", "m.go:9:2: raw call of Eventf", "m.go:10"},
		{"{noRaw: true}", `\[EV513\] \(eventgen\)`, "raw call"},
		{"{nonsense: true}", "nonsense", "EV513"},
	} {
		dir := sample(t)
		write(t, filepath.Join(dir, ".golangci.yml"), strings.Replace(settings, "SETTINGS", c.settings, 1))
		lint := exec.Command(tool, "run", "./...")
		lint.Dir = dir
		lint.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOLANGCI_LINT_CACHE="+t.TempDir())
		out, _ := lint.CombinedOutput()
		if !regexp.MustCompile(c.want).Match(out) || regexp.MustCompile(c.lack).Match(out) {
			t.Errorf("%s: %s", c.settings, out)
		}
	}
}

// sample is a module with this one's client-go.
func sample(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	gomod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(?m)^.*event-gen.*\n`).ReplaceAllString(string(gomod), "")
	write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n"+text)
	write(t, filepath.Join(dir, "go.sum"), string(sum))
	write(t, filepath.Join(dir, "m.go"), code)
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
