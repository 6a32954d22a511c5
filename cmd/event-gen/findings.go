package main

import (
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/fix"
	"github.com/event-gen/event-gen/internal/format"
	"github.com/event-gen/event-gen/internal/lint"
)

// withFixes are the formats that programs read.
var withFixes = []string{"json", "sarif"}

// printFindings writes the findings of catalogs, and what is in the way of others, in a format.
func printFindings(cmd *cobra.Command, in inputs, name string, failOn diag.Severity) error {
	sources := textOf(map[string][]byte{})
	var fixes map[int]fix.Fix
	if slices.Contains(withFixes, name) {
		fixes = fixesOf(in.findings, sources)
	}
	return format.Write(cmd.OutOrStdout(), name, &format.Report{
		Tool: "event-gen", Version: moduleVersion(),
		Findings: in.findings, Problems: in.problems, Files: in.files, FailOn: failOn,
		Rules: lintRules(), Source: sources.of, Fixes: fixes,
		Colour: name == format.Names[0] && isTerminal(cmd.OutOrStdout()),
	})
}

func lintRules() []format.Rule {
	var rules []format.Rule
	for _, r := range lint.Rules() {
		page, _ := lint.PageOf(r.ID)
		rules = append(rules, format.Rule{ID: r.ID, Name: r.Name, Doc: r.Doc, Severity: r.Severity, Help: page.Markdown()})
	}
	return rules
}

// fixesOf gives the fixes of findings, by index.
func fixesOf(findings diag.Findings, sources textOf) map[int]fix.Fix {
	fixes := map[int]fix.Fix{}
	parsed := map[string]*fix.File{}
	for i, f := range findings {
		file, known := parsed[f.Pos.File]
		if !known {
			file, _ = fix.Parse(sources.of(f.Pos.File))
			parsed[f.Pos.File] = file
		}
		if file == nil {
			continue
		}
		if mend, ok := file.For(f); ok {
			fixes[i] = mend
		}
	}
	return fixes
}

// textOf has the text of files that were asked for.
type textOf map[string][]byte

func (t textOf) of(file string) []byte {
	text, known := t[file]
	if !known {
		text, _ = os.ReadFile(file)
		t[file] = text
	}
	return text
}

// isTerminal reports whether somebody watches who sees colours.
func isTerminal(w io.Writer) bool {
	if p, ok := w.(*printer); ok {
		w = p.to
	}
	file, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
