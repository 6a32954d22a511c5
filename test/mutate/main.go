// Command mutate shows that tests notice when what they test is wrong: it inverts or weakens each condition of each lint rule
// in turn, or of the correlator (-files='runtime/correlator/*') or the dispatcher (-files='runtime/internal/dispatch/*'), and runs the tests
// against it. With -promise it breaks each clause of what docs/reliability.md promises instead, with -noise each rule of what a catalog says of noise. A mutant that no test fails is printed,
// and the exit code is 1. The mutants and their order depend on the files alone. Nothing in the work tree is changed:
// the go command is given the mutant as an overlay.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// suite is a package and its tests.
type suite struct {
	folder string
	files  []string // in it, as patterns
	// whole: all of a file is about a rule. Otherwise only the functions that name a rule are.
	whole bool
	// skip are tests that would take long, or fail for a reason of their own.
	skip string
	// flags are the flags of its tests.
	flags []string
	// also are further suites. Their tests run if the tests of this suite notice nothing.
	also []suite
	// only are the tests that are run, as a pattern; empty: all.
	only string
}

// Rules are reported by the values of internal/catalog/lint, and by the reader and the model on their way. The correlator is tested
// with a simulation that is short and always the same; what only takes long is left out.
var suites = []suite{
	{folder: "internal/catalog/lint", files: []string{"ev*.go"}, whole: true, skip: "TestManyReasons|TestDocument"},
	{folder: "internal/catalog", files: []string{"*.go"}, skip: "TestHostileText|Fuzz", flags: noFailFile},
	{folder: "internal/catalog/model", files: []string{"*.go"}, flags: noFailFile},
	{
		folder: "runtime/correlator", files: []string{"*.go", "internal/*/*.go"}, whole: true,
		skip: "TestAMillionObjects|TestSimulatedServerIsTheRealOne|Fuzz|" + seconds, flags: simulation,
		also: []suite{{folder: "runtime/correlator", only: seconds}},
	},
	dispatch,
}

// dispatch is tested with random worlds, and through the broadcaster, whose simulation holds it to what is promised.
var dispatch = suite{
	folder: "runtime/internal/dispatch", files: []string{"*.go"}, whole: true,
	flags: []string{"-world.seed=1", "-world.count=60"},
	also: []suite{{folder: "runtime/broadcaster", only: "TestSimulation|TestMixtures|TestAnOutage|TestOneObject|TestForbidden",
		flags: []string{"-sim.seed=1", "-sim.histories=200"}}},
}

// simulation makes the correlator's random histories always the same, and few.
var simulation = []string{"-sim.seed=1", "-sim.histories=600", "-rapid.seed=1", "-rapid.nofailfile"}

// seconds are tests of the correlator that take so long that others are asked first.
const seconds = "TestWhatIsHeldIsCounted|TestNoFieldMakesLookUpsLong|TestManyReasonsOfOneObjectStayWithinTheBounds"

// noFailFile keeps rapid from leaving what a mutant failed by in the work tree.
var noFailFile = []string{"-rapid.nofailfile"}

func main() {
	pattern := flag.String("files", "internal/*", "the files whose conditions are changed, such as internal/catalog/lint/ev1*.go; * is any text")
	every := flag.Int("every", 1, "try the first mutant of every so many, for a sample")
	named := flag.Bool("promise", false, "break the clauses of the promise that trouble has a scope, each by its name, instead of conditions")
	policies := flag.Bool("noise", false, "break the rules of interval, note, limits and alsoOn, each by its name, instead of conditions")
	flag.Parse()
	survivors, err := 0, error(nil)
	switch {
	case *named:
		survivors, err = runClauses(scopes)
	case *policies:
		survivors, err = runClauses(noise)
	default:
		survivors, err = run(*pattern, max(1, *every))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
	if survivors > 0 {
		os.Exit(1)
	}
}

// run tries the first mutant of every so many, and returns the number of mutants that no test noticed.
func run(pattern string, every int) (survivors int, err error) {
	var all []mutant
	for _, s := range suites {
		files, err := s.list(pattern)
		if err != nil {
			return 0, err
		}
		if len(files) > 0 {
			err = s.passes()
		}
		if err != nil {
			return 0, err
		}
		for _, file := range files {
			found, err := s.mutants(file)
			if err != nil {
				return 0, err
			}
			all = append(all, found...)
		}
	}
	if len(all) == 0 {
		return 0, fmt.Errorf("no file matches %s", pattern)
	}
	return try(sample(all, every)), nil
}

// list returns the files of a suite that a pattern chooses.
func (s suite) list(pattern string) ([]string, error) {
	var files []string
	for _, p := range s.files {
		found, err := filepath.Glob(filepath.Join(s.folder, p))
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no files match %s in %s; run it from the root of the repository", s.files, s.folder)
	}
	parts := strings.Split(pattern, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	chosen := regexp.MustCompile("^" + strings.Join(parts, ".*") + "$")
	return slices.DeleteFunc(files, func(file string) bool {
		return !chosen.MatchString(filepath.ToSlash(file)) || strings.HasSuffix(file, "_test.go")
	}), nil
}

// sample returns the first mutant of every so many.
func sample(all []mutant, every int) (chosen []mutant) {
	for i := 0; i < len(all); i += every {
		chosen = append(chosen, all[i])
	}
	return chosen
}

// try runs the tests against each mutant, as many at a time as there are processors.
func try(all []mutant) (survivors int) {
	work := make(chan mutant)
	var mu sync.Mutex
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for m := range work {
				killed, out, err := m.killed()
				mu.Lock()
				switch {
				case err != nil:
					fmt.Printf("%s: %v\n", m, err)
					survivors++
				case !killed:
					fmt.Printf("%s: no test notices\n", m)
					survivors++
				case bytes.Contains(out, []byte("panic: test timed out")):
					fmt.Printf("%s: noticed by a time-out, as of an endless loop; on a busy machine, try it again\n", m)
				}
				mu.Unlock()
			}
		})
	}
	for i, m := range all {
		work <- m
		if i > 0 && i%100 == 0 {
			fmt.Fprintf(os.Stderr, "mutate: %d of %d\n", i, len(all))
		}
	}
	close(work)
	group.Wait()
	fmt.Printf("%d mutants, %d of them unnoticed\n", len(all), survivors)
	return survivors
}

// killed reports whether a test fails, and what the tests print. A mutant that does not compile counts, as nobody could commit it.
func (m mutant) killed() (failed bool, out []byte, err error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return false, nil, err
	}
	defer os.RemoveAll(dir)
	changed, overlay := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
	absolute, err := filepath.Abs(m.file)
	if err != nil {
		return false, nil, err
	}
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {absolute: changed}})
	if err != nil {
		return false, nil, err
	}
	for name, data := range map[string][]byte{changed: m.text, overlay: replace} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			return false, nil, err
		}
	}
	if own := filepath.ToSlash(filepath.Dir(m.file)); own != m.suite.folder { // a package inside the folder's, whose tests are faster
		failed, out, err = suite{folder: own}.test("-overlay="+overlay, "-timeout=30s")
	}
	if err == nil && !failed {
		failed, out, err = m.suite.test("-overlay=" + overlay)
	}
	for _, s := range m.suite.also {
		if err == nil && !failed {
			failed, out, err = s.test("-overlay=" + overlay)
		}
	}
	if err != nil {
		return false, out, fmt.Errorf("%w: %s", err, out)
	}
	return failed, out, nil
}

// passes makes sure that the tests fail for no other reason than a mutant.
func (s suite) passes() error {
	failed, out, err := s.test()
	if failed || err != nil {
		return fmt.Errorf("the tests of %s fail without any change: %s", s.folder, out)
	}
	return nil
}

// test runs the tests of the suite and reports whether any fails.
func (s suite) test(more ...string) (failed bool, out []byte, err error) {
	args := append([]string{"test", "-count=1", "-failfast", "-vet=off", "-gcflags=all=-dwarf=false", "-ldflags=-w", "-run=" + s.only, "-skip=" + s.skip, "-timeout=120s"}, more...)
	args = append(append(args, "./"+s.folder), s.flags...)
	out, err = exec.Command("go", args...).CombinedOutput()
	if _, failed := err.(*exec.ExitError); failed {
		return true, out, nil
	}
	return false, out, err
}
