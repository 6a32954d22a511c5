// Package outcomes reads the output of go test before and after a change, and compares the results.
package outcomes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// Results are the results of a test command: an outcome for each package and each test in its
// output, and how the command ended.
type Results struct {
	packages, tests map[string]string
	failed          bool
}

// results matches the lines in which go test reports outcomes of packages and, with -v or on
// failure, of tests. The last line of a failing package is FAIL alone: it names nothing, and the
// text after it is on the next line.
var results = regexp.MustCompile(`(?m)^[ \t]*(ok|FAIL|---[ ](?:PASS|FAIL|SKIP):)[ \t]+(\S+)`)

// outcomesOf reads the output of go test.
func outcomesOf(out string) Results {
	r := Results{packages: map[string]string{}, tests: map[string]string{}}
	for _, found := range results.FindAllStringSubmatch(out, -1) {
		outcomes, outcome := r.packages, "passes"
		if strings.HasPrefix(found[1], "---") {
			outcomes = r.tests
		}
		if strings.Contains(found[1], "FAIL") {
			outcome = "fails"
		} else if strings.Contains(found[1], "SKIP") {
			outcome = "is skipped"
		}
		if outcomes[found[2]] != "fails" {
			outcomes[found[2]] = outcome
		}
	}
	return r
}

// Run runs a command line with the shell. The error means that the shell could not run it.
func Run(ctx context.Context, line string) (Results, error) {
	c := exec.CommandContext(ctx, "sh", "-c", line)
	out, err := c.CombinedOutput()
	r := outcomesOf(string(out))
	r.failed = err != nil
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = nil
	}
	return r, err
}

// Differences lists the results that differ after the change. same reports that there are none, and
// that the command ends as before.
func (before Results) Differences(after Results) (lines []string, same bool) {
	lines = slices.Concat(differences(before.packages, after.packages), differences(before.tests, after.tests))
	return lines, len(lines) == 0 && before.failed == after.failed
}

// differences lists the outcomes that differ after the change.
func differences(before, after map[string]string) []string {
	both := maps.Clone(before)
	maps.Copy(both, after)
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(both)) {
		was, is := before[name], after[name]
		if was == is || was == "" && is == "passes" { // a package that the change brings
			continue
		}
		lines = append(lines, fmt.Sprintf("%s %s after the change, and before it %s", name, cmp.Or(is, absent), cmp.Or(was, absent)))
	}
	return lines
}

// absent is the outcome of a package that only the other side has.
const absent = "is not run"

// String counts the packages that pass, and the packages that fail: their tests do not pass, or do
// not compile.
func (r Results) String() string {
	passes, fails := 0, 0
	for _, outcome := range r.packages {
		if outcome == "passes" {
			passes++
		} else {
			fails++
		}
	}
	return fmt.Sprintf("packages: %d pass, %d fail", passes, fails)
}
