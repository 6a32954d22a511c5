package docs

import (
	"strings"
	"testing"
)

// TestThePageForTheNight is short, and so are its cells: who reads it has no time.
func TestThePageForTheNight(t *testing.T) {
	const mostLines, mostWords = 150, 25
	text := read(t, "docs/operating.md")
	if lines := strings.Count(text, "\n"); lines > mostLines {
		t.Errorf("docs/operating.md has %d lines, at most %d may be", lines, mostLines)
	}
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		for cell := range strings.SplitSeq(strings.Trim(line, "| "), " | ") {
			if words := len(strings.Fields(cell)); words > mostWords {
				t.Errorf("docs/operating.md: a cell has %d words, at most %d may be: %s", words, mostWords, cell)
			}
		}
	}
}
