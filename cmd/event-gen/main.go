// Command event-gen generates typed Kubernetes event recorders from event catalogs, and judges catalogs.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// gcPercent lets the heap grow to five times its live part, because a command soon ends.
const gcPercent = 400

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	settle()
	os.Exit(supervise(os.Args[1:], os.Stdout, os.Stderr))
}

// settle resolves the symbolic links in the working directory's path, so that the path's parents are the file system's.
func settle() {
	dir, err := os.Getwd()
	if err != nil {
		return
	}
	if physical, err := filepath.EvalSymlinks(dir); err == nil && physical != dir {
		os.Setenv("PWD", physical)
	}
}

// run runs one command and returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return execute(ctx, newRoot(), args, stdout, stderr)
}

// execute runs the command of root that the arguments name. It reports a panic as a bug of event-gen.
func execute(ctx context.Context, root *cobra.Command, args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			code = int(mistake(stderr, fmt.Sprintf("%v\n%s", r, debug.Stack())))
		}
	}()
	out, complaints := &printer{ctx: ctx, to: stdout}, &printer{ctx: ctx, to: stderr}
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(complaints)
	err := root.ExecuteContext(ctx)
	if ctx.Err() != nil && (err != nil || out.dropped || complaints.dropped) {
		return int(exitInterrupted)
	}
	if out.failed != nil {
		err = out.failed
	}
	if outcome := exit(0); errors.As(err, &outcome) {
		return int(outcome)
	}
	if err != nil {
		fmt.Fprintf(stderr, "event-gen: %v\n", err)
		return int(exitUsage)
	}
	return 0
}

// printer remembers failed writes, because not every caller checks them. Once its context is done it prints nothing: the findings of an
// interrupted command may be wrong.
type printer struct {
	ctx     context.Context
	to      io.Writer
	failed  error
	dropped bool
}

func (p *printer) Write(text []byte) (int, error) {
	if p.ctx.Err() != nil {
		p.dropped = true
		return len(text), nil
	}
	n, err := p.to.Write(text)
	if err != nil {
		p.failed = err
	}
	return n, err
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "event-gen",
		Short: "Typed Kubernetes event recorders from reviewed catalogs",
		Long: `Typed Kubernetes event recorders from reviewed catalogs.

Exit codes: 0 done, or clean; 1 findings in the content of catalogs; 2 usage, configuration, or a file that is missing,
unwritable, not ours or no catalog of this version; 3 stale output; 4 a mistake of event-gen itself, to be reported; 130 ended
by a signal. The help of a command says which of 0 to 3 it has, and for what.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("a command is needed; event-gen help lists them")
		},
	}
	root.AddCommand(telling(newInit()), telling(newGenerate()), newLint(), newBreaking(), newDocs(), newExplain(), telling(newMigrate()), newRules(), telling(newScan()), newSchema(), newVersion())
	root.Version = moduleVersion()
	root.SetVersionTemplate(versionText() + "\n")
	refuseUnknown(root)
	if err := teach(root); err != nil {
		panic(err)
	}
	return root
}

// refuseUnknown has cobra's own commands fail on unknown arguments, as ours do.
func refuseUnknown(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.PreRunE = func(_ *cobra.Command, args []string) error {
				_, _, err := root.Find(args)
				return err
			}
		case "completion":
			c.RunE = func(*cobra.Command, []string) error {
				return errors.New("a shell is needed: bash, fish, powershell or zsh")
			}
		}
	}
}
