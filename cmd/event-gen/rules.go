package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/plumbing/format"
	"github.com/event-gen/event-gen/internal/plumbing/plain"
)

func newRules() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List the rules of lint, scan and breaking",
		Long: `Lists each rule with its default severity, its name and a sentence about it. event-gen explain RULE describes one rule.

Exit codes: 0 listed; 2 wrong usage.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return listJSON(cmd.OutOrStdout(), allRules())
			}
			return listText(cmd.OutOrStdout(), allRules())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a rule")
	return cmd
}

// allRules returns the rules of lint, then of scan and the analyzer, then of breaking.
func allRules() []format.Rule {
	// the first rule of scan is also a rule of lint
	return slices.Concat(lintRules(), callRules()[1:], breakingRules())
}

func listText(w io.Writer, rules []format.Rule) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range rules {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", r.ID, r.Severity, r.Name, r.Doc)
	}
	return table.Flush()
}

func listJSON(w io.Writer, rules []format.Rule) error {
	out := plain.Encoder(w)
	out.SetEscapeHTML(false)
	for _, r := range rules {
		err := out.Encode(struct {
			ID       string `json:"id"`
			Name     string `json:"name"`
			Severity string `json:"severity"`
			Doc      string `json:"doc"`
		}{r.ID, r.Name, r.Severity.String(), r.Doc})
		if err != nil {
			return err
		}
	}
	return nil
}
