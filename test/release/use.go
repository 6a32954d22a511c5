package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// use does what the documentation tells users to do, as a user without anything.
func (r *release) use() error {
	for _, u := range []struct {
		name string
		do   func() error
	}{
		{"go run …@version version", r.goRun},
		{"go get of the run time and of ctrlevents, by the example operator", r.goGet},
		{"go install of event-gen-vet, run on that operator", r.goInstall},
		{"the tutorial's commands", func() error { return r.test("./test/docs", "TestTutorial", "-proxy="+r.proxy()) }},
		{"the steps of the GitHub action", func() error { return r.test("./test/ci", "TestAction|TestPullRequests", "-version="+r.version) }},
		{"the pre-commit hooks", r.hooks},
	} {
		begin := time.Now()
		if err := u.do(); err != nil {
			return fmt.Errorf("%s: %w", u.name, err)
		}
		r.say("%s, %s", u.name, time.Since(begin).Round(time.Second))
	}
	return nil
}

func (r *release) goRun() error {
	return r.tells("of the tag "+r.version+", module h1:", "go", "run", rootPath+"/cmd/event-gen@"+r.version, "version")
}

func (r *release) operator() string { return filepath.Join(r.work, "operator") }

// goGet takes the example operator out of the tree, as a module that requires what was released.
func (r *release) goGet() error {
	for _, folder := range []string{"api", "cmd", "internal"} {
		from := filepath.Join(r.tree(), "examples", "operator", folder)
		if err := os.CopyFS(filepath.Join(r.operator(), folder), os.DirFS(from)); err != nil {
			return err
		}
	}
	for _, args := range [][]string{
		{"mod", "init", rootPath + "/examples/operator"},
		{"get", runtimePath + "@" + r.version, runtimePath + "/ctrlevents@" + r.version},
		{"mod", "tidy"},
		{"build", "./..."},
	} {
		if _, err := r.run(r.operator(), r.env, "go", args...); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) goInstall() error {
	if _, err := r.run(r.work, r.env, "go", "install", rootPath+"/cmd/event-gen-vet@"+r.version); err != nil {
		return err
	}
	_, err := r.run(r.operator(), r.env, filepath.Join(r.work, "gopath", "bin", "event-gen-vet"), "./...")
	return err
}

// inTree is a user's environment in a clone of the release, whose workspace counts.
func (r *release) inTree() []string { return append(slices.Clone(r.env), "GOWORK=") }

// test runs tests of the release's tree on what was released.
func (r *release) test(folder, name string, flags ...string) error {
	args := append([]string{"test", "-count=1", "-vet=off", "-timeout=30m", "-run=^(" + name + ")", folder}, flags...)
	_, err := r.run(r.tree(), r.inTree(), "go", args...)
	return err
}

// hooks installs as pre-commit does for its language golang: by "go install ./..." in a clone,
// which leaves the programs in a GOPATH of its own.
func (r *release) hooks() error {
	clone := filepath.Join(r.work, "pre-commit")
	if err := r.clone(r.tree(), r.version, clone); err != nil {
		return err
	}
	place := filepath.Join(r.work, "hooks")
	if _, err := r.run(clone, append(r.inTree(), "GOPATH="+place), "go", "install", "./..."); err != nil {
		return err
	}
	return r.test("./test/ci", "TestPreCommitHooks", "-bin="+filepath.Join(place, "bin"))
}
