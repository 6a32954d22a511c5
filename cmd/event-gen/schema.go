package main

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/disk"
	"github.com/event-gen/event-gen/internal/schema"
)

type schemaOptions struct {
	into  string
	check bool
}

func newSchema() *cobra.Command {
	var o schemaOptions
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of catalogs and of event-gen.yaml",
		Long: `Prints the JSON Schema of catalogs and of event-gen.yaml, by which editors complete and check them. Either refers to it in its
first line, each document of a file by a line of its own:

  # yaml-language-server: $schema=./event-gen.schema.json

With --into it is written to a file, as event-gen init does it; --check says whether that is current.

Exit codes: 0 done, 2 usage, or a file that can't be written or is no JSON Schema, 3 a stale file (--check).`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runSchema(cmd, o) },
	}
	cmd.Flags().StringVar(&o.into, "into", "", "write into this file instead of printing")
	cmd.Flags().BoolVar(&o.check, "check", false, "write nothing; fail if the file of --into is stale")
	return cmd
}

func runSchema(cmd *cobra.Command, o schemaOptions) error {
	if o.check && o.into == "" {
		return errors.New("--check needs --into, the file to look at")
	}
	text, err := schema.All()
	if err != nil {
		return mistake(cmd.ErrOrStderr(), err.Error())
	}
	if o.into == "" {
		_, err = cmd.OutOrStdout().Write(text)
		return err
	}
	return o.bring(cmd, text)
}

// bring writes the schema, or says that the file has another one.
func (o schemaOptions) bring(cmd *cobra.Command, text []byte) error {
	old, exists, err := disk.Read(o.into)
	switch {
	case err != nil:
		return unusable(cmd, o.into, err)
	case exists && bytes.Equal(bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n")), text):
		return nil
	case exists && len(old) > 0 && !schema.IsOurs(old):
		return unusable(cmd, o.into, errors.New("event-gen did not write this file and leaves it alone; move it"))
	case o.check:
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: stale; run event-gen schema --into %s\n", o.into, o.into)
		return exitStale
	}
	change := disk.Change{Path: o.into, Root: filepath.Dir(o.into), Name: filepath.Base(o.into), Content: text, Old: old, New: !exists}
	if err := disk.Apply(cmd.Context(), []disk.Change{change}); err != nil {
		return unusable(cmd, o.into, err)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "wrote %s\n", o.into)
	return nil
}
