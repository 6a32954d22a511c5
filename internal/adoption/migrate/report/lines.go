package report

import (
	"bytes"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/event-gen/event-gen/internal/adoption/migrate"
)

// Diff returns the change of a file as a unified diff.
func Diff(f migrate.File, name string) []byte { return diff.Diff(name, f.Old, name, f.New) }

// Lines counts the lines that a change adds and removes, as git diff counts them: by the shortest
// script of edits. Diff shows longer scripts, because it keeps only lines that are unique in their
// file.
func Lines(f migrate.File) (added, removed int) {
	old, now := numbered(f.Old, f.New)
	edits := shortest(old, now)
	added = (edits + len(now) - len(old)) / 2
	return added, edits - added
}

// numbered gives each different line a number. As in git, a last line without a newline differs
// from the same line with one.
func numbered(old, now []byte) (a, b []int) {
	numbers := map[string]int{}
	number := func(text []byte) []int {
		var out []int
		for line := range bytes.Lines(text) {
			n, known := numbers[string(line)]
			if !known {
				n = len(numbers)
				numbers[string(line)] = n
			}
			out = append(out, n)
		}
		return out
	}
	return number(old), number(now)
}

// shortest returns the least number of lines to remove from a and to add from b, by Myers' greedy
// algorithm: after each number of edits it knows, for each diagonal, how far down a it can get.
func shortest(a, b []int) int {
	most := len(a) + len(b)
	// by diagonal: the number of lines of a minus the number of lines of b, which may be negative
	reached := make([]int, 2*most+2)
	at := func(diagonal int) *int { return &reached[diagonal+most] }
	for edits := 0; edits < most; edits++ {
		for d := -edits; d <= edits; d += 2 {
			x := 0
			switch {
			case edits == 0:
			case d == -edits || d != edits && *at(d - 1) < *at(d + 1):
				x = *at(d + 1) // a line of b is added
			default:
				x = *at(d - 1) + 1 // a line of a is removed
			}
			for x < len(a) && x-d < len(b) && a[x] == b[x-d] {
				x++
			}
			if x >= len(a) && x-d >= len(b) {
				return edits
			}
			*at(d) = x
		}
	}
	return most
}
