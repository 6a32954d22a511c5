package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/catalog/inputs"
	"github.com/event-gen/event-gen/internal/catalog/model"
)

// mistaken runs event-gen with bugs. No input is known that triggers a bug of the real command, so
// this one shows the behaviour after a bug. It runs through execute like the real command, but each
// subcommand panics. Further subcommands generate code from models that no catalog can produce.
func mistaken() {
	root := newRoot()
	for _, c := range root.Commands() {
		c.Run, c.RunE = nil, func(cmd *cobra.Command, _ []string) error { panic(fmt.Sprintf("%s is mistaken", cmd.Name())) }
	}
	root.AddCommand(
		// The first package is there when the second one panics.
		generateMistaken("generate-nothing", func(s *model.Set) { s.Packages = append(s.Packages, nil) }),
		// It panics while a file is generated.
		generateMistaken("generate-nil", func(s *model.Set) { s.Packages[0].Events[0].Params = []*model.Param{nil} }),
		// Go's formatter rejects it.
		generateMistaken("generate-invalid", func(s *model.Set) { s.Packages[0].Events[0].Methods[0].Name = "no Go" }),
	)
	os.Exit(execute(context.Background(), root, os.Args[1:], os.Stdout, os.Stderr))
}

// generateMistaken returns a generate command that changes the model before it writes the files.
func generateMistaken(name string, change func(*model.Set)) *cobra.Command {
	return &cobra.Command{Use: name, RunE: func(cmd *cobra.Command, args []string) error {
		in := inputs.Load(cmd.Context(), discovery.Disk{}, args, "", model.ResolveAuto)
		change(in.Set)
		return generateOptions{given: cmd.Flags().Changed}.write(cmd, in.Set)
	}}
}
