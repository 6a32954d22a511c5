package report

import (
	"github.com/rogpeppe/go-internal/diff"

	"github.com/event-gen/event-gen/internal/migrate"
)

// Diff is the change of a file as a unified diff.
func Diff(f migrate.File, name string) []byte { return diff.Diff(name, f.Old, name, f.New) }
