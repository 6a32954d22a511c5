package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// testResults are what a test command has told: an outcome for each package and test that it names, and how the command ended.
type testResults struct {
	outcomes map[string]string
	failed   bool
}

// results are the lines by which go test tells outcomes: of packages, and with -v or on failure of tests.
var results = regexp.MustCompile(`(?m)^\s*(ok|FAIL|---\s+(?:PASS|FAIL|SKIP):)\s+(\S+)`)

// runTests runs a command line with the shell.
func runTests(ctx context.Context, cmd *cobra.Command, line string) testResults {
	fmt.Fprintf(cmd.ErrOrStderr(), "running %s\n", line)
	var out bytes.Buffer
	c := exec.CommandContext(ctx, "sh", "-c", line)
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	r := testResults{outcomes: map[string]string{}, failed: err != nil}
	for _, found := range results.FindAllStringSubmatch(out.String(), -1) {
		outcome := "passes"
		if strings.Contains(found[1], "FAIL") {
			outcome = "fails"
		} else if strings.Contains(found[1], "SKIP") {
			outcome = "is skipped"
		}
		if r.outcomes[found[2]] != "fails" {
			r.outcomes[found[2]] = outcome
		}
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %v\n", line, err)
	}
	return r
}

// compare says which results differ after the change.
func (before testResults) compare(cmd *cobra.Command, after testResults) error {
	stderr := cmd.ErrOrStderr()
	differ := before.failed != after.failed
	names := slices.Collect(maps.Keys(before.outcomes))
	for name := range after.outcomes {
		if _, known := before.outcomes[name]; !known {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		was, is := before.outcomes[name], after.outcomes[name]
		if was == is || was == "" && is == "passes" { // a package that the change brings
			continue
		}
		differ = true
		fmt.Fprintf(stderr, "%s %s after the change, and before it %s\n", name, orAbsent(is), orAbsent(was))
	}
	if !differ {
		fmt.Fprintf(stderr, "the tests end as before: %s\n", before)
		return nil
	}
	fmt.Fprintln(stderr, "the tests end differently; the change was written, and git restores the files")
	return exitFindings
}

func orAbsent(outcome string) string {
	if outcome == "" {
		return "is not run"
	}
	return outcome
}

// String counts what passes and what fails.
func (r testResults) String() string {
	passes, fails := 0, 0
	for _, outcome := range r.outcomes {
		switch outcome {
		case "passes":
			passes++
		case "fails":
			fails++
		}
	}
	return fmt.Sprintf("%d pass, %d fail", passes, fails)
}
