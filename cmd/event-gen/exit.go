package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/event-gen/event-gen/internal/diag"
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
