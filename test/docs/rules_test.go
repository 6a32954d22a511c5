package docs

import (
	"encoding/json"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestHowToPagesAreShort bounds the pages about lint, breaking and scan, each in lines and, without
// the indexes of rules, all in words, and the words of the rules' pages.
func TestHowToPagesAreShort(t *testing.T) {
	const mostLines, mostWords, mostWordsOfRules = 150, 2600, 11000
	words, wordsOfRules := 0, 0
	for _, page := range pages(t) {
		switch text := read(t, page); {
		case path.Dir(page) == "docs/rules":
			wordsOfRules += len(strings.Fields(text))
		case slices.Contains([]string{"docs/lint.md", "docs/breaking.md", "docs/scan.md"}, page):
			if lines := strings.Count(text, "\n"); lines > mostLines {
				t.Errorf("%s has %d lines, at most %d may be", page, lines, mostLines)
			}
			before, index, _ := strings.Cut(text, "<!-- The index ")
			_, after, _ := strings.Cut(index, "\nNext: ")
			words += len(strings.Fields(before + after))
		}
	}
	if words > mostWords {
		t.Errorf("the pages about lint, breaking and scan have %d words, at most %d may be", words, mostWords)
	}
	if wordsOfRules > mostWordsOfRules || wordsOfRules == 0 {
		t.Errorf("docs/rules has %d words, at most %d may be", wordsOfRules, mostWordsOfRules)
	}
}

// The address of each rule in SARIF leads to a page that is in the repository, and to a heading in
// it.
func TestRulesHavePages(t *testing.T) {
	bin, dir := build(t), t.TempDir()
	put(t, filepath.Join(dir, "go.mod"), "module example.com/empty\n\ngo 1.26\n")
	put(t, filepath.Join(dir, "main.go"), "package main\n\nfunc main() {}\n")
	put(t, filepath.Join(dir, "catalog.yaml"), "apiVersion: event-gen.github.io/v1alpha1\nkind: EventCatalog\nspec: {go: {package: p}, objects: {}, events: []}\n")
	for command, least := range map[string]int{"lint": 43, "scan --findings": 28, "breaking --against=catalog.yaml": 13} {
		cmd := exec.Command(bin, strings.Fields(command+" --format=sarif")...)
		cmd.Dir = dir
		out, _ := cmd.Output() // findings do not matter
		uris := helpURIs(t, command, out)
		if len(uris) < least {
			t.Errorf("%s describes %d rules, want %d", command, len(uris), least)
		}
		for _, uri := range uris {
			file, anchor, _ := strings.Cut(strings.TrimPrefix(uri, "https://"+modulePath+"/blob/main/"), "#")
			if !inTree(files(t), file) || anchor != "" && !slices.Contains(anchors(read(t, file)), anchor) {
				t.Errorf("%s: %s leads nowhere", command, uri)
			}
		}
	}
}

// helpURIs are the addresses of the rules in SARIF.
func helpURIs(t *testing.T, command string, data []byte) (uris []string) {
	t.Helper()
	var report struct {
		Runs []struct {
			Tool struct {
				Driver struct {
					Rules []struct{ HelpURI string }
				}
			}
		}
	}
	if err := json.Unmarshal(data, &report); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, data)
	}
	for _, run := range report.Runs {
		for _, rule := range run.Tool.Driver.Rules {
			uris = append(uris, rule.HelpURI)
		}
	}
	return uris
}
