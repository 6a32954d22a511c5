// Package docs holds the documentation to what it says: the tutorial is run as it stands, links
// lead somewhere, and what is named exists.
package docs

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// root is the folder of the work tree.
var root = filepath.Join("..", "..")

// files are the files of the work tree as git would commit them, slash-separated and relative to
// root.
func files(t testing.TB) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	var paths []string
	for path := range bytes.SplitSeq(out, []byte{0}) {
		if _, err := os.Lstat(filepath.Join(root, string(path))); err == nil && len(path) > 0 {
			paths = append(paths, string(path))
		}
	}
	return paths
}

// read reads a file of the work tree.
func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// pages are the Markdown files of the work tree.
func pages(t testing.TB) []string {
	t.Helper()
	var paths []string
	for _, path := range files(t) {
		if strings.HasSuffix(path, ".md") && !strings.Contains(path, "/testdata/") {
			paths = append(paths, path)
		}
	}
	return paths
}

// block is a fenced block, with the last line of text before it.
type block struct {
	line int
	lang string
	lead string
	text string
}

// blocks are the fenced blocks of a page, and what the page is without them.
func blocks(page string) (found []block, prose string) {
	var rest strings.Builder
	var open *block
	lead := ""
	for i, line := range strings.Split(page, "\n") {
		fence, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && open == nil:
			open = &block{line: i + 1, lang: fence, lead: lead}
		case isFence:
			found = append(found, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		default:
			rest.WriteString(line + "\n")
			if line = strings.TrimSpace(line); line != "" {
				lead = line
			}
		}
	}
	return found, rest.String()
}

// section is the part of a page under a heading of the second level.
func section(t testing.TB, page, heading string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, "\n## "+heading+"\n")
	if !found {
		t.Fatalf("no section %q", heading)
	}
	text, _, _ := strings.Cut(rest, "\n## ")
	return text
}
