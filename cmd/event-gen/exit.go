package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/disk"
)

// The exit codes besides 0.
const (
	exitFindings = exit(1) // in the content of catalogs
	exitUsage    = exit(2) // or configuration, or a file that is missing, unwritable, not ours or no catalog of this version
	exitStale    = exit(3)
	exitInternal = exit(4) // a mistake of event-gen
	// exitInterrupted is what shells use for a program that Ctrl-C has ended.
	exitInterrupted = exit(130)
)

// exit is an error that has been reported already: a command returns it for its exit code.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// mistake says that event-gen itself has gone wrong, and what its makers have to know to mend it.
func mistake(stderr io.Writer, what string) exit {
	fmt.Fprintf(stderr, "event-gen: internal error: %s\n", strings.TrimSpace(what))
	fmt.Fprintln(stderr, "This is a mistake of event-gen and not yours. Please report it at https://github.com/event-gen/event-gen/issues,")
	fmt.Fprintf(stderr, "with the command, the catalogs, all of the above, and: %s\n", versionLine())
	return exitInternal
}

// verdict is the outcome that findings lead to: those of a severity, and worse, are a failure.
func verdict(findings diag.Findings, failOn diag.Severity) error {
	for _, f := range findings {
		if f.Severity >= failOn {
			return exitFindings
		}
	}
	return nil
}

// endsWithin is how long a command has, after a signal, to end by itself. One that can't, because it reads from a terminal or
// waits for another program, is left behind.
const endsWithin = 500 * time.Millisecond

// supervise runs a command, and ends it at a signal: in time, with every file as it was before or as it is to be, and without
// a word on what the command made of its end. A second signal ends the process at once.
func supervise(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, args, stdout, stderr) }()
	code := int(exitInterrupted)
	select {
	case code = <-ended:
	case <-ctx.Done():
		stop()
		select {
		case code = <-ended:
		case <-time.After(endsWithin):
			disk.Hold()
		}
	}
	if code == int(exitInterrupted) {
		fmt.Fprintln(stderr, "event-gen: interrupted")
	}
	return code
}
