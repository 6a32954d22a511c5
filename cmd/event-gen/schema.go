package main

import (
	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/schema"
)

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of catalogs",
		Long: `Prints the JSON Schema of catalogs, by which editors complete and check them. A catalog refers to it in its first line:

  # yaml-language-server: $schema=./event-gen.schema.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := schema.Catalog()
			if err != nil {
				return mistake(cmd.ErrOrStderr(), err.Error())
			}
			_, err = cmd.OutOrStdout().Write(text)
			return err
		},
	}
}
