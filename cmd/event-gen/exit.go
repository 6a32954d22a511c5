package main

import (
	"fmt"

	"github.com/event-gen/event-gen/internal/diag"
)

// The exit codes besides 0.
const (
	exitFindings = exit(1) // in the content of catalogs
	exitUsage    = exit(2) // or configuration, or a file that is missing, unwritable or not ours
	exitStale    = exit(3)
	exitInternal = exit(4)
)

// exit is an error that has been reported already: a command returns it for its exit code.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// verdict is the outcome that findings lead to: those of a severity, and worse, are a failure.
func verdict(findings diag.Findings, failOn diag.Severity) error {
	for _, f := range findings {
		if f.Severity >= failOn {
			return exitFindings
		}
	}
	return nil
}
