package broadcaster_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var logged = regexp.MustCompile(`(?:log(?:ger)?\.(?:[eE]rror\([\w.]+, |[iI]nfo\()|recovered\([^"\n]+|logWrite\([^"\n]+)"([^";]+)`)

// TestEveryLineIsDocumented holds the table of docs/operating.md to the lines that broadcaster and
// filter log, up to their first semicolon.
func TestEveryLineIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
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
			if !strings.Contains(string(page), "\n| "+match[1]+" | ") {
				t.Errorf("%s: docs/operating.md lacks %q", file, match[1])
			}
		}
	}
	if rows := strings.Count(string(page), " | error | ") + strings.Count(string(page), " | info | "); rows != found {
		t.Errorf("%d lines are logged, docs/operating.md has %d", found, rows)
	}
}
