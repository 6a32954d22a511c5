package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/catalog/fix"
	"github.com/event-gen/event-gen/internal/catalog/inputs"
	"github.com/event-gen/event-gen/internal/catalog/lint"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
	"github.com/event-gen/event-gen/internal/plumbing/format"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

// unknownValue returns the error for a value of a flag that is none of the flag's words.
func unknownValue(flag, value string, words ...string) error {
	return fmt.Errorf("--%s: expected %s, found %q%s", flag, spell.Alternatives(words), value, spell.DidYouMean(value, words))
}

// withFixes lists the formats for programs that include fixes.
var withFixes = []string{"json", "sarif"}

// printFindings writes the findings of severity show or worse, and the problems, in the named
// format. sources has the texts that replace files on disk. It returns the command's outcome.
func printFindings(cmd *cobra.Command, in inputs.Inputs, sources textOf, name string, show, failOn diag.Severity) error {
	shown, hidden := divide(in.Findings, show)
	var fixes map[int]fix.Fix
	if slices.Contains(withFixes, name) {
		fixes = fixesOf(shown, sources)
	}
	return publish(cmd, name, &format.Report{
		Findings: shown, Hidden: hidden, Problems: in.Problems, Files: in.Files, FailOn: failOn,
		Rules: lintRules(), Source: sources.of, Fixes: fixes, Judged: judged(in),
	})
}

// publish completes a report and writes it in the named format. It returns the command's outcome.
func publish(cmd *cobra.Command, name string, r *format.Report) error {
	r.Tool, r.Version, r.InRepository, r.Colour = "event-gen", moduleVersion(), inRepository, hasColours(cmd.OutOrStdout())
	out := cmd.OutOrStdout()
	if r.Colour || name == "github" {
		out = controls(out)
	}
	if err := format.Write(out, name, r); err != nil {
		return err
	}
	return cmp.Or(refused(cmd, r.Problems), verdict(slices.Concat(r.Findings, r.Hidden), r.FailOn))
}

// inRepository returns a file's path below the root of its repository, as Git knows it: with
// slashes, and without symbolic links to folders. It is empty outside of repositories.
func inRepository(file string) string {
	file, err := filepath.Abs(file)
	if err != nil {
		return ""
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return ""
	}
	root := repositoryOf(folder)
	if root == "" {
		return ""
	}
	rel, err := filepath.Rel(root, filepath.Join(folder, filepath.Base(file)))
	if err != nil {
		return ""
	}
	return filepath.ToSlash(rel)
}

// repositoryOf returns the root of the Git repository, work tree or submodule that a folder is in;
// empty if there is none. The folder's path has no symbolic links.
func repositoryOf(folder string) string { return disk.Nearest(folder, ".git") }

// divide splits findings into those of a severity or worse, and the rest.
func divide(findings diag.Findings, least diag.Severity) (shown, hidden diag.Findings) {
	for _, f := range findings {
		if f.Severity >= least {
			shown = append(shown, f)
		} else {
			hidden = append(hidden, f)
		}
	}
	return shown, hidden
}

// judged describes what was judged: the number of events and catalogs or, if no catalog could be
// read, of files.
func judged(in inputs.Inputs) string {
	if len(in.Catalogs) == 0 {
		return format.Count(len(in.Files), "file")
	}
	events := 0
	for _, c := range in.Catalogs {
		events += len(c.Events)
	}
	return format.Count(events, "event") + " in " + format.Count(len(in.Catalogs), "catalog")
}

func lintRules() []format.Rule {
	var rules []format.Rule
	for _, r := range lint.Rules() {
		page, _ := lint.PageOf(r.ID)
		rules = append(rules, format.Rule{ID: r.ID, Name: r.Name, Doc: r.Doc, Severity: r.Severity, Help: page.Markdown()})
	}
	return rules
}

// fixesOf returns the fixes of findings, by the finding's index.
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

// textOf caches the texts of files.
type textOf map[string][]byte

func (t textOf) of(file string) []byte {
	text, known := t[file]
	if !known {
		text, _ = disk.ReadFile(file, disk.MaxText)
		t[file] = text
	}
	return text
}

// hasColours reports whether the output is a terminal on which the user has not switched colours
// off.
func hasColours(w io.Writer) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// isTerminal reports whether the output is a terminal.
func isTerminal(w io.Writer) bool {
	if p, ok := w.(*printer); ok {
		w = p.to
	}
	file, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(file.Fd()) || isatty.IsCygwinTerminal(file.Fd()))
}
