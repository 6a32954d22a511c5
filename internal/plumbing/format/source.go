package format

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// lines holds the lines of files.
type lines struct {
	source func(string) []byte
	starts map[string][]int
	texts  map[string][]byte
	boms   map[string]int // the length of a byte order mark
}

func newLines(source func(string) []byte) *lines {
	return &lines{source: source, starts: map[string][]int{}, texts: map[string][]byte{}, boms: map[string]int{}}
}

func (l *lines) load(file string) ([]byte, []int) {
	if starts, known := l.starts[file]; known {
		return l.texts[file], starts
	}
	var whole []byte
	if l.source != nil {
		whole = l.source(file)
	}
	text := diag.WithoutMark(whole)
	starts := []int{0}
	for i, b := range text {
		if b == '\n' {
			starts = append(starts, i+1)
		}
	}
	l.texts[file], l.starts[file], l.boms[file] = text, starts, len(whole)-len(text)
	return text, starts
}

// text returns a line of a file without its end.
func (l *lines) text(file string, number int) string {
	text, starts := l.load(file)
	if number < 1 || number > len(starts) {
		return ""
	}
	rest := text[starts[number-1]:]
	if end := bytes.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	return string(bytes.TrimSuffix(rest, []byte("\r")))
}

// position returns the line and the column, in runes, of a byte offset in the file on disk.
func (l *lines) position(file string, offset int) (number, column int) {
	text, starts := l.load(file)
	offset = min(max(offset-l.boms[file], 0), len(text))
	number = max(sort.SearchInts(starts, offset+1), 1)
	return number, utf8.RuneCount(text[starts[number-1]:offset]) + 1
}
