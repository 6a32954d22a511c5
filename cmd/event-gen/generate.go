package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"golang.org/x/tools/txtar"

	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/emit"
	"github.com/event-gen/event-gen/internal/model"
	"github.com/event-gen/event-gen/internal/output"
)

type generateOptions struct {
	check, diff, stdout bool
	resolve             resolve
	fake                bool
	rbac                string
	given               func(flag string) bool
}

func newGenerate() *cobra.Command {
	var o generateOptions
	cmd := &cobra.Command{
		Use:   "generate [FILE|DIR ...]",
		Short: "Generate Go from catalogs",
		Long: `Generates a Go file for each catalog, and removes those that its catalog no longer declares. Without arguments it takes
the catalogs that event-gen.yaml lists, else catalog.yaml. Nothing is written if a catalog has an error.

With --fake it also generates a package for tests of code that records the events, in a folder of its own; with --rbac
the role that a recorder needs, as YAML and as kubebuilder's markers. What is there once is kept up to date without the
flag; --fake=false and --rbac=none remove it.

Exit codes: 0 done, 1 errors in a catalog, 2 usage, configuration, or a file that is missing, unwritable or not generated
by event-gen, 3 stale output (--check, --diff).`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.given = cmd.Flags().Changed
			return generate(cmd, args, o)
		},
	}
	cmd.Flags().BoolVar(&o.check, "check", false, "write nothing; list files that are missing, extra or stale")
	cmd.Flags().BoolVar(&o.diff, "diff", false, "write nothing; print a unified diff of what would change")
	cmd.Flags().BoolVar(&o.stdout, "stdout", false, "write nothing; print what is generated, as a txtar archive if it is several files")
	cmd.Flags().Var(&o.resolve, "resolve", "when Go packages are loaded to look at types: auto (what neither the catalog nor the cache says), always (every type anew) or never (the catalog has to say it)")
	cmd.Flags().BoolVar(&o.fake, "fake", false, "also generate the package <package>test: a fake with a matcher for each event")
	cmd.Flags().StringVar(&o.rbac, "rbac", "", "also generate a role, for the groups that the sink writes through: auto (as kube.Auto), core, events, or none")
	cmd.Flags().Lookup("rbac").NoOptDefVal = string(emit.GroupsAuto)
	cmd.MarkFlagsMutuallyExclusive("stdout", "check")
	cmd.MarkFlagsMutuallyExclusive("stdout", "diff")
	return cmd
}

func generate(cmd *cobra.Command, args []string, o generateOptions) error {
	in := load(cmd.Context(), args, model.ResolveMode(o.resolve))
	report(cmd.ErrOrStderr(), in.problems, diag.Info)
	report(cmd.ErrOrStderr(), in.findings, diag.Warning)
	if len(in.problems) > 0 {
		return exitUsage
	}
	if err := verdict(in.findings, diag.Error); err != nil {
		return err
	}
	files, err := o.emitAll(in.set)
	if wrong := (usageError{}); errors.As(err, &wrong) {
		return wrong
	}
	if err != nil {
		return internal(cmd, err)
	}
	if o.stdout {
		return printAll(cmd.OutOrStdout(), files)
	}
	return bring(cmd, files, o)
}

// internal reports that generated code is no Go: a mistake in event-gen and in no catalog.
func internal(cmd *cobra.Command, err error) error {
	fmt.Fprintf(cmd.ErrOrStderr(), "event-gen: internal error: %v\n", err)
	return exitInternal
}

func printAll(w io.Writer, files []output.File) error {
	if len(files) == 1 {
		_, err := w.Write(files[0].Content)
		return err
	}
	var archive txtar.Archive
	for _, f := range files {
		archive.Files = append(archive.Files, txtar.File{Name: output.Show(f.Path), Data: f.Content})
	}
	_, err := w.Write(txtar.Format(&archive))
	return err
}

// bring writes the files, or says what differs.
func bring(cmd *cobra.Command, files []output.File, o generateOptions) error {
	plan, findings := output.Compare(files)
	defer plan.Close()
	if len(findings) == 0 && !o.check && !o.diff {
		findings = plan.Apply()
	}
	if len(findings) > 0 {
		report(cmd.ErrOrStderr(), findings, diag.Info)
		return exitUsage
	}
	for _, c := range plan.Changes {
		o.say(cmd, c)
	}
	if len(plan.Changes) > 0 && (o.check || o.diff) {
		return exitStale
	}
	return nil
}

// say reports a change that was made, or would be.
func (o generateOptions) say(cmd *cobra.Command, c output.Change) {
	switch {
	case o.check:
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s; run event-gen generate\n", c.Path, c.State)
	case !o.diff && c.State == output.Extra:
		fmt.Fprintf(cmd.ErrOrStderr(), "removed %s\n", c.Path)
	case !o.diff:
		fmt.Fprintf(cmd.ErrOrStderr(), "wrote %s\n", c.Path)
	}
	if o.diff {
		cmd.OutOrStdout().Write(c.Diff())
	}
}

// resolve is a flag.
type resolve model.ResolveMode

func (r *resolve) String() string { return model.ResolveMode(*r).String() }
func (r *resolve) Type() string   { return "mode" }

func (r *resolve) Set(name string) error {
	mode, err := model.ParseResolveMode(name)
	*r = resolve(mode)
	return err
}
