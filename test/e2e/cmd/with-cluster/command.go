package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// interruptBound is how long a command has to end between the interrupt and SIGKILL.
const interruptBound = 30 * time.Second

// Exit codes of a command that did not run, as shells give them.
const (
	notExecutable = 126
	notFound      = 127
	bySignal      = 128
)

// runCommand runs the command beside the cluster and returns its exit code.
func runCommand(ctx context.Context, c *cluster.Cluster, command []string, std stdio) int {
	name, err := lookPath(command[0], c.KubectlDir())
	if err != nil {
		return notRun(err, std)
	}
	cmd := exec.CommandContext(ctx, name, command[1:]...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+c.Kubeconfig(),
		"PATH="+c.KubectlDir()+string(filepath.ListSeparator)+os.Getenv("PATH"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = std.in, std.out, std.err
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = interruptBound
	if err := cmd.Run(); cmd.ProcessState == nil {
		return notRun(err, std)
	}
	return exitCode(cmd.ProcessState)
}

// lookPath finds a command where the command itself would look for it, which is in the cluster's
// folder before PATH.
func lookPath(name, first string) (string, error) {
	if filepath.Base(name) == name {
		if path, err := exec.LookPath(filepath.Join(first, name)); err == nil {
			return path, nil
		}
	}
	return exec.LookPath(name)
}

// exitCode is the command's own, whether or not it was interrupted.
func exitCode(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return bySignal + int(status.Signal())
	}
	return state.ExitCode()
}

func notRun(err error, std stdio) int {
	fmt.Fprintln(std.err, "with-cluster: run the command:", err)
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return notFound
	case errors.Is(err, fs.ErrPermission):
		return notExecutable
	}
	return failed
}
