package format

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// lines knows the lines of files.
type lines struct {
	source func(string) []byte
	starts map[string][]int
	texts  map[string][]byte
	boms   map[string]int // the length of a byte order mark
	// last is the line that was asked for last. Findings are sorted, so that the next one is often of the same line.
	last *line
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

// line returns a line of a file, empty if there is none.
func (l *lines) line(file string, number int) *line {
	if l.last == nil || l.last.file != file || l.last.number != number {
		l.last = newLine(file, number, l.text(file, number))
	}
	return l.last
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

// position returns the line and the column, in runes, of a byte of the file as it is on disk.
func (l *lines) position(file string, offset int) (number, column int) {
	text, starts := l.load(file)
	offset = min(max(offset-l.boms[file], 0), len(text))
	number = max(sort.SearchInts(starts, offset+1), 1)
	return number, l.line(file, number).column(offset - starts[number-1])
}

// step is the number of runes between two marks of a line.
const step = 1024

// line is one line, which may be as long as a file. Looking at a part of it costs that part only, because of the marks.
type line struct {
	file   string
	number int
	text   string
	runes  int   // their number
	marks  []int // the offset of each step-th rune
	blank  bool
	digest string
}

func newLine(file string, number int, text string) *line {
	l := &line{file: file, number: number, text: text, blank: strings.TrimSpace(text) == ""}
	for offset := range text {
		if l.runes%step == 0 {
			l.marks = append(l.marks, offset)
		}
		l.runes++
	}
	return l
}

// offset returns the place of a rune, counted from 0, in bytes.
func (l *line) offset(runes int) int {
	if runes >= l.runes {
		return len(l.text)
	}
	at := l.marks[runes/step]
	for range runes % step {
		_, size := utf8.DecodeRuneInString(l.text[at:])
		at += size
	}
	return at
}

// column returns the column of a byte of the line, or of its end.
func (l *line) column(offset int) int {
	if beyond := offset - len(l.text); beyond > 0 {
		return l.runes + beyond + 1
	}
	mark := sort.SearchInts(l.marks, offset+1) - 1
	if mark < 0 {
		return 1
	}
	return mark*step + utf8.RuneCountInString(l.text[l.marks[mark]:offset]) + 1
}

// longLine is the number of bytes from which a line is identified by a hash.
const longLine = 4096

// identity tells a line from others: it returns the text or, for a long line, its hash.
func (l *line) identity() string {
	if len(l.text) <= longLine {
		return strings.TrimSpace(l.text)
	}
	if l.digest == "" {
		l.digest = fmt.Sprintf("%x", sha256.Sum256([]byte(strings.TrimSpace(l.text))))
	}
	return l.digest
}
