package report

import (
	"bytes"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/event-gen/event-gen/internal/migrate"
)

// Diff is the change of a file as a unified diff.
func Diff(f migrate.File, name string) []byte { return diff.Diff(name, f.Old, name, f.New) }

// Lines counts the lines that a unified diff adds and removes.
func Lines(f migrate.File) (added, removed int) {
	lines := bytes.Split(Diff(f, "f"), []byte("\n"))
	for _, line := range lines[min(3, len(lines)):] { // beyond the head
		switch {
		case bytes.HasPrefix(line, []byte("+")):
			added++
		case bytes.HasPrefix(line, []byte("-")):
			removed++
		}
	}
	return added, removed
}
