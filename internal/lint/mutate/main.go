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
	"sync"
)

const folder = "internal/lint"

func main() {
	pattern := flag.String("files", "ev*.go", "the files of "+folder+" whose conditions are changed")
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
	files, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("no files match %s in %s; run it from the root of the repository", pattern, folder)
	}
	var all []mutant
	for _, file := range files {
		found, err := mutants(file)
		if err != nil {
			return 0, err
		}
		all = append(all, found...)
	}
	return try(all), nil
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
	out, err := exec.Command("go", "test", "-count=1", "-failfast", "-vet=off", "-skip=TestManyReasons|TestDocument", "-timeout=60s",
		"-overlay="+overlay, "./"+folder).CombinedOutput()
	if _, failed := err.(*exec.ExitError); failed || err == nil {
		return failed, nil
	}
	return false, fmt.Errorf("%w: %s", err, out)
}
