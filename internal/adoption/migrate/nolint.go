package migrate

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// nolint matches a comment for golangci-lint at the end of a line: its linters, and its reason.
var nolint = regexp.MustCompile(`[ \t]*//[ \t]*nolint:([\w,-]+)([^\n]*)$`)

// WithoutStaticcheck returns the edit that removes staticcheck from a nolint comment behind an
// offset on its line, because the deprecated call that it excused is gone. It reports whether there
// is such a comment.
func WithoutStaticcheck(text []byte, at int) (e Edit, found bool) {
	line := text[at:]
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	m := nolint.FindSubmatchIndex(line)
	if m == nil {
		return e, false
	}
	linters := strings.Split(string(line[m[2]:m[3]]), ",")
	rest := slices.DeleteFunc(linters, func(l string) bool { return l == "staticcheck" })
	if len(rest) == 0 {
		return Edit{at + m[0], at + m[1], ""}, true
	}
	return Edit{at + m[2], at + m[3], strings.Join(rest, ",")}, true
}
