package main

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
)

// into is the destination of a command's text: a file, or stdout.
type into struct {
	path  string
	check bool
}

func (o *into) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.path, "into", "", "write into this file instead of printing")
	cmd.Flags().BoolVar(&o.check, "check", false, "write nothing; fail if the file of --into is stale")
}

func (o *into) valid() error {
	if o.check && o.path == "" {
		return errors.New("--check needs --into, the file to look at")
	}
	return nil
}

// errNotOurs is the reason for leaving a file alone.
var errNotOurs = errors.New("event-gen did not write this file and leaves it alone; move it")

// bring prints a text, or writes the content that place makes of a file's old content. With --check it only compares. command is the command
// that updates the file.
func (o *into) bring(cmd *cobra.Command, text []byte, command string, place func(old []byte, exists bool) ([]byte, error)) error {
	if o.path == "" {
		_, err := cmd.OutOrStdout().Write(text)
		return err
	}
	old, exists, err := disk.Read(o.path)
	if err != nil {
		return unusable(cmd, o.path, err)
	}
	content, err := place(old, exists)
	switch {
	case err != nil:
		return unusable(cmd, o.path, err)
	case exists && bytes.Equal(content, old):
		return nil
	case o.check:
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: stale; run %s --into %s\n", o.path, command, o.path)
		return exitStale
	}
	change := disk.Change{Path: o.path, Root: filepath.Dir(o.path), Name: filepath.Base(o.path), Content: content, Old: old, New: !exists}
	if err := disk.Apply(cmd.Context(), []disk.Change{change}); err != nil {
		return unusable(cmd, o.path, err)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "wrote %s\n", o.path)
	return nil
}

func unusable(cmd *cobra.Command, path string, err error) error {
	return refused(cmd, catalog.Unreadable(path, err))
}
