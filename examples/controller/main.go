// Command controller plays the life of a CronJob and its Jobs. It records the events through
// generated recorders on the API server of a kubeconfig.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/event-gen/event-gen/examples/cronjobevents"
	"github.com/event-gen/event-gen/examples/jobevents"
	"github.com/event-gen/event-gen/examples/life"
	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// shutdownTimeout bounds the time that Shutdown waits for events to be written.
const shutdownTimeout = 30 * time.Second

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("controller", flag.ContinueOnError)
	flags.SetOutput(stderr)
	to := flags.String("sink", "auto", "where events go: events (events.k8s.io/v1), core (v1), or auto")
	namespace := flags.String("namespace", "demo", "namespace of the objects; created if it does not exist")
	kubeconfig := flags.String("kubeconfig", os.Getenv("KUBECONFIG"), "kubeconfig of the cluster")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if err := play(ctx, stdout, *to, *namespace, *kubeconfig); err != nil {
		fmt.Fprintln(stderr, "controller:", err)
		return 1
	}
	return 0
}

// play records the events, shuts down, and prints the stored events and the accounting.
func play(ctx context.Context, stdout io.Writer, to, namespace, kubeconfig string) error {
	stage, err := newStage(ctx, to, namespace, kubeconfig)
	if err != nil {
		return err
	}
	b, err := broadcaster.New(broadcaster.Options{Sink: stage.sink})
	if err != nil {
		return err
	}
	recorder := eventrt.NewRecorder(b)
	life.Play(life.Recorders{
		Jobs:     jobevents.NewRecorder(recorder),
		CronJobs: cronjobevents.NewRecorder(recorder),
	}, stage.cast)

	ending, cancel := context.WithTimeout(ctx, shutdownTimeout)
	defer cancel()
	if err := b.Shutdown(ending); err != nil {
		return err
	}
	events, err := stage.list(ctx)
	if err != nil {
		return err
	}
	life.Show(stdout, events, b.Stats(), time.Now())
	return nil
}
