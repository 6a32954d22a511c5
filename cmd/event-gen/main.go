// Command event-gen generates typed Kubernetes event recorders from event catalogs, and judges
// catalogs.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/catalog/inputs"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
	"github.com/event-gen/event-gen/internal/plumbing/format"
	"github.com/event-gen/event-gen/internal/plumbing/progress"
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

// settle resolves the symbolic links in the working directory's path, so that the path's parents
// are the file system's.
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

// execute runs the command of root that the arguments name. It reports a panic as a bug of
// event-gen.
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

// printer remembers failed writes, because not every caller checks them. Once its context is done
// it prints nothing: the findings of an interrupted command may be wrong.
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

// The exit codes besides 0.
const (
	exitFindings = exit(1) // in the content of catalogs
	// or configuration, or a file that is missing, unwritable, not ours or no catalog of this
	// version
	exitUsage    = exit(2)
	exitStale    = exit(3)
	exitInternal = exit(4) // a mistake of event-gen
	// exitInterrupted is the code that shells use for a program that Ctrl-C ended.
	exitInterrupted = exit(130)
)

// exit is the exit code of a command that has reported its error already.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// mistake reports a bug of event-gen, with what its authors need to fix it.
func mistake(stderr io.Writer, what string) exit {
	fmt.Fprintf(stderr, "event-gen: internal error: %s\n", strings.TrimSpace(what))
	fmt.Fprintln(stderr, "This is a mistake of event-gen and not yours. Please report it at https://github.com/event-gen/event-gen/issues,")
	fmt.Fprintf(stderr, "with the command, the catalogs, all of the above, and:\n%s\n", versionText())
	return exitInternal
}

// verdict returns the outcome of a command: findings of the severity failOn or worse are a failure.
func verdict(findings diag.Findings, failOn diag.Severity) error {
	for _, f := range findings {
		if f.Severity >= failOn {
			return exitFindings
		}
	}
	return nil
}

// endsWithin is the time that a command has to end after a signal. A command that reads from a
// terminal or waits for another program may not end in time; the process then ends without it.
const endsWithin = 500 * time.Millisecond

// supervise runs a command until it ends, or a signal comes. After a signal the process ends in
// time: each file is either old or new, and no finding of the interrupted command is printed. A
// second signal ends the process at once.
func supervise(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, args, stdout, stderr) }()
	s := supervision{ended: ended, release: stop, after: time.After, hold: disk.Hold}
	code := s.wait(ctx)
	if code == int(exitInterrupted) {
		fmt.Fprintln(stderr, "event-gen: interrupted")
	}
	return code
}

// supervision waits for a command.
type supervision struct {
	ended   <-chan int // the exit code of the command
	release func()     // has further signals end the process
	after   func(time.Duration) <-chan time.Time
	hold    func() // keeps the command from changing files
}

// wait returns the exit code of the command, or exitInterrupted if the command goes on for
// endsWithin after the signal that ends ctx. It can then change no file any more.
func (s supervision) wait(ctx context.Context) int {
	select {
	case code := <-s.ended:
		return code
	case <-ctx.Done():
	}
	s.release()
	select {
	case code := <-s.ended:
		return code
	case <-s.after(endsWithin):
		s.hold()
		return int(exitInterrupted)
	}
}

// telling has a command tell on stderr what it waits for: on a terminal, or with a flag that it
// adds.
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

// loadValid loads catalogs for a command that needs their content. It prints the findings of a
// severity or worse. The error is the command's outcome if a file has a problem, or a catalog an
// error.
func loadValid(cmd *cobra.Command, args []string, mode model.ResolveMode, least diag.Severity) (inputs.Inputs, error) {
	in := inputs.Load(cmd.Context(), discovery.Disk{}, args, "", mode)
	err := refused(cmd, in.Problems)
	tell(cmd.ErrOrStderr(), in.Findings, least)
	return in, cmp.Or(err, verdict(in.Findings, diag.Error))
}

// refused prints problems, one a line. It returns the command's outcome if there are any.
func refused(cmd *cobra.Command, problems diag.Findings) error {
	report(cmd.ErrOrStderr(), problems, diag.Info)
	if len(problems) > 0 {
		return exitUsage
	}
	return nil
}

// report prints problems of a severity and worse, one a line.
func report(w io.Writer, problems diag.Findings, least diag.Severity) {
	for _, f := range problems {
		if f.Severity >= least {
			fmt.Fprintln(w, format.Line(f))
		}
	}
}

// tell prints findings in catalogs of a severity and worse, one a line.
func tell(w io.Writer, findings diag.Findings, least diag.Severity) {
	for _, f := range findings {
		if f.Severity >= least {
			fmt.Fprintln(w, format.SevereLine(f))
		}
	}
}
