// Knockout switches off one rule of the correlator after the other, and reports which test fails
// without it. A rule that no test misses is no rule: it gets its test, or goes.
//
//	go run ./test/knockout [-find] [words of a rule]
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// row is a rule: the edit that switches it off, and a test that then fails.
type row struct {
	rule, file string // the file is in folder
	old, new   string // old occurs once in the file
	test       string // "full": without -short
}

const folder = "runtime/correlator"

// slowTests are left out when a failing test is looked for. They hold no rule of these.
const slowTests = "^(TestWhatIsHeldIsCounted|TestAnIdleIdentityIsSmall|TestMemoryIsGivenBack|TestNeighboursOfSickNamespaces|TestShutdownAfterAnOutage|TestManyNamespaces|TestMixtures|TestAFullNamespaceTakesNoMemoryOfOthers)$"

var from = flag.Int("from", 0, "the first row")

func main() {
	find := flag.Bool("find", false, "run all short tests, to find one that fails")
	flag.Parse()
	if err := run(strings.Join(flag.Args(), " "), *find); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run knocks out every rule whose text contains words.
func run(words string, find bool) error {
	temp, err := os.MkdirTemp("", "knockout")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	missed := 0
	for _, r := range rows[min(*from, len(rows)):] {
		if !strings.Contains(r.rule, words) && !strings.Contains(r.test, words) {
			continue
		}
		failed, err := r.knockOut(temp, find)
		switch {
		case err != nil:
			missed++
			failed = "ERROR: " + err.Error()
		case failed == "":
			missed++
			failed = "MISSED BY " + cmp.Or(r.test, "all")
		}
		fmt.Printf("%-90s %s\n", r.rule, failed)
	}
	if missed > 0 {
		return fmt.Errorf("%d rules without a test that misses them: write one, or take the rule out", missed)
	}
	return nil
}

// edited returns the file without the rule.
func (r *row) edited() (string, error) {
	text, err := os.ReadFile(filepath.Join(folder, r.file))
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), r.old); n != 1 {
		return "", fmt.Errorf("expected %q once in %s, found it %d times: mend the row", r.old, r.file, n)
	}
	return strings.Replace(string(text), r.old, r.new, 1), nil
}

var failure = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// knockOut runs tests without the rule. It returns one that fails; empty: none does.
func (r *row) knockOut(temp string, all bool) (failed string, err error) {
	text, err := r.edited()
	if err != nil {
		return "", err
	}
	name, err := filepath.Abs(filepath.Join(folder, r.file))
	if err != nil {
		return "", err
	}
	edited, overlay := filepath.Join(temp, "edited.go"), filepath.Join(temp, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {name: edited}})
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.WriteFile(edited, []byte(text), 0o600), os.WriteFile(overlay, list, 0o600)); err != nil {
		return "", err
	}
	test, full := strings.CutSuffix(r.test, " full")
	args := []string{"test", fmt.Sprintf("-short=%t", !full), "-failfast", "-vet=off", "-timeout=5m", "-overlay=" + overlay}
	if all {
		args = append(args, "-skip="+slowTests)
	} else {
		args = append(args, "-run=^"+strings.ReplaceAll(test, "/", "$/^")+"$")
	}
	out, err := exec.Command("go", append(args, "./"+folder)...).CombinedOutput()
	var exit *exec.ExitError
	switch names := failure.FindSubmatch(out); {
	case err == nil:
		return "", nil
	case !errors.As(err, &exit):
		return "", err
	case names != nil:
		return string(names[1]), nil
	case strings.Contains(string(out), "panic: test timed out"):
		return "it takes more than five minutes", nil
	default:
		return "", fmt.Errorf("the tests did not run: %s", out)
	}
}
