// Command event-gen generates typed Kubernetes event recorders from event catalogs, and judges catalogs.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// gcPercent lets the heap of a command, which soon ends, grow to five times what is in use.
const gcPercent = 400

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run runs one command and gives its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(stderr, "event-gen: internal error: %v\n%s", r, debug.Stack())
			code = int(exitInternal)
		}
	}()
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if outcome := exit(0); errors.As(err, &outcome) {
		return int(outcome)
	}
	if err != nil {
		fmt.Fprintf(stderr, "event-gen: %v\n", err)
		return int(exitUsage)
	}
	return 0
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "event-gen",
		Short:         "Typed Kubernetes event recorders from reviewed catalogs",
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("a command is needed; event-gen help lists them")
		},
	}
	root.AddCommand(newInit(), newGenerate(), newLint(), newBreaking(), newDocs(), newExplain(), newSchema(), newVersion())
	return root
}
