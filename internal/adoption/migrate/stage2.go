package migrate

import (
	"strconv"
	"strings"
)

// Rewrite makes edits, which must not overlap. It adds the imports of the new text (import paths
// and their names), and drops imports that only the old text used, as goimports does. A formatted
// text stays formatted. All other lines stay.
func Rewrite(old []byte, edits []Edit, imports map[string]string) ([]byte, error) {
	text, err := tidyImports(old, apply(old, edits), imports)
	if err != nil {
		return nil, err
	}
	return inStyle(old, text)
}

// parsePosition splits file:line:col; the column may be missing.
func parsePosition(pos string) (file string, line int, column string, err error) {
	file, rest, _ := strings.Cut(pos, ":")
	text, column, _ := strings.Cut(rest, ":")
	line, err = strconv.Atoi(text)
	return file, line, column, err
}
