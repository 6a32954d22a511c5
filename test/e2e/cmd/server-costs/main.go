// Command server-costs has client-go's two recorders and this module's record the same occurrences on one real kube-apiserver and etcd, and
// writes down what that costs the servers: processor time, requests, bytes written to etcd.
//
//	go run ./cmd/server-costs -out ../../benchmarks/SERVER.md    in about a quarter of an hour
//	go run ./cmd/server-costs -scale 20                          a twentieth of the occurrences, to the standard output
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"syscall"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"

	"github.com/event-gen/event-gen/test/e2e/cluster"
)

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	cancel()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "server-costs:", err)
		os.Exit(1)
	}
}

// arguments are those of the command line.
type arguments struct {
	only  *regexp.Regexp
	out   string
	scale int
	idle  time.Duration
}

func parse(args []string, stderr io.Writer) (a arguments, err error) {
	flags := flag.NewFlagSet("server-costs", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&a.out, "out", "", "the file to write; empty: the standard output")
	only := flags.String("run", "", "record only workloads whose name this regular expression matches")
	flags.IntVar(&a.scale, "scale", 1, "divides the number of occurrences")
	flags.DurationVar(&a.idle, "idle", 20*time.Second, "how long the servers are left alone first, and then how long what they use by themselves is measured")
	if err := flags.Parse(args); err != nil {
		return a, err
	}
	if a.scale < 1 {
		return a, fmt.Errorf("-scale: expected 1 or more, found %d", a.scale)
	}
	a.only, err = regexp.Compile(*only)
	return a, err
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	a, err := parse(args, stderr)
	if err != nil {
		return err
	}
	muteLogs()
	c, err := cluster.Start(ctx, cluster.Options{Log: stderr})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Stop()) }()
	i, all, err := measure(ctx, c, a, stderr)
	if err != nil {
		return err
	}
	if a.out == "" {
		return markdown(stdout, "make bench-server", i, all)
	}
	return writeFile(a.out, i, all)
}

func writeFile(path string, i idle, all []result) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(markdown(f, "make bench-server", i, all), f.Close())
}

// measure has all contenders record all workloads.
func measure(ctx context.Context, c *cluster.Cluster, a arguments, progress io.Writer) (i idle, all []result, err error) {
	var none traffic
	clients, err := kubernetes.NewForConfig(none.config(c.RESTConfig()))
	if err != nil {
		return i, nil, err
	}
	m := meter{c: c, clients: clients}
	time.Sleep(a.idle)
	if i, err = m.rest(ctx, a.idle); err != nil {
		return i, nil, err
	}
	for n := range workloads {
		if !a.only.MatchString(workloads[n].name) {
			continue
		}
		r := result{workload: &workloads[n], costs: map[string]cost{}}
		for k := range contenders {
			if ctx.Err() != nil {
				return i, nil, ctx.Err()
			}
			found, err := m.turn(ctx, r.workload, &contenders[k], i, a.scale)
			if err != nil {
				return i, nil, fmt.Errorf("%s, %s: %w", r.workload.name, contenders[k].name, err)
			}
			fmt.Fprintf(progress, "%s, %s: %d of %d stored, %.0f requests, %.2f s of kube-apiserver, in %v\n",
				r.workload.name, contenders[k].name, found.stored, found.recorded, found.sent(), found.apiServer.Seconds(), found.wall.Round(time.Second))
			r.recorded, r.costs[contenders[k].name] = found.recorded, found
		}
		all = append(all, r)
	}
	return i, all, nil
}

// muteLogs throws away what client-go's recorders log about events that they drop.
func muteLogs() {
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	_ = flags.Parse([]string{"-logtostderr=false", "-stderrthreshold=FATAL"}) // panics instead
	klog.SetOutput(io.Discard)
}
