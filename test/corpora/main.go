// Command corpora runs the tools for existing code on public repositories, at fixed commits:
//
//	corpora rows [-update] [REPOSITORY...]      compares what they find with docs/evidence
//	corpora ablate [-update] [REPOSITORY...]    what each part pays: its lines, and the rows that it changes
//
// The repositories are cloned into CORPORA, or into the user's cache. A stand-in compiler reads
// their dependencies in seconds. -update writes docs/evidence anew.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "corpora:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New("expected rows or ablate")
	}
	command, args := args[0], args[1:]
	if command == "measure" { // in a process of its own, in the repository
		return printRow(ctx, args)
	}
	update := slices.Contains(args, "-update")
	e, err := newEvidence(slices.DeleteFunc(args, func(a string) bool { return a == "-update" }))
	if err != nil {
		return err
	}
	switch command {
	case "rows":
		return e.rows(ctx, update)
	case "ablate":
		return e.ablate(ctx, update)
	}
	return fmt.Errorf("expected rows or ablate, found %q", command)
}

// printRow prints the rows of the working directory as JSON: measure MANIFESTS [PART...].
func printRow(ctx context.Context, args []string) error {
	rows, err := measure(ctx, strings.Fields(args[0]), args[1:])
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(rows)
}
