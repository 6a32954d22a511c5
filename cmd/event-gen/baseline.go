package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/breaking"
	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/gitread"
	"github.com/event-gen/event-gen/internal/model"
)

// loadBaseline loads the older side: a file or folder if there is one of that name, else what a commit has of the
// catalogs.
func loadBaseline(cmd *cobra.Command, args []string, against string) (breaking.Baseline, error) {
	if _, err := os.Stat(against); err == nil {
		in := resolved(cmd.Context(), discovery.Disk{}, []string{against}, baseline())
		return breaking.Baseline{Set: in.set, Elsewhere: true}, usable(cmd, in, exitUsage)
	}
	tree, err := gitread.Open(cmd.Context(), against)
	if err != nil {
		return breaking.Baseline{}, problem(cmd, against, err)
	}
	in := resolved(cmd.Context(), tree, args, baseline())
	in.forgive(args)
	for _, findings := range []diag.Findings{in.problems, in.findings} {
		for i := range findings {
			findings[i].Pos.File = against + ":" + findings[i].Pos.File
		}
	}
	return breaking.Baseline{Set: in.set, Label: against}, usable(cmd, in, exitUsage)
}

// baseline is how catalogs are resolved that are only compared with.
func baseline() model.Options {
	opts := resolution(model.ResolveAuto)
	opts.Baseline = true
	return opts
}

// problem reports what is wrong with an argument.
func problem(cmd *cobra.Command, arg string, err error) error {
	fmt.Fprintf(cmd.ErrOrStderr(), "%s: %v\n", arg, err)
	return exitUsage
}

// forgive drops the problems of named files that a commit does not have yet, as long as it has another one.
func (in *inputs) forgive(args []string) {
	if len(args) < 2 || len(in.catalogs) == 0 {
		return
	}
	var left diag.Findings
	for _, f := range in.problems {
		if f.Message != os.ErrNotExist.Error() {
			left = append(left, f)
		}
	}
	in.problems = left
}
