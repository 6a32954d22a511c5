package docs

import (
	"strings"
	"testing"
)

// TestThePageForTheNight is short: who reads it has no time.
func TestThePageForTheNight(t *testing.T) {
	const mostLines = 150
	if lines := strings.Count(read(t, "docs/operating.md"), "\n"); lines > mostLines {
		t.Errorf("docs/operating.md has %d lines, at most %d may be", lines, mostLines)
	}
}

// Cells of the run time's pages are short.
func TestCellsAreShort(t *testing.T) {
	const mostWords = 25
	for _, page := range []string{"operating", "operating-reference", "mechanics", "reliability", "runtime", "security"} {
		page = "docs/" + page + ".md"
		for line := range strings.SplitSeq(read(t, page), "\n") {
			if !strings.HasPrefix(line, "| ") {
				continue
			}
			for cell := range strings.SplitSeq(strings.Trim(line, "| "), " | ") {
				if words := len(strings.Fields(cell)); words > mostWords {
					t.Errorf("%s: a cell has %d words, at most %d may be: %s", page, words, mostWords, cell)
				}
			}
		}
	}
}
