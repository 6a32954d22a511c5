package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/plumbing/progress"
)

// telling has a command tell on stderr what it waits for: on a terminal, or with a flag that it adds.
func telling(cmd *cobra.Command) *cobra.Command {
	always := cmd.Flags().Bool("progress", false, "tell on stderr what is waited for, and how long it took; on a terminal this is told anyway")
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		stderr := cmd.ErrOrStderr()
		if *always || isTerminal(stderr) {
			p := progress.New(stderr, isTerminal(stderr), time.Now)
			cmd.SetContext(progress.With(cmd.Context(), p))
			defer p.End()
		}
		return run(cmd, args)
	}
	return cmd
}
