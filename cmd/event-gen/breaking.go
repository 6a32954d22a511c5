package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/catalog/breaking"
	"github.com/event-gen/event-gen/internal/catalog/inputs"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/format"
)

// categories maps each category to the prefixes of its rules.
var categories = map[string][]string{"GO": {"BG"}, "WIRE": {"BW"}, "ALL": {"BG", "BW"}}

type breakingOptions struct {
	findingsFlags
	against, exactly, category string
}

func newBreaking() *cobra.Command {
	var o breakingOptions
	cmd := &cobra.Command{
		Use:   "breaking --against=REF|FILE|DIR [FILE|DIR ...]",
		Short: "Report what a change of catalogs breaks: Go callers, and alerts on stored events",
		Long: `Compares the catalogs with older ones. --against names a branch, tag or commit, and the older catalogs are those of its
merge base with HEAD, as in a pull request. --against-exactly takes the branch, tag or commit itself. --against can also
name a file or folder. If a branch has the name of an existing path, write refs/heads/NAME for the branch. Without
arguments it takes the catalogs that event-gen.yaml lists, else catalog.yaml.

Removing an event that the older side has deprecated breaks nothing. Catalogs that the older side lacks are new. Catalogs
that were renamed, moved or split are found by their packages. Acknowledge an intended break in event-gen.yaml.

Exit codes: 0 nothing breaks; 1 breaking changes of the severity of --fail-on or worse; 2 wrong usage or configuration, or
a side that is missing, has errors, or is no catalog of this version.`,
		PreRunE: func(*cobra.Command, []string) error { return o.check() },
		RunE:    func(cmd *cobra.Command, args []string) error { return runBreaking(cmd, args, o) },
	}
	cmd.Flags().StringVar(&o.against, "against", "", "compare with this branch, tag or commit (its merge base with HEAD), or with this file or folder")
	cmd.Flags().StringVar(&o.exactly, "against-exactly", "", "compare with this branch, tag or commit itself, not with its merge base with HEAD")
	cmd.MarkFlagsMutuallyExclusive("against", "against-exactly")
	cmd.Flags().StringVar(&o.category, "category", "ALL", "GO for callers of generated code, WIRE for alerts, or ALL")
	o.flags(cmd)
	return cmd
}

func (o *breakingOptions) check() error {
	switch {
	case o.against == "" && o.exactly == "":
		return fmt.Errorf("nothing to compare with: give --against=BRANCH, a tag or commit, or a file or folder")
	case categories[o.category] == nil:
		return unknownValue("category", o.category, "GO", "WIRE", "ALL")
	}
	return o.checkFormat()
}

func runBreaking(cmd *cobra.Command, args []string, o breakingOptions) error {
	against := cmp.Or(o.exactly, o.against)
	s := inputs.LoadSides(cmd.Context(), args, against, o.exactly != "")
	meant := inputs.Acknowledged(cmd.Context(), s.Now.Config)
	now, problems := s.Now, append(s.Problems, meant.Problems...)
	if len(problems) == 0 {
		tellUnlisted(cmd, now)
	}
	if len(problems) == 0 && s.Commit != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "compared with %s\n", s.Commit)
	}
	if len(problems) == 0 && s.AllNew {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s has none of the catalogs, so all events are new\n", against)
	}
	var findings diag.Findings
	if len(problems) == 0 {
		findings = breaking.Compare(s.Old, now.Set, breaking.Options{Categories: categories[o.category], Acknowledged: meant.Meant})
		findings = append(findings, meant.Stale...)
		findings.Sort()
	}
	return publish(cmd, o.format, &format.Report{
		Findings: findings, Problems: problems, Files: now.Files, FailOn: o.failOn, Rules: breakingRules(), Source: textOf{}.of,
	})
}

func breakingRules() []format.Rule {
	var rules []format.Rule
	for _, r := range breaking.Rules() {
		rules = append(rules, format.Rule{
			ID: r.ID, Name: r.Name, Doc: r.Doc, Severity: r.Severity, Help: fmt.Sprintf("# %s %s\n\n%s", r.ID, r.Name, r.Doc),
			Document: "docs/breaking.md#rules",
		})
	}
	return rules
}
