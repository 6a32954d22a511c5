package catalog

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// MaxBytes is the size of the largest file that Read accepts. It holds about 25,000 short entries.
const MaxBytes = 4 << 20

// chunk is the text of one document of a file.
type chunk struct {
	line int // lines of the file before it
	text []byte
}

// split splits a file at its document markers. Nothing else at the start of a line looks like a
// marker, so split need not parse YAML. A syntax error in one document therefore hides nothing in
// the others.
func split(data []byte) []chunk {
	var chunks []chunk
	line, start, first, open := 0, 0, 0, false
	cut := func(end, next int) {
		chunks = append(chunks, chunk{line: first, text: data[start:end]})
		start, first, open = end, next, false
	}
	offset := 0
	for text := range bytes.Lines(data) {
		switch {
		case isMarker(text, "---"):
			if open {
				cut(offset, line)
			}
			open = true
		case isMarker(text, "..."):
			cut(offset+len(text), line+1)
		case hasContent(text):
			open = true
		}
		offset += len(text)
		line++
	}
	cut(offset, line)
	return chunks
}

func isMarker(line []byte, marker string) bool {
	rest, found := bytes.CutPrefix(line, []byte(marker))
	return found && (len(rest) == 0 || bytes.ContainsRune([]byte(" \t\r\n"), rune(rest[0])))
}

// hasContent reports whether a line has more than space, a comment or a directive.
func hasContent(line []byte) bool {
	text := bytes.TrimSpace(line)
	return len(text) > 0 && text[0] != '#' && line[0] != '%'
}

// checkText reports the first character that a catalog must not contain. YAML, unlike editors,
// reads some of these characters as line breaks, so later positions would be wrong.
func checkText(file string, data []byte) (finding diag.Findings) {
	pos := diag.Pos{File: file, Line: 1, Column: 1}
	for rest := data; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 {
			finding.Unreadf(pos, diag.Syntax, "the file is not UTF-8 text; save it as UTF-8")
			return finding
		}
		if problem := badRune(r, rest[size:]); problem != "" {
			finding.Errorf(pos, diag.Syntax, "%s", problem)
			return finding
		}
		rest = rest[size:]
		if r == '\n' {
			pos.Line, pos.Column = pos.Line+1, 1
		} else {
			pos.Column++
		}
	}
	return nil
}

func badRune(r rune, rest []byte) string {
	switch {
	case r < unicode.MaxASCII && r >= ' ' || r == '\n' || r == '\t':
		return ""
	case r == '\r' && len(rest) > 0 && rest[0] == '\n':
		return ""
	case r == '\r':
		return "a carriage return without a line feed; end lines with LF or CRLF"
	case r == '\uFEFF':
		return "a byte order mark inside the file; remove it"
	case r == '\u0085' || r == '\u2028' || r == '\u2029' || unicode.IsControl(r):
		return fmt.Sprintf("the control character %U; remove it, or write it as an escape in double quotes", r)
	}
	return ""
}
