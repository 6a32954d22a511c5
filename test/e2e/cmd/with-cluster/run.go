package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/event-gen/event-gen/test/e2e/cluster"
	"github.com/event-gen/event-gen/test/e2e/internal/servers"
)

// failed is the exit code for a failure of with-cluster itself.
const failed = 125

const usage = `usage: with-cluster [--print-build] -- CMD ARGS…
       with-cluster --build-only

Runs CMD with KUBECONFIG set to a new test cluster and the cluster's kubectl first on PATH, then stops the cluster.

`

type stdio struct {
	in       io.Reader
	out, err io.Writer
}

type arguments struct {
	buildOnly, printBuild bool
	command               []string
}

// run does everything but read the process's own state; it returns the exit code. Once ctx ends,
// the command is interrupted and the cluster stopped.
func run(ctx context.Context, args []string, std stdio) int {
	parsed, err := parse(args, std.err)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err == nil && (parsed.buildOnly || parsed.printBuild) {
		err = printBuild(ctx, parsed, std)
	}
	if err != nil {
		fmt.Fprintln(std.err, "with-cluster:", err)
		return failed
	}
	if parsed.buildOnly {
		return 0
	}
	return runWithCluster(ctx, parsed.command, std)
}

func parse(args []string, stderr io.Writer) (arguments, error) {
	var parsed arguments
	flags := flag.NewFlagSet("with-cluster", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage); flags.PrintDefaults() }
	flags.BoolVar(&parsed.buildOnly, "build-only", false, "build the servers unless they are there, print their paths, and end")
	flags.BoolVar(&parsed.printBuild, "print-build", false, "print the paths of the servers to the standard error first")
	if err := flags.Parse(args); err != nil {
		return arguments{}, err
	}
	parsed.command = flags.Args()
	if parsed.buildOnly != (len(parsed.command) == 0) {
		flags.Usage()
		return arguments{}, errors.New("expected either a command after -- or --build-only")
	}
	return parsed, nil
}

// printBuild prints to the standard output only when the paths are what was asked for, since the
// command owns it otherwise.
func printBuild(ctx context.Context, parsed arguments, std stdio) error {
	paths, err := servers.Find(ctx, std.err)
	if err != nil {
		return err
	}
	out := std.err
	if parsed.buildOnly {
		out = std.out
	}
	_, err = fmt.Fprintf(out, "%s\n%s\n%s\n", paths.APIServer, paths.Etcd, paths.Kubectl)
	return err
}

func runWithCluster(ctx context.Context, command []string, std stdio) int {
	c, err := cluster.Start(ctx, cluster.Options{Log: std.err})
	if err != nil {
		fmt.Fprintln(std.err, "with-cluster:", err)
		return failed
	}
	code := runCommand(ctx, c, command, std)
	if err := c.Stop(); err != nil {
		fmt.Fprintln(std.err, "with-cluster: stop the cluster:", err)
		return failed
	}
	return code
}
