package report

import (
	"bytes"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/event-gen/event-gen/internal/adoption/migrate"
)

// Diff returns the change of a file as a unified diff.
func Diff(f migrate.File, name string) []byte { return diff.Diff(name, f.Old, name, f.New) }

// Lines counts the lines that Diff shows as added and removed.
func Lines(f migrate.File) (added, removed int) {
	_, hunks, _ := bytes.Cut(Diff(f, ""), []byte("\n@@"))
	for line := range bytes.Lines(hunks) {
		switch line[0] {
		case '+':
			added++
		case '-':
			removed++
		}
	}
	return added, removed
}
