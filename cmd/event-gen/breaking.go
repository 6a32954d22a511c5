package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/breaking"
	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/format"
	"github.com/event-gen/event-gen/internal/model"
)

// categories are the prefixes of the rules that a category has.
var categories = map[string][]string{"GO": {"BG"}, "WIRE": {"BW"}, "ALL": {"BG", "BW"}}

type breakingOptions struct {
	against, category, format string
	failOn                    severity
}

func newBreaking() *cobra.Command {
	o := breakingOptions{failOn: severity(diag.Error)}
	cmd := &cobra.Command{
		Use:   "breaking --against=REF|FILE|DIR [FILE|DIR ...]",
		Short: "Say what a change of catalogs breaks: callers in Go, and alerts on the wire",
		Long: `Compares the catalogs with those of a branch, tag or commit, or of a file or folder. Without arguments it takes the
catalogs that event-gen.yaml lists, else catalog.yaml. A path that exists is a file or folder; write refs/heads/NAME for a
branch that is called as a folder is. Removing what the older side has deprecated breaks nothing.

Exit codes: 0 nothing breaks, 1 findings of the severity of --fail-on or worse, 2 usage, configuration, or a side that is
missing or has errors of its own.`,
		PreRunE: func(*cobra.Command, []string) error { return o.check() },
		RunE:    func(cmd *cobra.Command, args []string) error { return runBreaking(cmd, args, o) },
	}
	cmd.Flags().StringVar(&o.against, "against", "", "what to compare with: a branch, tag or commit, or a file or folder")
	cmd.Flags().StringVar(&o.category, "category", "ALL", "GO for callers of generated code, WIRE for alerts, or ALL")
	cmd.Flags().StringVar(&o.format, "format", format.Names[0], "how findings are written: "+strings.Join(format.Names, ", "))
	cmd.Flags().Var(&o.failOn, "fail-on", "the least severity that makes the command fail: error, warning or info")
	return cmd
}

func (o *breakingOptions) check() error {
	switch {
	case o.against == "":
		return fmt.Errorf("--against is needed: a branch, tag or commit, or a file or folder")
	case categories[o.category] == nil:
		return fmt.Errorf("--category: it is GO, WIRE or ALL, not %q", o.category)
	case !slices.Contains(format.Names, o.format):
		return fmt.Errorf("--format: it is %s, not %q", strings.Join(format.Names, ", "), o.format)
	}
	return nil
}

func runBreaking(cmd *cobra.Command, args []string, o breakingOptions) error {
	now := resolved(cmd.Context(), discovery.Disk{}, args, resolution(model.ResolveAuto))
	if err := usable(cmd, now, exitFindings); err != nil {
		return err
	}
	old, err := loadBaseline(cmd, args, o.against)
	if err != nil {
		return err
	}
	findings := breaking.Compare(old, now.set)
	findings = slices.DeleteFunc(findings, func(f diag.Finding) bool {
		return !slices.Contains(categories[o.category], f.Rule[:2])
	})
	err = format.Write(cmd.OutOrStdout(), o.format, &format.Report{
		Tool: "event-gen", Version: moduleVersion(), Findings: findings, Files: now.files, FailOn: diag.Severity(o.failOn),
		Rules: breakingRules(), Source: textOf{}.of, Colour: o.format == format.Names[0] && isTerminal(cmd.OutOrStdout()),
	})
	if err != nil {
		return err
	}
	return verdict(findings, diag.Severity(o.failOn))
}

// usable reports why catalogs can't be compared, on stderr.
func usable(cmd *cobra.Command, in inputs, faulty exit) error {
	report(cmd.ErrOrStderr(), in.problems, diag.Info)
	if len(in.problems) > 0 {
		return exitUsage
	}
	if in.findings.HasErrors() {
		report(cmd.ErrOrStderr(), in.findings, diag.Error)
		return faulty
	}
	return nil
}

func breakingRules() []format.Rule {
	var rules []format.Rule
	for _, r := range breaking.Rules() {
		rules = append(rules, format.Rule{
			ID: r.ID, Name: r.Name, Doc: r.Doc, Severity: r.Severity, Help: fmt.Sprintf("## %s %s\n\n%s", r.ID, r.Name, r.Doc),
		})
	}
	return rules
}
