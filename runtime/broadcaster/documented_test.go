package broadcaster_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var logged = regexp.MustCompile(`(?:log(?:ger)?\.(?:[eE]rror\([\w.]+, |[iI]nfo\()|recovered\([^"\n]+|logWrite\([^"\n]+)"([^";]+)`)

// TestEveryLineIsDocumented holds the tables of docs/operating.md, what to do, and of
// docs/operating-reference.md to the lines that broadcaster and filter log, up to their first
// semicolon.
func TestEveryLineIsDocumented(t *testing.T) {
	var pages [2]string
	for i, name := range []string{"operating.md", "operating-reference.md"} {
		text, err := os.ReadFile(filepath.Join("../../docs", name))
		if err != nil {
			t.Fatal(err)
		}
		pages[i] = string(text)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, "../eventfilter/watch.go")
	found := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range logged.FindAllStringSubmatch(string(text), -1) {
			found++
			for i, page := range pages {
				if !strings.Contains(page, "\n| "+match[1]+" | ") {
					t.Errorf("%s: page %d lacks %q", file, i, match[1])
				}
			}
		}
	}
	_, table, _ := strings.Cut(pages[0], "\n## What is logged\n")
	if rows := strings.Count(table, "\n| ") - 2; rows != found {
		t.Errorf("%d lines are logged, docs/operating.md has %d", found, rows)
	}
	if rows := strings.Count(pages[1], " | error | ") + strings.Count(pages[1], " | info | "); rows != found {
		t.Errorf("%d lines are logged, docs/operating-reference.md has %d", found, rows)
	}
}
