package catalog

import (
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// locate returns the positions of a scalar's runes. They are exact for a scalar on one line. In a
// longer scalar, each rune has the position of the scalar.
func (w *walker) locate(n *yaml.Node) func(rune int) diag.Pos {
	start := w.pos(n)
	columns := w.columns(n)
	return func(rune int) diag.Pos {
		if rune < 0 || rune >= len(columns) {
			return start
		}
		return diag.Pos{File: start.File, Line: start.Line, Column: columns[rune]}
	}
}

// columns returns the column of each rune of a scalar; nil if the scalar ends on another line.
func (w *walker) columns(n *yaml.Node) []int {
	if n.Line < 1 || n.Line > len(w.lines) {
		return nil
	}
	raw := w.runes(n.Line)
	first := n.Column - 1
	if first < 0 || first >= len(raw) {
		return nil
	}
	var columns []int
	switch n.Style {
	case yaml.DoubleQuotedStyle:
		columns = quotedColumns(raw, first+1, '"', escapeWidth)
	case yaml.SingleQuotedStyle:
		columns = quotedColumns(raw, first+1, '\'', doubledWidth)
	case 0:
		columns = plainColumns(first+1, utf8.RuneCountInString(n.Value))
	}
	if len(columns) != utf8.RuneCountInString(n.Value) {
		return nil
	}
	return columns
}

// runes returns a line of the document. It caches the last line, because a long line may have many
// nodes.
func (w *walker) runes(line int) []rune {
	if w.lastLine != line {
		w.lastLine, w.lastRunes = line, []rune(string(w.lines[line-1]))
	}
	return w.lastRunes
}

// quotedColumns returns the columns of the runes between an opening quote and the closing one.
// width returns the number of raw runes that encode the next rune.
func quotedColumns(raw []rune, next int, quote rune, width func([]rune) int) []int {
	columns := []int{}
	for next < len(raw) {
		step := width(raw[next:])
		if raw[next] == quote && step == 1 {
			return columns
		}
		columns = append(columns, next+1)
		next += step
	}
	return nil
}

func doubledWidth(raw []rune) int {
	if len(raw) > 1 && raw[0] == '\'' && raw[1] == '\'' {
		return 2
	}
	return 1
}

func escapeWidth(raw []rune) int {
	if raw[0] != '\\' || len(raw) < 2 {
		return 1
	}
	switch raw[1] {
	case 'x':
		return 4
	case 'u':
		return 6
	case 'U':
		return 10
	}
	return 2
}

func plainColumns(first, count int) []int {
	columns := make([]int, count)
	for i := range columns {
		columns[i] = first + i
	}
	return columns
}
