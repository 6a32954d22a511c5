package format

import (
	"io"
	"slices"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/plain"
)

type jsonFinding struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	Rule     string   `json:"rule"`
	Severity string   `json:"severity"`
	Message  string   `json:"message"`
	Fix      *jsonFix `json:"fix"`
	// These fields are only for comparisons: all rules that the change breaks, the current and
	// former names of its events, and the two sides of the change.
	Rules    []string  `json:"rules,omitempty"`
	Events   []string  `json:"events,omitempty"`
	Formerly []string  `json:"formerly,omitempty"`
	Before   *jsonSide `json:"before,omitempty"`
	After    *jsonSide `json:"after,omitempty"`
	// Callers are the calls that lead to a finding in a function that they call.
	Callers []jsonPosition `json:"callers,omitempty"`
}

type jsonPosition struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type jsonFix struct {
	Description string     `json:"description"`
	Edits       []jsonEdit `json:"edits"`
}

// jsonEdit replaces the text from the first position to before the second one.
type jsonEdit struct {
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Text      string `json:"text"`
}

// writeJSON writes one object for each finding, each on one line. A problem with a file has line 0
// and no rule.
func writeJSON(w io.Writer, r *Report) error {
	sources := newLines(r.Source)
	encoder := plain.Encoder(w)
	encoder.SetEscapeHTML(false)
	for i, f := range slices.Concat(r.Problems, r.Findings) {
		finding := newJSONFinding(f)
		if fix, ok := r.Fixes[i-len(r.Problems)]; ok {
			finding.Fix = newJSONFix(sources, f.Pos.File, fix)
		}
		if err := encoder.Encode(finding); err != nil {
			return err
		}
	}
	return nil
}

func newJSONFinding(f diag.Finding) jsonFinding {
	made := jsonFinding{
		File: f.Pos.File, Line: f.Pos.Line, Column: f.Pos.Column,
		Rule: f.Rule, Severity: f.Severity.String(), Message: Clean(f.Message),
	}
	if c := f.Change; c != nil {
		made.Rules, made.Events = c.Rules, cleaned(c.Events)
		if !slices.Equal(c.Events, c.Formerly) {
			made.Formerly = cleaned(c.Formerly)
		}
		made.Before, made.After = newJSONSide(c.Before), newJSONSide(c.After)
	}
	if f.Callers != nil {
		for _, at := range *f.Callers {
			made.Callers = append(made.Callers, jsonPosition{at.File, at.Line, at.Column})
		}
	}
	return made
}

func newJSONFix(sources *lines, file string, from diag.Fix) *jsonFix {
	made := &jsonFix{Description: from.Description}
	for _, e := range from.Edits {
		edit := jsonEdit{Text: e.Text}
		edit.Line, edit.Column = sources.position(file, e.Start)
		edit.EndLine, edit.EndColumn = sources.position(file, e.End)
		made.Edits = append(made.Edits, edit)
	}
	return made
}
