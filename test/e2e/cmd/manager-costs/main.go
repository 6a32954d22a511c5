// Command manager-costs builds one program with controller-runtime's manager, with ctrlevents.NewManager and with ctrlevents.Wrap, each in a
// module of its own, runs each in turns while no server answers, and prints what that costs as a table in Markdown.
//
//	go run ./cmd/manager-costs               in the module test/e2e; five runs of each, of which the least is shown
//	go run ./cmd/manager-costs -rounds=10
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	cancel()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "manager-costs:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("manager-costs", flag.ContinueOnError)
	flags.SetOutput(stderr)
	rounds := flags.Int("rounds", 5, "how often each program runs")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *rounds < 1 {
		return fmt.Errorf("flag -rounds: expected more than 0, found %d", *rounds)
	}
	folder, err := os.MkdirTemp("", "manager-costs")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	var built []*program
	for _, v := range variants {
		p, err := build(ctx, folder, v)
		if err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		built = append(built, p)
	}
	for range *rounds {
		for _, p := range built {
			if err := p.run(ctx); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
		}
	}
	return table(stdout, built)
}
