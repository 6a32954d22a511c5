package model

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// fixed finds the same facts for every type, and counts how often it was asked.
type fixed struct {
	facts typeFacts
	asked int
}

func (f *fixed) resolve(_ context.Context, wants []want) (facts, diag.Findings) {
	found := facts{}
	for _, w := range wants {
		f.asked++
		found[w] = f.facts
	}
	return found, nil
}

// cacheOf is a cache of a module with one package.
func cacheOf(t *testing.T, load resolver) *cache {
	t.Helper()
	t.Setenv("GOWORK", "off")
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module example.com/m\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, ok := cached(t.TempDir(), root, false, load).(*cache)
	if !ok {
		t.Fatal("there is no cache")
	}
	return c
}

var (
	pod   = want{GoType{Path: "example.com/m/api", Name: "Pod"}, "example.com/m/events"}
	phase = want{GoType{Path: "example.com/m/api", Name: "Phase"}, "example.com/m/events"}
)

func TestCacheKeeps(t *testing.T) {
	for name, tt := range map[string]struct {
		facts typeFacts
		kept  bool
	}{
		"facts":              {typeFacts{Basic: "string"}, true},
		"a problem":          {typeFacts{Problem: "package example.com/m/api has no type Pod"}, true},
		"a fleeting problem": {typeFacts{Problem: "dial tcp: i/o timeout", Fleeting: true}, false},
		"unsure facts":       {typeFacts{Basic: "string", Unsure: true}, false},
	} {
		t.Run(name, func(t *testing.T) {
			load := &fixed{facts: tt.facts}
			c := cacheOf(t, load)
			for range 2 {
				if facts, _ := c.resolve(t.Context(), []want{pod}); facts[pod].Problem != tt.facts.Problem || facts[pod].Basic != tt.facts.Basic {
					t.Errorf("the facts are %+v", facts[pod])
				}
			}
			if (load.asked == 1) != tt.kept {
				t.Errorf("asked %d times", load.asked)
			}
		})
	}
}

// The facts of one type under the name of another are those of none.
func TestCacheIsNotPoisoned(t *testing.T) {
	load := &fixed{facts: typeFacts{Basic: "string"}}
	c := cacheOf(t, load)
	c.resolve(t.Context(), []want{pod})
	data, err := os.ReadFile(filepath.Join(c.dir, name(c.of(pod))))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.dir, name(c.of(phase))), data, 0o644); err != nil {
		t.Fatal(err)
	}
	if c.resolve(t.Context(), []want{phase}); load.asked != 2 {
		t.Error("facts of another type are taken")
	}
}

// A command that is to end keeps nothing: what it found may be what the end made of it.
func TestCacheEnds(t *testing.T) {
	load := &fixed{facts: typeFacts{Problem: "package example.com/m/api has no type Pod"}}
	c := cacheOf(t, load)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c.resolve(ctx, []want{pod})
	if entries, _ := os.ReadDir(c.dir); len(entries) > 0 {
		t.Errorf("%v is kept", entries)
	}
}

// A go command that is missing is another problem than one that fails.
func TestUnasked(t *testing.T) {
	l := &loader{dir: t.TempDir()}
	failure := errors.New("err: exit status 1")
	if got := l.unasked(failure); len(got) != 1 || !got[0].Unread || !strings.Contains(got[0].Message, "can't look at types of Go: exit status 1") {
		t.Errorf("a go command that fails: %v", got)
	}
	t.Setenv("PATH", t.TempDir())
	if got := l.unasked(failure); len(got) != 1 || !got[0].Unread || !strings.Contains(got[0].Message, "was not found") {
		t.Errorf("no go command: %v", got)
	}
	if got := l.unasked(nil); len(got) > 0 {
		t.Errorf("no failure: %v", got)
	}
}

func TestLasts(t *testing.T) {
	for problem, want := range map[string]bool{
		"no required module provides package example.com/x; to add it: go get example.com/x":                        true,
		"package foo is not in std (/usr/local/go/src/foo)":                                                         true,
		"example.com/x@v1.0.0: Get \"https://proxy/example.com/x\": dial tcp: lookup proxy: no such host":           false,
		"missing go.sum entry for module providing package example.com/x; to add it: go mod download example.com/x": false,
		"module example.com/x@latest found (v1.0.0), but does not contain package example.com/x/y":                  true,
		"open /cache/download: permission denied":                                                                   false,
	} {
		if lasts(problem) != want {
			t.Errorf("%s: %v", problem, !want)
		}
	}
}
