// Package format writes findings for people and for programs. It quotes all text from catalogs,
// because their authors may be strangers: no text of a catalog can end a line, a command or an
// element, or move a terminal's cursor.
package format

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

// Rule is the description of a rule in a report.
type Rule struct {
	ID, Name, Doc string
	Severity      diag.Severity
	// Help is Markdown.
	Help string
	// Document is the page of the rule in the repository; empty: docs/rules/ID.md.
	Document string
}

// Report is the data to write.
type Report struct {
	// Tool and Version name the program.
	Tool, Version string
	Findings      diag.Findings
	// Problems are the reasons why the command could not do its work: problems with files, the
	// configuration or Git. All formats except text include them; for text they are on stderr.
	Problems diag.Findings
	// Files are the paths that were judged.
	Files []string
	// FailOn is the least severity that is a failure.
	FailOn diag.Severity
	Rules  []Rule
	// Source returns the text of a file with findings; nil if it is not known.
	Source func(file string) []byte
	// Fixes are the fixes of the findings, by index; a finding without a fix is absent.
	Fixes map[int]diag.Fix
	// InRepository returns the path of a file below the repository's root, with slashes, as GitHub
	// needs it. If it is nil or returns "", the path of the position is used.
	InRepository func(file string) string
	// Colour switches on terminal colours in text.
	Colour bool
	// Judged describes what was judged, such as "26 events in 2 catalogs". Text then ends with a
	// summary line; it has none if Judged is empty, or if there are only problems.
	Judged string
	// Hidden are the findings that only the summary line counts.
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

// Names lists the formats, text first.
var Names = []string{"text", "json", "sarif", "github", "junit"}

// Write writes a report in the named format.
func Write(w io.Writer, name string, r *Report) error {
	write, known := writers[name]
	if !known {
		return fmt.Errorf("expected the format %s, found %q", spell.Alternatives(Names), name)
	}
	return write(w, r)
}

// path returns a file's path for services that show a repository.
func (r *Report) path(file string) string {
	if r.InRepository != nil {
		if path := r.InRepository(file); path != "" {
			return path
		}
	}
	return filepath.ToSlash(file)
}

// Line returns a finding on one line that no text in it can break.
func Line(f diag.Finding) string { return Clean(f.String()) }

// SevereLine is like Line, with the severity: file:line:column: warning: message [EV106].
func SevereLine(f diag.Finding) string { return newPaint(false).finding(f) }

// ruleIndex returns the index of a rule in the list; -1 if it is not there.
func (r *Report) ruleIndex(id string) int {
	return slices.IndexFunc(r.Rules, func(rule Rule) bool { return rule.ID == id })
}
