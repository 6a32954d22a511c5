// Package format writes findings for people and for programs. It quotes what catalogs hold, whoever wrote them: no text of
// a catalog can end a line, a command or an element, or move a terminal's cursor.
package format

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/fix"
)

// Rule is what a report says about a rule.
type Rule struct {
	ID, Name, Doc string
	Severity      diag.Severity
	// Help is Markdown.
	Help string
	// Document is the file of the repository that has the rule's page; empty: docs/lint.md.
	Document string
}

// Report is what is written.
type Report struct {
	// Tool and Version name the program.
	Tool, Version string
	Findings      diag.Findings
	// Problems are why the work could not be done: what is wrong with files, with the configuration and with Git. All
	// formats but text hold them; who reads text finds them on stderr.
	Problems diag.Findings
	// Files are the paths that were judged.
	Files []string
	// FailOn is the least severity that is a failure.
	FailOn diag.Severity
	Rules  []Rule
	// Source gives the text of a file that findings are in; nil where there is none.
	Source func(file string) []byte
	// Fixes are those of the findings, by index; absent ones have none.
	Fixes map[int]fix.Fix
	// InRepository gives the path of a file from the repository's root, with slashes, by which GitHub knows it; nil, or an empty
	// path: as positions have it.
	InRepository func(file string) string
	// Colour switches on colours of terminals, in text.
	Colour bool
	// Judged says what was looked at, such as "26 events in 2 catalogs". Text then ends with a line that sums up; it has
	// none if Judged is empty, or if there are problems only.
	Judged string
	// Hidden are the findings that are counted in that line only.
	Hidden diag.Findings
}

// writers are the formats.
var writers = map[string]func(io.Writer, *Report) error{
	"text":   writeText,
	"json":   writeJSON,
	"sarif":  writeSARIF,
	"github": writeGitHub,
	"junit":  writeJUnit,
}

// Names are the formats, text first.
var Names = []string{"text", "json", "sarif", "github", "junit"}

// Write writes a report in a format.
func Write(w io.Writer, name string, r *Report) error {
	write, known := writers[name]
	if !known {
		return fmt.Errorf("unknown format %q: it is %s", name, strings.Join(Names, ", "))
	}
	return write(w, r)
}

// path is what services that show a repository call a file.
func (r *Report) path(file string) string {
	if r.InRepository != nil {
		if path := r.InRepository(file); path != "" {
			return path
		}
	}
	return filepath.ToSlash(file)
}

// Line is a finding on one line that no text in it can break.
func Line(f diag.Finding) string { return clean(f.String()) }

// SevereLine is such a line with the severity: file:line:column: warning: message [EV106].
func SevereLine(f diag.Finding) string { return newPaint(false).finding(f) }

// ruleIndex is the place of a rule in the list; -1 if it is not there.
func (r *Report) ruleIndex(id string) int {
	return slices.IndexFunc(r.Rules, func(rule Rule) bool { return rule.ID == id })
}
