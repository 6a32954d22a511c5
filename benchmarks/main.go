// Command benchmarks compares this module's recorder with those of client-go, tools/record and tools/events, in one
// process, on the same work, in turns; and holds the results against what was to be reached.
//
//	go run .                     all of it, in under ten minutes; writes RESULTS.md and chart.svg
//	go run . -run 'emit|http2'   some of it; writes nothing
//	go run . -quick              all of it in about a minute, roughly; writes nothing
//
// What counts is ratios: all contenders share the machine's noise. go test -bench=. gives the figures that fit there.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime/debug"
	"time"

	"k8s.io/klog/v2"

	"github.com/event-gen/event-gen/benchmarks/internal/report"
	"github.com/event-gen/event-gen/benchmarks/internal/scenario"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "benchmarks:", err)
		os.Exit(1)
	}
}

// arguments are those of the command line.
type arguments struct {
	only *regexp.Regexp
	cfg  scenario.Config
	dir  string
}

// complete reports whether all is measured as it should be to be published.
func (a *arguments) complete() bool { return a.only.String() == "" && !a.cfg.Quick }

func parse(args []string, out io.Writer) (a arguments, err error) {
	flags := flag.NewFlagSet("benchmarks", flag.ContinueOnError)
	flags.SetOutput(out)
	only := flags.String("run", "", "measure only scenarios whose name this regular expression matches")
	flags.IntVar(&a.cfg.Rounds, "rounds", 6, "how often each contender has its turn")
	flags.BoolVar(&a.cfg.Quick, "quick", false, "shorter turns")
	flags.StringVar(&a.dir, "dir", ".", "the folder for RESULTS.md and chart.svg, which a complete run writes")
	if err := flags.Parse(args); err != nil {
		return a, err
	}
	if a.cfg.Rounds < 1 {
		return a, fmt.Errorf("-rounds: expected 1 or more, found %d", a.cfg.Rounds)
	}
	a.only, err = regexp.Compile(*only)
	return a, err
}

func run(args []string, out io.Writer) error {
	a, err := parse(args, out)
	if err != nil {
		return err
	}
	muteLogs()
	start := time.Now()
	var all report.Result
	for _, s := range scenario.All {
		if !a.only.MatchString(s.Name) {
			continue
		}
		found := s.Run(a.cfg)
		if err := report.Tables(out, &found); err != nil {
			return err
		}
		all.Add(found)
		debug.FreeOSMemory()
	}
	fmt.Fprintf(out, "%d rounds, %v\n", a.cfg.Rounds, time.Since(start).Round(time.Second))
	if !a.complete() {
		return nil
	}
	return publish(a, &all)
}

// muteLogs has what the recorders log made and thrown away: a controller's log costs more than that.
func muteLogs() {
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	_ = flags.Parse([]string{"-logtostderr=false", "-stderrthreshold=FATAL"}) // panics instead
	klog.SetOutput(io.Discard)
}
