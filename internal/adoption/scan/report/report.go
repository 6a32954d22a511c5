// Package report writes the result of a scan: as a table for people, and as JSON for programs.
package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// Names lists the formats. The first one is for people.
var Names = []string{"table", "json"}

// Write writes a result in a format. Paths of files below dir are relative to dir, others are
// absolute.
func Write(w io.Writer, r *scan.Result, format, dir string) error {
	switch format {
	case "table":
		return writeTable(w, r, dir)
	case "json":
		return writeJSON(w, documentOf(r, dir))
	}
	return fmt.Errorf("unknown format %q; it is one of %s", format, strings.Join(Names, ", "))
}
