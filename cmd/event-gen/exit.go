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

	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
)

// The exit codes besides 0.
const (
	exitFindings = exit(1) // in the content of catalogs
	exitUsage    = exit(2) // or configuration, or a file that is missing, unwritable, not ours or no catalog of this version
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

// endsWithin is the time that a command has to end after a signal. A command that reads from a terminal or waits for another program may not
// end in time; the process then ends without it.
const endsWithin = 500 * time.Millisecond

// supervise runs a command until it ends, or a signal comes. After a signal the process ends in time: each file is either old or new, and no
// finding of the interrupted command is printed. A second signal ends the process at once.
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

// wait returns the exit code of the command, or exitInterrupted if the command goes on for endsWithin after the signal that ends ctx. It can
// then change no file any more.
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
