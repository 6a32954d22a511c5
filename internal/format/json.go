package format

import (
	"encoding/json"
	"io"
)

type jsonFinding struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	Rule     string   `json:"rule"`
	Severity string   `json:"severity"`
	Message  string   `json:"message"`
	Fix      *jsonFix `json:"fix"`
}

type jsonFix struct {
	Description string     `json:"description"`
	Edits       []jsonEdit `json:"edits"`
}

// jsonEdit replaces what is from the first position to before the second one.
type jsonEdit struct {
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Text      string `json:"text"`
}

// writeJSON writes an object a finding, each on a line.
func writeJSON(w io.Writer, r *Report) error {
	sources := newLines(r.Source)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for i, f := range r.Findings {
		finding := jsonFinding{
			File: f.Pos.File, Line: f.Pos.Line, Column: f.Pos.Column,
			Rule: f.Rule, Severity: f.Severity.String(), Message: clean(f.Message),
		}
		if fix, ok := r.Fixes[i]; ok {
			finding.Fix = &jsonFix{Description: fix.Description}
			for _, e := range fix.Edits {
				edit := jsonEdit{Text: e.Text}
				edit.Line, edit.Column = sources.position(f.Pos.File, e.Start)
				edit.EndLine, edit.EndColumn = sources.position(f.Pos.File, e.End)
				finding.Fix.Edits = append(finding.Fix.Edits, edit)
			}
		}
		if err := encoder.Encode(finding); err != nil {
			return err
		}
	}
	return nil
}
