package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/model"
)

func newLint() *cobra.Command {
	failOn := severity(diag.Error)
	cmd := &cobra.Command{
		Use:   "lint [FILE|DIR ...]",
		Short: "Say what is wrong with catalogs",
		Long: `Prints all findings, one a line as file:line:column: message [rule].

Exit codes: 0 clean, 1 findings of the severity of --fail-on or worse, 2 usage, configuration, or a file that is missing.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			in := load(cmd.Context(), args, model.ResolveAuto)
			report(cmd.OutOrStdout(), in.findings, diag.Info)
			report(cmd.ErrOrStderr(), in.problems, diag.Info)
			if len(in.problems) > 0 {
				return exitUsage
			}
			return verdict(in.findings, diag.Severity(failOn))
		},
	}
	cmd.Flags().Var(&failOn, "fail-on", "the least severity that makes the command fail: error, warning or info")
	return cmd
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
