// Package diag has the findings that every stage reports, with their positions and the ids of
// rules. It does not depend on output formats.
package diag

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Pos is a position in a file. Line and Column count from 1, columns in runes; a Line of 0 means
// the file itself.
type Pos struct {
	File         string
	Line, Column int
}

// String returns file:line:col, or file if the position is the file itself.
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, max(p.Column, 1))
}

// Severity ranks findings.
type Severity int

// The severities, least first.
const (
	Info Severity = iota
	Warning
	Error
)

var severityNames = []string{"info", "warning", "error"}

// String returns the name that formats, flags and the configuration use.
func (s Severity) String() string { return severityNames[s] }

// Set reads a name. It fails for other words, and then leaves the severity as it is.
func (s *Severity) Set(name string) error {
	i := slices.Index(severityNames, name)
	if i < 0 {
		return errors.New("expected error, warning or info")
	}
	*s = Severity(i)
	return nil
}

// Type names the values of a flag in its usage.
func (*Severity) Type() string { return "severity" }

// Finding is one problem: its position, its rule, what was expected, what was found and what to do.
type Finding struct {
	Pos      Pos
	Rule     string
	Severity Severity
	Message  string
	// Unread is true if the file, or a document of it, can't be read. Nothing is then known of its
	// content.
	Unread bool
	// Change is the change that a comparison found; nil for all other findings.
	Change *Change
	// Callers are the calls that lead to a finding in a function that they call; nil if it says
	// nothing of them.
	Callers *Positions
}

// Positions are places beside a finding's own.
type Positions []Pos

// Change is a difference between an older and a newer set of catalogs that breaks users.
type Change struct {
	// Rules are all rules that it breaks, the finding's first.
	Rules []string
	// Events holds the names of the events that it affects, and Formerly their former names.
	Events, Formerly []string
	Before, After    Side
}

// Side is one side of a change: positions, values, and matchers of the events. Its lists have each
// text once.
type Side struct {
	At, Values, LabelSelectors, FieldSelectors, PromQL []string
}

// Add adds a place and a value, unless they are empty or there already.
func (s *Side) Add(at, value string) {
	for _, list := range []struct {
		to   *[]string
		text string
	}{{&s.At, at}, {&s.Values, value}} {
		if list.text != "" && !slices.Contains(*list.to, list.text) {
			*list.to = append(*list.to, list.text)
		}
	}
}

// String returns the finding on one line: file:line:col: message [EV201].
func (f Finding) String() string {
	if f.Rule == "" {
		return fmt.Sprintf("%s: %s", f.Pos, f.Message)
	}
	return fmt.Sprintf("%s: %s [%s]", f.Pos, f.Message, f.Rules())
}

// Rules returns the rule, or all rules that a change breaks: "BW01, BG01".
func (f Finding) Rules() string {
	if f.Change == nil || len(f.Change.Rules) < 2 {
		return f.Rule
	}
	return strings.Join(f.Change.Rules, ", ")
}

// Findings is a list of findings.
type Findings []Finding

// Errorf adds an error.
func (fs *Findings) Errorf(pos Pos, rule, format string, args ...any) {
	fs.add(pos, rule, Error, format, args)
}

// Unreadf adds an error about something that can't be read.
func (fs *Findings) Unreadf(pos Pos, rule, format string, args ...any) {
	fs.add(pos, rule, Error, format, args)
	(*fs)[len(*fs)-1].Unread = true
}

// Warnf adds a warning.
func (fs *Findings) Warnf(pos Pos, rule, format string, args ...any) {
	fs.add(pos, rule, Warning, format, args)
}

// Infof adds an info.
func (fs *Findings) Infof(pos Pos, rule, format string, args ...any) {
	fs.add(pos, rule, Info, format, args)
}

func (fs *Findings) add(pos Pos, rule string, severity Severity, format string, args []any) {
	*fs = append(*fs, Finding{Pos: pos, Rule: rule, Severity: severity, Message: fmt.Sprintf(format, args...)})
}

// HasErrors reports whether any finding is an error.
func (fs Findings) HasErrors() bool {
	return slices.ContainsFunc(fs, func(f Finding) bool { return f.Severity == Error })
}

// Sort orders findings by file, line, column, rule and message.
func (fs Findings) Sort() {
	slices.SortStableFunc(fs, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Pos.File, b.Pos.File),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Message, b.Message),
		)
	})
}

// Besides returns the findings at positions where others has none, because a value with an error
// need not be judged again.
func (fs Findings) Besides(others Findings) Findings {
	taken := map[Pos]bool{}
	for _, f := range others {
		taken[f.Pos] = true
	}
	return slices.DeleteFunc(fs, func(f Finding) bool { return taken[f.Pos] })
}

// WithoutMark returns the text of a file without a byte order mark at its beginning. Columns count
// from after the mark.
func WithoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\uFEFF")) }
