package main

import (
	"bytes"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/catalog"
)

func newSchema() *cobra.Command {
	var o into
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of catalogs and of event-gen.yaml",
		Long: `Prints the JSON Schema of catalogs and of event-gen.yaml. With it, editors complete and check them. Refer to the schema in
the first line of each document:

  # yaml-language-server: $schema=./event-gen.schema.json

--into writes the schema to a file, as event-gen init does. --check fails if the file of --into is stale.

Exit codes: 0 done; 2 wrong usage, or a file that can't be written or is no JSON Schema; 3 a stale file (--check).`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runSchema(cmd, o) },
	}
	o.flags(cmd)
	return cmd
}

func runSchema(cmd *cobra.Command, o into) error {
	if err := o.valid(); err != nil {
		return err
	}
	text, err := catalog.Schema()
	if err != nil {
		return reportBug(cmd.ErrOrStderr(), err.Error())
	}
	return o.bring(cmd, text, "event-gen schema", func(old []byte, exists bool) ([]byte, error) {
		switch {
		case bytes.Equal(bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n")), text):
			return old, nil // Git can check out files with CRLF
		case len(old) > 0 && !catalog.IsSchema(old):
			return nil, errNotOurs
		}
		return text, nil
	})
}
