package progress

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// clock is a clock that a test moves.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func TestSteps(t *testing.T) {
	for _, terminal := range []bool{false, true} {
		var out strings.Builder
		var c clock
		p := New(&out, terminal, c.now)
		p.Step("reading")
		p.Note("a module")
		c.at = c.at.Add(1500 * time.Millisecond)
		p.Step("counting")
		for n := range 20 {
			p.Count(n+1, 20, "packages")
		}
		p.End()
		p.End()
		text := strings.ReplaceAll(out.String(), "\r\033[K", "<")
		want := map[bool]string{
			false: "reading …\nreading: 1.5s\ncounting …\ncounting, 2 of 20 packages …\ncounting, 4 of 20 packages …\n",
			true:  "<reading …<reading, a module …<reading: 1.5s\n<counting …<counting, 1 of 20 packages …<counting, 2 of 20 packages …",
		}[terminal]
		if !strings.HasPrefix(text, want) {
			t.Errorf("terminal %t: %q, want %q…", terminal, text, want)
		}
		if terminal != strings.HasSuffix(text, "20 of 20 packages …<") {
			t.Errorf("terminal %t ends with %q", terminal, text[len(text)-40:])
		}
	}
	var none *Progress
	none.Step("x")
	none.Count(1, 2, "x")
	none.Note("x")
	none.Compile(t.Context(), ".", nil, nil, nil)
	none.End()
	if From(context.Background()) != nil {
		t.Error("a context without a progress has one")
	}
}

// TestCompile compiles two packages once: the first run counts them, the second finds them
// compiled.
func TestCompile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\ngo 1.24\n", "main.go": "package main\nimport _ \"example.com/m/" + "dep\"\nfunc main() {}\n",
		"dep/dep.go": "// Package dep is new each time: " + dir + "\npackage dep\n\nconst Name = `" + dir + "`\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func() string {
		var out strings.Builder
		p := New(&out, true, time.Now)
		p.Compile(t.Context(), dir, []string{"GOWORK=off"}, nil, []string{"./..."})
		p.End()
		return out.String()
	}
	if got := run(); !regexp.MustCompile(`compiling dependencies, (\d+) of (\d+) packages ….*compiling dependencies, 2 of 2 packages …`).MatchString(got) {
		t.Errorf("the first run: %q", got)
	}
	if got := run(); strings.Contains(got, "compiling") {
		t.Errorf("the second run: %q", got)
	}
}
