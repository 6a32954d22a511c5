package rawcall

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// mark begins a comment that suppresses rules: //event-gen:ignore EV515,EV518 the reason.
const mark = "//event-gen:ignore"

// suppression is such a comment.
type suppression struct {
	pos    token.Pos
	rule   string
	reason string
	file   string
	line   int // the line whose findings it suppresses
	used   bool
}

// Suppressions holds the suppressions in files. Other packages ask it about their findings.
type Suppressions struct {
	fset *token.FileSet
	all  []*suppression
}

// SuppressionsOf reads the comments of files.
func SuppressionsOf(fset *token.FileSet, files []*ast.File) *Suppressions {
	s := &Suppressions{fset: fset}
	for _, f := range files {
		for _, group := range f.Comments {
			for _, comment := range group.List {
				if text, ok := strings.CutPrefix(comment.Text, mark); ok {
					s.add(f, comment, text)
				}
			}
		}
	}
	return s
}

func (s *Suppressions) add(f *ast.File, comment *ast.Comment, text string) {
	rules, reason, _ := strings.Cut(strings.TrimSpace(text), " ")
	at := s.fset.Position(comment.Pos())
	line := at.Line
	if !s.afterCode(f, at) {
		line++
	}
	for rule := range strings.SplitSeq(rules, ",") {
		s.all = append(s.all, &suppression{
			pos: comment.Pos(), rule: rule, reason: strings.TrimSpace(reason), file: at.Filename, line: line,
		})
	}
}

// afterCode reports whether code stands before a position on its line.
func (s *Suppressions) afterCode(f *ast.File, at token.Position) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if _, comments := n.(*ast.CommentGroup); n == nil || found || comments {
			return false
		}
		start, end := s.fset.Position(n.Pos()), s.fset.Position(n.End())
		found = start.Line == at.Line && start.Column < at.Column || end.Line == at.Line && end.Column <= at.Column
		return !found
	})
	return found
}

// Cover reports whether a finding is suppressed. A suppression without a reason covers nothing.
func (s *Suppressions) Cover(pos token.Pos, rule *callrules.Rule) (covered bool) {
	at := s.fset.Position(pos)
	for _, i := range s.all {
		if i.rule == rule.ID && i.reason != "" && i.file == at.Filename && i.line == at.Line {
			i.used, covered = true, true
		}
	}
	return covered
}

// useless returns the mistakes in suppressions. It accepts an unused suppression of a rule for
// which judged returns false.
func (s *Suppressions) useless(judged func(rule *callrules.Rule) bool) (findings []Finding) {
	report := func(i *suppression, message string) {
		findings = append(findings, Finding{Pos: i.pos, Rule: callrules.Suppression, Severity: callrules.Suppression.Severity, Message: message})
	}
	for _, i := range s.all {
		rule := callrules.Of(i.rule)
		switch {
		case rule == nil:
			report(i, fmt.Sprintf("there is no rule %q to suppress", i.rule))
		case i.reason == "":
			report(i, "the suppression of "+i.rule+" gives no reason, so it has no effect")
		case !i.used && judged(rule):
			report(i, "nothing here has a finding of "+i.rule+"; remove the suppression")
		}
	}
	return findings
}

// suppress drops findings that comments suppress, and reports useless comments.
func (c *checker) suppress() {
	var files []*ast.File
	for _, p := range c.Packages {
		if !p.Dependency {
			files = append(files, p.Syntax...)
		}
	}
	s := SuppressionsOf(c.Fset, files)
	for i, f := range c.findings {
		callers := slices.Clone(f.Callers)
		c.findings[i].Callers = slices.DeleteFunc(callers, func(at token.Pos) bool { return s.Cover(at, f.Rule) })
		c.findings[i].covered = len(f.Callers) > 0 && len(c.findings[i].Callers) == 0
	}
	c.findings = slices.DeleteFunc(c.findings, func(f Finding) bool { return s.Cover(f.Pos, f.Rule) || f.covered })
	if c.Whole {
		c.findings = append(c.findings, s.useless(c.judges)...)
	}
}

// judges reports whether this check runs a rule. The analyzer runs two rules itself, and a setting
// can switch off others.
func (c *checker) judges(rule *callrules.Rule) bool {
	switch rule {
	case callrules.RawCall, callrules.DeprecatedEvent:
		return false
	case callrules.NoteTooLong:
		return c.Strict
	}
	return true
}
