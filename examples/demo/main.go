// Command demo plays the life of a CronJob and its Jobs through generated recorders into memory. It
// prints the events that an API server would store. examples/controller does the same on a cluster.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/event-gen/event-gen/examples/cronjobevents"
	"github.com/event-gen/event-gen/examples/jobevents"
	"github.com/event-gen/event-gen/examples/life"
	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// run records the events, shuts down, and prints the stored events and the accounting.
func run(ctx context.Context, stdout io.Writer) error {
	stored := memory.New()
	b, err := broadcaster.New(broadcaster.Options{Sink: stored})
	if err != nil {
		return err
	}
	recorder := eventrt.NewRecorder(b)
	life.Play(life.Recorders{
		Jobs:     jobevents.NewRecorder(recorder),
		CronJobs: cronjobevents.NewRecorder(recorder),
	}, life.NewCast("demo").WithUIDs())
	if err := b.Shutdown(ctx); err != nil {
		return err
	}
	life.Show(stdout, stored.List(), b.Stats(), time.Now())
	return nil
}
