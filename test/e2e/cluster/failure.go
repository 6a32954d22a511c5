package cluster

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

const (
	failureLines = 20
	tailBytes    = 64 << 10
)

// serverError is a server that ended or did not become ready.
type serverError struct {
	name, what string
	cause      error
	log        string // its last lines
}

// Error says what happened, then the last lines of the server's log.
func (e *serverError) Error() string {
	return fmt.Sprintf("%s %s: %v; the last lines of its log:\n%s", e.name, e.what, e.cause, e.log)
}

// Unwrap returns the cause.
func (e *serverError) Unwrap() error { return e.cause }

// failure describes a process that ended when it should not have. It may be called only once the
// process is reaped.
func (p *process) failure(what string) error {
	return &serverError{name: p.name, what: what, cause: errors.New(p.cmd.ProcessState.String()), log: tail(p.logFile, failureLines)}
}

// tail returns at most the last lines and tailBytes of a file, or why there are none.
func tail(path string, lines int) string {
	file, err := os.Open(path)
	if err != nil {
		return err.Error()
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() > tailBytes {
		if _, err := file.Seek(-tailBytes, io.SeekEnd); err != nil {
			return err.Error()
		}
	}
	data, err := io.ReadAll(io.LimitReader(file, tailBytes))
	if err != nil {
		return err.Error()
	}
	all := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
