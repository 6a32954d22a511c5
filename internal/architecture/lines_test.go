package architecture

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// maxTestLines bounds the tests: one proof for one promise. It may shrink, and grows only on
// purpose.
const maxTestLines = 44_600

// TestTheTestsAreBounded counts the lines of test files without blanks, comments and what
// is generated.
func TestTheTestsAreBounded(t *testing.T) {
	sum := 0
	eachFile(t, "_test.go", func(path string, _ *token.FileSet, file *ast.File) {
		if ast.IsGenerated(file) {
			return
		}
		text, err := os.ReadFile(filepath.Join("../..", path))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				sum++
			}
		}
	})
	t.Logf("%d lines", sum)
	if sum > maxTestLines || sum < maxTestLines/2 {
		t.Errorf("%d lines of tests, expected at most %d; take out what another test proves", sum, maxTestLines)
	}
}
