package docs

import (
	"bytes"
	"errors"
	"fmt"
)

// The marker lines between which Splice puts text.
const (
	Begin = "<!-- event-gen docs: begin -->"
	End   = "<!-- event-gen docs: end -->"
)

// Splice replaces the text between the markers of a file, and returns the new content. The rest of
// the file stays as it is. The text gets the file's line endings.
func Splice(file, text []byte) ([]byte, error) {
	lines := bytes.SplitAfter(file, []byte("\n"))
	begin, err := only(lines, Begin)
	if err != nil {
		return nil, err
	}
	end, err := only(lines, End)
	if err != nil {
		return nil, err
	}
	if end < begin {
		return nil, fmt.Errorf("line %s comes before %s; swap them", End, Begin)
	}
	newline := lineEnd(lines[begin])
	text = bytes.ReplaceAll(bytes.Trim(text, "\n"), []byte("\n"), newline)
	between := bytes.Join([][]byte{nil, text, nil, nil}, newline)
	parts := append(lines[:begin+1:begin+1], between)
	return bytes.Join(append(parts, lines[end:]...), nil), nil
}

// only returns the index of the line with a marker. It fails unless there is exactly one.
func only(lines [][]byte, marker string) (int, error) {
	found := -1
	for i, line := range lines {
		if string(bytes.TrimSpace(line)) != marker {
			continue
		}
		if found >= 0 {
			return 0, errors.New("it has the line " + marker + " more than once; keep one")
		}
		found = i
	}
	if found < 0 {
		return 0, fmt.Errorf("it lacks the line %s; add the lines %s and %s where the documentation belongs", marker, Begin, End)
	}
	return found, nil
}

func lineEnd(line []byte) []byte {
	if bytes.HasSuffix(line, []byte("\r\n")) {
		return []byte("\r\n")
	}
	return []byte("\n")
}
