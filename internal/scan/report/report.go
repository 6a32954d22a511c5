// Package report writes what a scan has found: a table for people, and tab-separated text, JSON and YAML for programs.
package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/event-gen/event-gen/internal/scan"
)

// Names are the formats, the one for people first.
var Names = []string{"table", "tsv", "json", "yaml"}

// Options say how a result is written.
type Options struct {
	Format string
	// Dir is the folder that files are named from; those that do not lie below it are named in full.
	Dir string
}

// Write writes a result.
func Write(w io.Writer, r *scan.Result, o Options) error {
	switch o.Format {
	case "table":
		return writeTable(w, r, o.Dir)
	case "tsv":
		return writeTSV(w, r, o.Dir)
	case "json":
		return writeJSON(w, documentOf(r, o.Dir))
	case "yaml":
		return writeYAML(w, documentOf(r, o.Dir))
	}
	return fmt.Errorf("unknown format %q; it is one of %s", o.Format, strings.Join(Names, ", "))
}
