package main

import (
	"cmp"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/event-gen/event-gen/analyzer"
	"github.com/event-gen/event-gen/internal/plumbing/progress"
	"github.com/event-gen/event-gen/internal/plumbing/seed"
)

var update = flag.Bool("update", false, "write the output of commands into the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"event-gen": func() {
			patience = func(io.Writer) *progress.Patience { return nil }
			main()
		},
		"event-gen-mistaken": mistaken, "event-gen-vet": func() { singlechecker.Main(analyzer.Analyzer) },
	})
}

// scriptSeed is the seed of random input in scripts.
var scriptSeed uint64

// The scripts run the real command, each in a folder of its own.
func TestScripts(t *testing.T) {
	scriptSeed = seed.Of(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup:               endAtOnce,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":      exits,
			"wellformed": wellformed,
			"leaves":     leaves,
			"rejected":   rejected,
			"reported":   reported,
			"clientgo":   clientgo,
			"typed":      typed,
			"managed":    managed,
			"tool":       tool,
			"movements":  movements,
			"moved":      moved,
		},
	})
}

// endAtOnce makes commands built with the race detector end at once. By default, each sleeps for a
// second before it ends.
func endAtOnce(env *testscript.Env) error {
	env.Setenv("GORACE", cmp.Or(os.Getenv("GORACE"), "atexit_sleep_ms=0"))
	return nil
}

// exits runs a program and fails unless it ends with an exit code: exits CODE PROGRAM [ARG...].
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG...]")
	}
	if want, got := number(ts, args[0]), exitCode(ts, args[1:]...); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func number(ts *testscript.TestScript, text string) int {
	n, err := strconv.Atoi(text)
	ts.Check(err)
	return n
}

// exitCode runs a program and returns its exit code.
func exitCode(ts *testscript.TestScript, args ...string) int {
	err := ts.Exec(args[0], args[1:]...)
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
		return ended.ExitCode()
	}
	ts.Check(err)
	return 0
}
