package architecture

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// lastColumn is the last column of a comment, with tabs of four columns.
const lastColumn = 100

// kept matches comments whose lines can't be broken: output of examples, directives, expectations
// of analyzer tests, and code.
var kept = regexp.MustCompile(`^//(\t| {2,}|\S|.*// want|\s*(Unordered output|Output):| want ["` + "`" + `])`)

// TestCommentsEndAtColumn100 checks all comments that people write. Generated code and testdata do
// not count.
func TestCommentsEndAtColumn100(t *testing.T) {
	eachFile(t, ".go", func(path string, set *token.FileSet, file *ast.File) {
		if ast.IsGenerated(file) {
			return
		}
		source, err := os.ReadFile(filepath.Join("..", "..", path))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(source), "\n")
		for _, group := range file.Comments {
			for _, c := range group.List {
				if kept.MatchString(c.Text) {
					if strings.Contains(strings.ToLower(c.Text), "output:") {
						break
					}
					continue
				}
				line := set.Position(c.Slash).Line
				end := utf8.RuneCountInString(strings.ReplaceAll(strings.TrimSpace(lines[line-1]), "\t", "    ")) + 4*leading(lines[line-1])
				if end > lastColumn {
					t.Errorf("%s:%d: a comment ends at column %d, after %d", path, line, end, lastColumn)
				}
			}
		}
	})
}

func leading(line string) int { return len(line) - len(strings.TrimLeft(line, "\t")) }
