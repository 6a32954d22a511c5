package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/event-gen/event-gen/internal/disk"
)

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
