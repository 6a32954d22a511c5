// Command soak lets two programs record events for a long time on a real API server that is in
// trouble: the example operator as it is built, and a broadcaster of this process. Load and trouble
// come from a seed. It checks all the time, and writes a report.
//
//	make soak                       # ten minutes
//	make soak FOR=1h SEED=7         # an hour; the same load and the same troubles in the same order
//
// The exit code is 1 if something was found.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	length := flag.Duration("for", 10*time.Minute, "the time with trouble")
	seed := flag.Uint64("seed", 0, "the seed of load and trouble; 0: a new one")
	report := flag.String("report", "", "the report's file, in Markdown; its picture is beside it. Empty: only what is printed")
	operator := flag.String("operator", "../../examples/operator", "the operator's module")
	flag.Parse()
	if *seed == 0 {
		*seed = uint64(rand.Uint32()) + 1
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	fmt.Printf("soak for %v; seed %d\n", *length, *seed)
	s, err := newSoak(ctx, *seed, *length, *operator)
	if err == nil {
		err = errors.Join(s.run(), s.close())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(2)
	}
	if err := s.publish(*report); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(2)
	}
	if len(s.findings.list()) > 0 {
		os.Exit(1)
	}
}
