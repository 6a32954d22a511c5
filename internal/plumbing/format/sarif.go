package format

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/plain"
)

const informationURI = "https://github.com/event-gen/event-gen"

var levels = map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "note"}

// writeSARIF writes SARIF 2.1.0 for code scanning.
func writeSARIF(w io.Writer, r *Report) error {
	run := sarif.NewRunWithInformationURI(r.Tool, informationURI)
	run.WithColumnKind("unicodeCodePoints")
	if r.Version != "" {
		run.Tool.Driver.WithVersion(r.Version)
	}
	for _, rule := range r.Rules {
		describe(run.AddRule(rule.ID), rule)
	}
	s := sarifWriter{report: r, lines: newLines(r.Source), seen: map[string]int{}}
	for i, f := range r.Findings {
		run.AddResult(s.result(i, f))
	}
	if len(r.Problems) > 0 {
		run.AddInvocation(r.failedInvocation())
	}
	report := sarif.NewReport()
	report.AddRun(run)
	var b bytes.Buffer
	if err := report.PrettyWrite(&b); err != nil {
		return err
	}
	_, err := w.Write(plain.JSON(b.Bytes()))
	return err
}

func describe(d *sarif.ReportingDescriptor, rule Rule) {
	d.WithName(rule.Name).WithDescription(rule.Doc)
	d.WithHelp(sarif.NewMultiformatMessageString().WithText(rule.Doc).WithMarkdown(rule.Help))
	d.WithHelpURI(informationURI + "/blob/main/" + cmp.Or(rule.Document, "docs/rules/"+rule.ID+".md"))
	d.WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(levels[rule.Severity]))
}

type sarifWriter struct {
	report *Report
	lines  *lines
	seen   map[string]int
}

func (s *sarifWriter) result(i int, f diag.Finding) *sarif.Result {
	result := sarif.NewRuleResult(f.Rule).WithLevel(levels[f.Severity]).WithMessage(sarif.NewTextMessage(Clean(f.Message)))
	if index := s.report.ruleIndex(f.Rule); index >= 0 {
		result.WithRuleIndex(index)
	}
	result.AddLocation(s.report.locationOf(f.Pos))
	result.PartialFingerprints = map[string]string{"eventGen/v1": s.fingerprint(f)}
	if fix, ok := s.report.Fixes[i]; ok {
		result.WithFixes([]*sarif.Fix{s.fix(f.Pos.File, fix)})
	}
	if f.Callers != nil {
		for _, at := range *f.Callers {
			result.AddRelatedLocation(s.report.locationOf(at).WithMessage(sarif.NewTextMessage("a call that leads here")))
		}
	}
	if c := f.Change; c != nil {
		result.WithProperties(changeProperties(c))
	}
	return result
}

// changeProperties returns the fields of a change in JSON.
func changeProperties(c *diag.Change) *sarif.PropertyBag {
	bag := sarif.NewPropertyBag().Add("before", newJSONSide(c.Before)).Add("after", newJSONSide(c.After))
	for key, list := range map[string][]string{"rules": c.Rules, "events": c.Events, "formerly": c.Formerly} {
		if len(list) > 0 {
			bag.Add(key, cleaned(list))
		}
	}
	return bag
}

// failedInvocation returns an invocation with the reasons why the command could not do its work.
func (r *Report) failedInvocation() *sarif.Invocation {
	invocation := sarif.NewInvocation().WithExecutionSuccessful(false)
	for _, f := range r.Problems {
		invocation.AddToolExecutionNotification(sarif.NewNotification().
			WithLevel(levels[f.Severity]).WithMessage(sarif.NewTextMessage(Line(f))).AddLocation(r.locationOf(f.Pos)))
	}
	return invocation
}

// locationOf returns the location of a position. The location of a whole file is its first line.
func (r *Report) locationOf(pos diag.Pos) *sarif.Location {
	region := sarif.NewRegion().WithStartLine(max(pos.Line, 1)).WithStartColumn(max(pos.Column, 1))
	return sarif.NewLocation().WithPhysicalLocation(
		sarif.NewPhysicalLocation().WithArtifactLocation(r.artifact(pos.File)).WithRegion(region))
}

func (r *Report) artifact(file string) *sarif.ArtifactLocation {
	location := url.URL{Path: r.path(file)}
	return sarif.NewArtifactLocation().WithURI(location.String())
}

// fingerprint returns an id of a finding that stays the same when lines move. It hashes the rule,
// the file and the text of the line. Equal texts are numbered.
func (s *sarifWriter) fingerprint(f diag.Finding) string {
	text := strings.Join([]string{f.Rule, s.report.path(f.Pos.File), strings.TrimSpace(s.lines.text(f.Pos.File, f.Pos.Line))}, "\x00")
	s.seen[text]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", text, s.seen[text]))
	return hex.EncodeToString(sum[:16])
}

func (s *sarifWriter) fix(file string, from diag.Fix) *sarif.Fix {
	change := sarif.NewArtifactChange().WithArtifactLocation(s.report.artifact(file))
	for _, e := range from.Edits {
		line, column := s.lines.position(file, e.Start)
		endLine, endColumn := s.lines.position(file, e.End)
		region := sarif.NewRegion().WithStartLine(line).WithStartColumn(column).WithEndLine(endLine).WithEndColumn(endColumn)
		change.AddReplacement(sarif.NewReplacement().WithDeletedRegion(region).WithInsertedContent(sarif.NewArtifactContent().WithText(e.Text)))
	}
	return sarif.NewFix().WithDescription(sarif.NewTextMessage(from.Description)).WithArtifactChanges([]*sarif.ArtifactChange{change})
}
