// Command benchmarks compares this module's recorder with those of client-go, tools/record and tools/events, in one
// process, on the same work, in turns; and holds the results against what was to be reached.
//
//	go run .                     all of it, at rest and beside another process, in about twelve minutes; writes RESULTS.md and chart.svg
//	go run . -run 'emit|http2'   some of it; writes nothing
//	go run . -quick              all of it in about a minute, roughly; writes nothing
//	go run . -beside             what compares times, beside a second process that keeps a processor busy; writes nothing
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

	"github.com/event-gen/event-gen/benchmarks/internal/beside"
	"github.com/event-gen/event-gen/benchmarks/internal/logs"
	"github.com/event-gen/event-gen/benchmarks/internal/report"
	"github.com/event-gen/event-gen/benchmarks/internal/scenario"
)

func main() {
	beside.Main(os.Args[1:])
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "benchmarks:", err)
		os.Exit(1)
	}
}

// arguments are those of the command line.
type arguments struct {
	only *regexp.Regexp
	// beside: only beside another process.
	beside bool
	cfg    scenario.Config
	dir    string
}

// complete reports whether all is measured as it should be to be published.
func (a *arguments) complete() bool { return a.only.String() == "" && !a.cfg.Quick && !a.beside }

func parse(args []string, out io.Writer) (a arguments, err error) {
	flags := flag.NewFlagSet("benchmarks", flag.ContinueOnError)
	flags.SetOutput(out)
	only := flags.String("run", "", "measure only scenarios whose name this regular expression matches")
	flags.IntVar(&a.cfg.Rounds, "rounds", 6, "how often each contender has its turn")
	flags.BoolVar(&a.cfg.Quick, "quick", false, "shorter turns")
	flags.BoolVar(&a.beside, "beside", false, "measure beside a second process that keeps a processor busy, and only what compares times")
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
	logs.Mute()
	start := time.Now()
	var all report.Result
	if !a.beside {
		if err := measureAll(a, out, &all); err != nil {
			return err
		}
	}
	if a.beside || a.complete() {
		if err := measureBeside(a, out, &all); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%d rounds, %v\n", a.cfg.Rounds, time.Since(start).Round(time.Second))
	if !a.complete() {
		return nil
	}
	return publish(a, &all)
}

func measureAll(a arguments, out io.Writer, all *report.Result) error {
	for _, s := range scenario.All {
		if !a.only.MatchString(s.Name) {
			continue
		}
		if err := show(out, s.Run(a.cfg), all); err != nil {
			return err
		}
	}
	return nil
}

// measureBeside has a second process keep a processor busy meanwhile. It takes half the rounds, as it comes on top.
func measureBeside(a arguments, out io.Writer, all *report.Result) error {
	stop, err := beside.Start()
	if err != nil {
		return err
	}
	defer stop()
	a.cfg.Rounds = (a.cfg.Rounds + 1) / 2
	for _, s := range scenario.All {
		if !s.Ratios || !a.only.MatchString(s.Name) {
			continue
		}
		if err := show(out, s.Run(a.cfg).Renamed(", beside another process"), all); err != nil {
			return err
		}
	}
	return nil
}

// show prints what a scenario has found, and adds it to what others have.
func show(out io.Writer, found report.Result, all *report.Result) error {
	all.Add(found)
	debug.FreeOSMemory()
	return report.Tables(out, &found)
}
