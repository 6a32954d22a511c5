// Command mutate shows that the tests of the lint rules notice when a rule is wrong: it inverts or weakens each condition of
// each rule in turn, and runs the tests against it. A mutant that no test fails is printed, and the exit code is 1. Nothing
// in the work tree is changed: the go command is given the mutant as an overlay.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// suite is a package that reports rules.
type suite struct {
	folder string
	files  string // in it, as a pattern
	// whole says that all of a file is about a rule; else it is the functions that name one.
	whole bool
	// skip are tests that would take long, or fail for a reason of their own.
	skip string
	// flags are those of its tests.
	flags []string
}

// Rules are reported by the values of internal/lint, and by the reader and the model on their way.
var suites = []suite{
	{folder: "internal/lint", files: "ev*.go", whole: true, skip: "TestManyReasons|TestDocument"},
	{folder: "internal/catalog", files: "*.go", skip: "TestHostileText|Fuzz", flags: noFailFile},
	{folder: "internal/model", files: "*.go", flags: noFailFile},
}

// noFailFile keeps rapid from leaving what a mutant failed by in the work tree.
var noFailFile = []string{"-rapid.nofailfile"}

func main() {
	pattern := flag.String("files", "internal/*/*.go", "the files whose conditions are changed, such as internal/lint/ev1*.go")
	flag.Parse()
	survivors, err := run(*pattern)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
	if survivors > 0 {
		os.Exit(1)
	}
}

// run tries all mutants and gives the number of those that no test noticed.
func run(pattern string) (survivors int, err error) {
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
		return 0, fmt.Errorf("no file of a rule matches %s", pattern)
	}
	return try(all), nil
}

// list gives the files of a suite that a pattern chooses.
func (s suite) list(pattern string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(s.folder, s.files))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no files match %s in %s; run it from the root of the repository", s.files, s.folder)
	}
	if _, err := filepath.Match(pattern, ""); err != nil {
		return nil, fmt.Errorf("-files: %w", err)
	}
	return slices.DeleteFunc(files, func(file string) bool {
		chosen, _ := filepath.Match(pattern, file)
		return !chosen || strings.HasSuffix(file, "_test.go")
	}), nil
}

// try runs the tests against each mutant, as many at a time as there are processors.
func try(all []mutant) (survivors int) {
	work := make(chan mutant)
	var mu sync.Mutex
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for m := range work {
				killed, err := m.killed()
				mu.Lock()
				switch {
				case err != nil:
					fmt.Printf("%s: %v\n", m, err)
					survivors++
				case !killed:
					fmt.Printf("%s: no test notices\n", m)
					survivors++
				}
				mu.Unlock()
			}
		})
	}
	for _, m := range all {
		work <- m
	}
	close(work)
	group.Wait()
	fmt.Printf("%d mutants, %d of them unnoticed\n", len(all), survivors)
	return survivors
}

// killed reports whether a test fails. A mutant that does not compile counts, as nobody could commit it.
func (m mutant) killed() (bool, error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	changed, overlay := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
	absolute, err := filepath.Abs(m.file)
	if err != nil {
		return false, err
	}
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {absolute: changed}})
	if err != nil {
		return false, err
	}
	for name, data := range map[string][]byte{changed: m.text, overlay: replace} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			return false, err
		}
	}
	failed, out, err := m.suite.test("-overlay=" + overlay)
	if err != nil {
		return false, fmt.Errorf("%w: %s", err, out)
	}
	return failed, nil
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
	args := append([]string{"test", "-count=1", "-failfast", "-vet=off", "-skip=" + s.skip, "-timeout=60s"}, more...)
	args = append(append(args, "./"+s.folder), s.flags...)
	out, err = exec.Command("go", args...).CombinedOutput()
	if _, failed := err.(*exec.ExitError); failed {
		return true, out, nil
	}
	return false, out, err
}
