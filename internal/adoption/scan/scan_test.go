package scan

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// module copies the test module, with this module's requirements, and returns its folder.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/module")); err != nil {
		t.Fatal(err)
	}
	gomod, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("../../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	path := regexp.MustCompile(`(?m)^module .*$`)
	gomod = regexp.MustCompile(`(?m)^\s*github\.com/event-gen/event-gen/runtime .*\n`).ReplaceAll(gomod, nil)
	for name, data := range map[string][]byte{"go.mod": path.ReplaceAll(gomod, []byte("module example.com/m")), "go.sum": sum} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	// with other flags than the tests', client-go would be compiled again
	t.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -mod=mod")
	return dir
}

// TestPatterns compares the sites with the comments of the test module: scope, type, reason, its
// form, texts and, if given, the object's types.
func TestPatterns(t *testing.T) {
	dir := module(t)
	l, err := Read(t.Context(), Options{Dir: dir, Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.Program(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, dir, p, func(file string) bool { return !strings.HasPrefix(file, "tagged/") })
	var problems []string
	for _, problem := range p.Problems {
		problems = append(problems, problem.Package)
	}
	if problems = slices.Compact(problems); !slices.Equal(problems, []string{"example.com/m/broken"}) {
		t.Errorf("problems are in %v: %v", problems, p.Problems)
	}
}

// compare reports the differences between the sites of a program and the comments of the files that
// a function chooses.
func compare(t *testing.T, dir string, p *Program, chosen func(string) bool) {
	t.Helper()
	got := map[string][]string{}
	r := Scan(t.Context(), p)
	for _, s := range r.Sites {
		at := Relative(s.Pos, dir)
		key := fmt.Sprintf("%s:%d", at.Filename, at.Line)
		got[key] = append(got[key], describe(s))
	}
	for key, want := range wanted(t, dir, chosen) {
		if found := strings.Join(got[key], " ; "); found != want && !(strings.HasPrefix(found, want+" ") && !strings.HasSuffix(found, `"`)) {
			t.Errorf("%s:\n got %s\nwant %s", key, found, want)
		}
		delete(got, key)
	}
	for key, found := range got {
		t.Errorf("%s: %s where nothing is said", key, found)
	}
	for _, c := range r.Left {
		t.Logf("left: %s %s %s", c.Pos, c.What, c.Text)
	}
}

func describe(s *Site) string {
	var texts []string
	for _, t := range s.Message.Alternatives {
		texts = append(texts, fmt.Sprintf("%q", t.Format()))
	}
	text := strings.Join(texts, "|")
	if len(texts) > 1 {
		text = "{" + text + "}"
	}
	return fmt.Sprintf("%s %s %s %s %s %s", s.Scope, s.Type, s.Reason, s.Reason.How(), text, s.Regarding)
}

var comment = regexp.MustCompile(`//: (.*)$`)

// wanted has the comments' expectations, by file and line.
func wanted(t *testing.T, dir string, chosen func(string) bool) map[string]string {
	t.Helper()
	out := map[string]string{}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		rel, _ := filepath.Rel(dir, file)
		if !chosen(filepath.ToSlash(rel)) {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			if m := comment.FindStringSubmatch(line); m != nil {
				out[fmt.Sprintf("%s:%d", filepath.ToSlash(rel), i+1)] = strings.TrimSpace(m[1])
			}
		}
	}
	return out
}
