package format

import (
	"bytes"
	"unicode/utf8"
)

// lines knows the lines of files.
type lines struct {
	source func(string) []byte
	starts map[string][]int
	texts  map[string][]byte
}

func newLines(source func(string) []byte) *lines {
	return &lines{source: source, starts: map[string][]int{}, texts: map[string][]byte{}}
}

func (l *lines) load(file string) ([]byte, []int) {
	if starts, known := l.starts[file]; known {
		return l.texts[file], starts
	}
	var text []byte
	if l.source != nil {
		text = bytes.TrimPrefix(l.source(file), []byte("\uFEFF"))
	}
	starts := []int{0}
	for i, b := range text {
		if b == '\n' {
			starts = append(starts, i+1)
		}
	}
	l.texts[file], l.starts[file] = text, starts
	return text, starts
}

// line is a line of a file without its end; empty if there is none.
func (l *lines) line(file string, number int) string {
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

// position is the line and the column, in runes, of a byte of the file as it is on disk.
func (l *lines) position(file string, offset int) (line, column int) {
	text, starts := l.load(file)
	if l.source != nil && bytes.HasPrefix(l.source(file), []byte("\uFEFF")) {
		offset -= len("\uFEFF")
	}
	offset = min(max(offset, 0), len(text))
	line = len(starts)
	for line > 1 && starts[line-1] > offset {
		line--
	}
	return line, utf8.RuneCount(text[starts[line-1]:offset]) + 1
}
