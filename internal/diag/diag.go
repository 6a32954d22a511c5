// Package diag holds what every stage reports: a finding with its position. It knows no rules and no output formats.
package diag

import (
	"cmp"
	"fmt"
	"slices"
)

// Pos is a position in a file. Line and Column count from 1, columns in runes; a Line of 0 means the file itself.
type Pos struct {
	File   string
	Line   int
	Column int
}

// String is file:line:col, or file where the position is the file itself.
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

// String is the name that formats and configuration use.
func (s Severity) String() string {
	return [...]string{"info", "warning", "error"}[s]
}

// Finding is one problem: where, which rule, what was expected, what was found and what to do.
type Finding struct {
	Pos      Pos
	Rule     string
	Severity Severity
	Message  string
	// Unread: the file, or a document of it, can't be read as what it is to be, so that nothing is known of its content.
	Unread bool
}

// String is the finding on one line: file:line:col: message [EV201].
func (f Finding) String() string {
	if f.Rule == "" {
		return fmt.Sprintf("%s: %s", f.Pos, f.Message)
	}
	return fmt.Sprintf("%s: %s [%s]", f.Pos, f.Message, f.Rule)
}

// Findings is a list of findings.
type Findings []Finding

// Errorf adds an error.
func (fs *Findings) Errorf(pos Pos, rule, format string, args ...any) {
	fs.add(pos, rule, Error, format, args)
}

// Unreadf adds an error about what can't be read.
func (fs *Findings) Unreadf(pos Pos, rule, format string, args ...any) {
	fs.add(pos, rule, Error, format, args)
	(*fs)[len(*fs)-1].Unread = true
}

// Warnf adds a warning.
func (fs *Findings) Warnf(pos Pos, rule, format string, args ...any) {
	fs.add(pos, rule, Warning, format, args)
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
