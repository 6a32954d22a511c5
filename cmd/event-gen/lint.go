package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
	"golang.org/x/mod/semver"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/catalog/inputs"
	"github.com/event-gen/event-gen/internal/catalog/lint"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
	"github.com/event-gen/event-gen/internal/plumbing/format"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

type lintOptions struct {
	findingsFlags
	show      diag.Severity
	rules     []string
	release   string
	fix, diff bool
	stdin     string // the file whose content is on stdin; empty: none
}

func newLint() *cobra.Command {
	o := lintOptions{show: diag.Warning}
	cmd := &cobra.Command{
		Use:   "lint [FILE|DIR ...]",
		Short: "Report mistakes in catalogs, and fix them",
		Long: `Prints each finding as file:line:column: severity: message [rule], with the line of the catalog below it, and counts them
in a last line. Infos are only counted, unless --show=info, --fail-on=info or --rule asks for them. Without arguments it
takes the catalogs that event-gen.yaml lists, else catalog.yaml. event-gen rules lists the rules, and event-gen explain
RULE describes one.

Exit codes: 0 clean; 1 findings of the severity of --fail-on or worse (with --diff: something would change); 2 wrong usage
or configuration, or a file that is missing, can't be written or is no catalog of this version.`,
		PreRunE: func(*cobra.Command, []string) error { return o.check() },
		RunE:    func(cmd *cobra.Command, args []string) error { return runLint(cmd, args, o) },
	}
	o.flags(cmd)
	cmd.Flags().Var(&o.show, "show", "show findings of this severity or worse: error, warning or info")
	cmd.Flags().StringSliceVar(&o.rules, "rule", nil, "show findings of these rules only, such as EV106,EV107")
	cmd.Flags().StringVar(&o.release, "release", "", "the version about to be released, such as v1.6.0; reports events that should be gone by then (EV404)")
	cmd.Flags().BoolVar(&o.fix, "fix", false, "fix each finding that has one sure fix, and print the others")
	cmd.Flags().StringVar(&o.stdin, "stdin-filename", "", "for editors: read this one file from stdin, so that it need not be saved")
	cmd.Flags().BoolVar(&o.diff, "diff", false, "write nothing; print a unified diff of what --fix would change")
	cmd.MarkFlagsMutuallyExclusive("stdin-filename", "fix")
	cmd.MarkFlagsMutuallyExclusive("stdin-filename", "diff")
	return cmd
}

// check returns the first mistake in the options.
func (o *lintOptions) check() error {
	for i, rule := range o.rules {
		o.rules[i] = strings.ToUpper(strings.TrimSpace(rule))
		if !slices.Contains(lint.IDs(), o.rules[i]) {
			return fmt.Errorf("--rule: there is no rule %q (event-gen rules lists them)%s", rule, spell.DidYouMean(o.rules[i], lint.IDs()))
		}
	}
	if err := o.checkFormat(); err != nil {
		return err
	}
	if o.release != "" && !semver.IsValid(o.release) {
		return fmt.Errorf("--release: expected a version such as v1.6.0, found %q", o.release)
	}
	return nil
}

func runLint(cmd *cobra.Command, args []string, o lintOptions) error {
	if o.diff {
		return showFixes(cmd, args, o)
	}
	var unwritten diag.Findings
	if o.fix {
		unwritten = fixFiles(cmd, args, o)
	}
	files, args, err := o.files(cmd, args)
	if err != nil {
		return err
	}
	in := inputs.Load(cmd.Context(), files, args, o.release, model.ResolveAuto)
	in.Problems = append(in.Problems, unwritten...)
	tellUnlisted(cmd, in)
	failOn := o.threshold(cmd, in.Settings)
	chosen := o.chosen(in.Findings)
	if in.Findings.HasErrors() && !chosen.HasErrors() {
		fmt.Fprintln(cmd.ErrOrStderr(), "errors of other rules may hide findings; run lint without --rule")
	}
	in.Findings = chosen
	return printFindings(cmd, in, unsaved(files), o.format, o.least(cmd, failOn), failOn)
}

// files returns the source of the catalogs, and their names. The source is the disk, or stdin in
// place of one file.
func (o *lintOptions) files(cmd *cobra.Command, args []string) (discovery.Files, []string, error) {
	if o.stdin == "" {
		return discovery.Disk{}, args, nil
	}
	if len(args) > 0 {
		return nil, nil, errors.New("--stdin-filename names the only file that is judged; leave out the arguments")
	}
	text, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), catalog.MaxBytes+1))
	return inputs.Edited{o.stdin: {Now: text}}, []string{o.stdin}, err
}

// unsaved returns the texts that findings quote in place of files on disk.
func unsaved(files discovery.Files) textOf {
	texts := textOf{}
	if e, ok := files.(inputs.Edited); ok {
		for name, edit := range e {
			texts[name] = edit.Now
		}
	}
	return texts
}

// chosen returns the findings of the rules that the user asked for.
func (o *lintOptions) chosen(findings diag.Findings) diag.Findings {
	if len(o.rules) == 0 {
		return findings
	}
	return slices.DeleteFunc(slices.Clone(findings), func(f diag.Finding) bool { return !slices.Contains(o.rules, f.Rule) })
}

// threshold returns the least severity that makes the command fail: the flag's, else the
// configuration's.
func (o *lintOptions) threshold(cmd *cobra.Command, settings lint.Settings) diag.Severity {
	if settings.FailOn != nil && !cmd.Flags().Changed("fail-on") {
		return *settings.FailOn
	}
	return o.failOn
}

// least returns the least severity that is shown. Findings that make the command fail, and findings
// of rules that the user named, are always shown.
func (o *lintOptions) least(cmd *cobra.Command, failOn diag.Severity) diag.Severity {
	switch {
	case cmd.Flags().Changed("show"):
		return o.show
	case len(o.rules) > 0:
		return diag.Info
	}
	return min(failOn, o.show)
}

// fixFiles fixes the catalogs. It returns the reasons why files could not be written. If a file
// can't be read, it writes nothing, and lint reports that file.
func fixFiles(cmd *cobra.Command, args []string, o lintOptions) diag.Findings {
	files, problems := o.mended(cmd, args)
	if len(problems) > 0 {
		return nil
	}
	return save(cmd, files)
}

func (o *lintOptions) mended(cmd *cobra.Command, args []string) (inputs.Edited, diag.Findings) {
	if len(o.rules) == 0 {
		return inputs.Fixed(cmd.Context(), args, o.release, nil)
	}
	return inputs.Fixed(cmd.Context(), args, o.release, o.chosen)
}

// showFixes prints the changes that --fix would make.
func showFixes(cmd *cobra.Command, args []string, o lintOptions) error {
	files, problems := o.mended(cmd, args)
	if err := refused(cmd, problems); err != nil {
		return err
	}
	for _, name := range files.Names() {
		if _, err := cmd.OutOrStdout().Write(diff.Diff(name, files[name].Before, name, files[name].Now)); err != nil {
			return err
		}
	}
	if len(files) > 0 {
		return exitFindings
	}
	return nil
}

// save writes the changed files.
func save(cmd *cobra.Command, files inputs.Edited) diag.Findings {
	var changes []disk.Change
	for _, name := range files.Names() {
		changes = append(changes, disk.Change{
			Path: name, Root: filepath.Dir(name), Name: filepath.Base(name), Content: files[name].Now, Old: files[name].Before,
		})
	}
	if err := disk.Apply(cmd.Context(), changes); err != nil {
		return catalog.Unwritable(err)
	}
	for _, c := range changes {
		fmt.Fprintf(cmd.ErrOrStderr(), "fixed %s\n", c.Path)
	}
	return nil
}

// findingsFlags are the flags of the commands that report findings.
type findingsFlags struct {
	format string
	failOn diag.Severity
}

func (o *findingsFlags) flags(cmd *cobra.Command) {
	o.failOn = diag.Error
	cmd.Flags().StringVar(&o.format, "format", format.Names[0], "how findings are written: "+strings.Join(format.Names, ", "))
	cmd.Flags().Var(&o.failOn, "fail-on", "fail on findings of this severity or worse: error, warning or info")
}

func (o *findingsFlags) checkFormat() error {
	if !slices.Contains(format.Names, o.format) {
		return unknownValue("format", o.format, format.Names...)
	}
	return nil
}
