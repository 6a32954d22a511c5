package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/output/docs"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

type docsOptions struct {
	into
	format docsFormat
	// controllers are the controllers whose events are documented. If it is empty, all are.
	controllers []string
}

func newDocs() *cobra.Command {
	o := docsOptions{format: "markdown"}
	cmd := &cobra.Command{
		Use:   "docs [FILE|DIR ...]",
		Short: "Document catalogs for people who read events",
		Long: `Prints tables in Markdown, or one page of HTML that loads nothing else. With --into, the tables go into a file, between
the lines
  ` + docs.Begin + `
  ` + docs.End + `
and the rest of the file stays as it is. A file that does not exist is made, with these lines, and so is its folder. A
page of HTML is the whole file. Without arguments and --into, event-gen.yaml names the file with the key docs.into.

Exit codes: 0 done; 1 errors in a catalog; 2 wrong usage or configuration, or a file that is missing, can't be written,
has no markers, was not written by event-gen or is no catalog of this version; 3 stale documentation (--check).`,
		RunE: func(cmd *cobra.Command, args []string) error { return runDocs(cmd, args, o) },
	}
	cmd.Flags().Var(&o.format, "format", "markdown or html")
	cmd.Flags().StringSliceVar(&o.controllers, "controller", nil, "document the events of these reporting controllers only; a comma-separated list of names")
	o.flags(cmd)
	return cmd
}

func runDocs(cmd *cobra.Command, args []string, o docsOptions) error {
	in, err := loadValid(cmd, args, model.ResolveAuto, diag.Error)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		o.configured(in.Config, cmd.Flags().Changed("format"))
	}
	if err := o.valid(); err != nil {
		return err
	}
	if err := o.choose(in.Set); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := o.format.write(&text, in.Set); err != nil {
		return reportBug(cmd.ErrOrStderr(), err.Error())
	}
	return o.bring(cmd, text.Bytes(), "event-gen docs --format="+string(o.format), func(old []byte, exists bool) ([]byte, error) {
		return o.format.place(old, exists, text.Bytes())
	})
}

// configured sets the file from the configuration, unless a flag names one.
func (o *docsOptions) configured(config *catalog.Configuration, formatGiven bool) {
	if config == nil || !config.Docs.Into.Set() || o.path != "" {
		return
	}
	o.path = filepath.Join(filepath.Dir(config.File), filepath.FromSlash(config.Docs.Into.Value))
	o.top = disk.RepositoryOf(filepath.Dir(config.File)).Top
	if !formatGiven && strings.HasPrefix(strings.ToLower(filepath.Ext(o.path)), ".htm") {
		o.format = "html"
	}
}

// choose keeps the events of the given controllers. It also keeps events whose controller the
// program sets at run time.
func (o docsOptions) choose(set *model.Set) error {
	if len(o.controllers) == 0 {
		return nil
	}
	known := docs.Controllers(set)
	for _, name := range o.controllers {
		if !slices.Contains(known, name) {
			return fmt.Errorf("--controller: no event has %q; known are %s%s", name, strings.Join(known, ", "), spell.DidYouMean(name, known))
		}
	}
	docs.Keep(set, o.controllers)
	return nil
}

// docsFormat is the value of --format.
type docsFormat string

func (f *docsFormat) String() string { return string(*f) }
func (f *docsFormat) Type() string   { return "format" }

func (f *docsFormat) Set(name string) error {
	if name != "markdown" && name != "html" {
		return errors.New("expected markdown or html")
	}
	*f = docsFormat(name)
	return nil
}

func (f docsFormat) write(w io.Writer, set *model.Set) error {
	if f == "html" {
		return docs.HTML(w, set)
	}
	return docs.Markdown(w, set)
}

// place returns the new content of a file. Tables go between the file's markers; an HTML page is
// the whole file.
func (f docsFormat) place(old []byte, exists bool, text []byte) ([]byte, error) {
	switch {
	case f == "markdown":
		if !exists {
			old = []byte(docs.Begin + "\n" + docs.End + "\n")
		}
		return docs.Splice(old, text)
	case len(old) > 0 && !bytes.Contains(old, []byte(docs.Generator)):
		return nil, errNotOurs
	}
	return text, nil
}

// into holds the flags for the destination of a command's text: a file, or stdout.
type into struct {
	path  string
	top   string // the folder in which the configuration's file stays; empty for a flag's
	check bool
}

func (o *into) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.path, "into", "", "write into this file instead of printing")
	cmd.Flags().BoolVar(&o.check, "check", false, "write nothing; fail if the file of --into is stale")
}

func (o *into) valid() error {
	if o.check && o.path == "" {
		return errors.New("--check needs --into=FILE, the file to check")
	}
	return nil
}

// errNotOurs is the reason for leaving a file alone.
var errNotOurs = errors.New("event-gen did not write this file, or its mark is gone, and leaves it alone; delete or move it")

// bring prints a text or, with --into, writes the content that place returns for the file's old
// content. With --check it only compares, and names command as the one that updates the file.
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
		state := "stale"
		if !exists {
			state = "no such file"
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s; run %s --into %s\n", o.path, state, command, o.path)
		return exitStale
	}
	change := disk.Change{Path: o.path, Root: filepath.Dir(o.path), Name: filepath.Base(o.path), Content: content, Old: old, New: !exists}
	if name, err := filepath.Abs(o.path); o.top != "" && err == nil {
		if change.Name, err = filepath.Rel(o.top, name); err != nil {
			return unusable(cmd, o.path, err)
		}
		change.Root = o.top
	}
	for disk.IsGone(change.Root) {
		change.Root, change.Name = filepath.Dir(change.Root), filepath.Join(filepath.Base(change.Root), change.Name)
	}
	if err := disk.Apply(cmd.Context(), []disk.Change{change}); err != nil {
		return unusable(cmd, o.path, err)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "wrote %s\n", o.path)
	return nil
}

func unusable(cmd *cobra.Command, path string, err error) error {
	return refused(cmd, catalog.Unreadable(path, err))
}
