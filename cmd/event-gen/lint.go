package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/mod/semver"

	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/lint"
	"github.com/event-gen/event-gen/internal/model"
)

type lintOptions struct {
	failOn  severity
	rules   []string
	release string
}

func newLint() *cobra.Command {
	o := lintOptions{failOn: severity(diag.Error)}
	cmd := &cobra.Command{
		Use:   "lint [FILE|DIR ...]",
		Short: "Say what is wrong with catalogs",
		Long: `Prints all findings, one a line as file:line:column: message [rule].

Exit codes: 0 clean, 1 findings of the severity of --fail-on or worse, 2 usage, configuration, or a file that is missing.`,
		PreRunE: func(*cobra.Command, []string) error { return o.check() },
		RunE:    func(cmd *cobra.Command, args []string) error { return runLint(cmd, args, o) },
	}
	cmd.Flags().Var(&o.failOn, "fail-on", "the least severity that makes the command fail: error, warning or info")
	cmd.Flags().StringSliceVar(&o.rules, "rule", nil, "show findings of these rules only, such as EV106,EV107")
	cmd.Flags().StringVar(&o.release, "release", "", "the version about to be released, such as v1.6.0, for what was to be removed before it (EV404)")
	return cmd
}

// check says what of the options can't be.
func (o *lintOptions) check() error {
	for _, rule := range o.rules {
		if !slices.Contains(lint.IDs(), rule) {
			return fmt.Errorf("--rule: there is no rule %q; event-gen explain lists them", rule)
		}
	}
	if o.release != "" && !semver.IsValid(o.release) {
		return fmt.Errorf("--release: a version such as v1.6.0 is needed, not %q", o.release)
	}
	return nil
}

func runLint(cmd *cobra.Command, args []string, o lintOptions) error {
	in := loadRelease(cmd.Context(), args, model.ResolveAuto, o.release)
	findings := o.chosen(in.findings)
	report(cmd.OutOrStdout(), findings, diag.Info)
	report(cmd.ErrOrStderr(), in.problems, diag.Info)
	if len(in.problems) > 0 {
		return exitUsage
	}
	return verdict(findings, o.threshold(cmd, in.settings))
}

// chosen gives the findings of the rules that were asked for.
func (o *lintOptions) chosen(findings diag.Findings) diag.Findings {
	if len(o.rules) == 0 {
		return findings
	}
	return slices.DeleteFunc(slices.Clone(findings), func(f diag.Finding) bool { return !slices.Contains(o.rules, f.Rule) })
}

// threshold is the severity that fails: of the flag, else of the configuration.
func (o *lintOptions) threshold(cmd *cobra.Command, settings lint.Settings) diag.Severity {
	if settings.FailOn != nil && !cmd.Flags().Changed("fail-on") {
		return *settings.FailOn
	}
	return diag.Severity(o.failOn)
}

// severity is a flag.
type severity diag.Severity

func (s *severity) String() string { return diag.Severity(*s).String() }
func (s *severity) Type() string   { return "severity" }

func (s *severity) Set(name string) error {
	for _, known := range []diag.Severity{diag.Info, diag.Warning, diag.Error} {
		if known.String() == name {
			*s = severity(known)
			return nil
		}
	}
	return fmt.Errorf("it is error, warning or info")
}
