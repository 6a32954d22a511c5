package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/semver"
)

// planted is what is added to a copy of the run time and of a generated package, if there is no
// release to compare with.
const planted = "\n// Planted is missing in the release.\nfunc Planted() {}\n"

// generated is a generated package of the examples.
const generated = "examples/cronjobevents"

// compare lists the incompatible changes since the last tag: of the run time's API, and of the API
// of generated code, which the examples' catalogs of that tag make with either generator. A patch
// release may have none, and neither may a minor one from v1 on. Without a tag, the release is
// compared with a copy of itself that has one function more in each, and misses exactly these.
func (r *release) compare() error {
	base, next := filepath.Join(r.work, "base"), filepath.Join(r.work, "next")
	for _, clone := range []string{base, next} {
		if err := r.clone(r.source, r.last, clone); err != nil {
			return err
		}
	}
	if r.last == "" {
		for _, file := range []string{"runtime/doc.go", generated + "/zz_generated.events.go"} {
			if err := edit(filepath.Join(base, file), func(text []byte) []byte { return append(text, planted...) }); err != nil {
				return err
			}
		}
	}
	if err := r.regenerate(next); err != nil {
		return err
	}
	changes, err := r.diff(runtimePath, filepath.Join(base, "runtime"), filepath.Join(next, "runtime"))
	if err != nil {
		return err
	}
	ofExamples, err := r.diff(rootPath+"/examples", base, next)
	if err != nil {
		return err
	}
	return r.judge(append(changes, ofExamples...))
}

// clone clones a repository as it was at a tag; without one, as it is.
func (r *release) clone(from, tag, into string) error {
	args := []string{"clone", "--quiet", from, into}
	if tag != "" {
		args = append(args, "--branch="+tag)
	}
	_, err := r.run(r.work, nil, "git", args...)
	return err
}

// regenerate puts the release's run time into a clone, and generates the examples' code with the
// release's generator.
func (r *release) regenerate(clone string) error {
	if err := os.RemoveAll(filepath.Join(clone, "runtime")); err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(clone, "runtime"), os.DirFS(filepath.Join(r.tree(), "runtime"))); err != nil {
		return err
	}
	generator := r.tool("event-gen")
	if _, err := r.run(r.tree(), r.env, "go", "build", "-o", generator, "./cmd/event-gen"); err != nil {
		return err
	}
	catalogs, err := r.run(clone, nil, "git", "ls-files", "examples/catalog.yaml", "examples/*/catalog.yaml", ":!examples/operator")
	if err != nil {
		return err
	}
	_, err = r.run(clone, r.workspace(), generator, append([]string{"generate"}, strings.Fields(catalogs)...)...)
	return err
}

// workspace is the environment in which a clone's root finds its run time beside it. Nothing of the
// release is downloaded there, so that the machine's own caches serve.
func (r *release) workspace() []string { return []string{"GOWORK="} }

// diff lists the incompatible changes of all packages below a path, as they are in two folders. The
// examples' own code is the same in both: if it does not compile with the code that is generated
// now, the error says what it misses.
func (r *release) diff(path, base, next string) ([]string, error) {
	var exported []string
	for i, folder := range []string{base, next} {
		file := filepath.Join(r.work, fmt.Sprintf("%s.%d.export", strings.ReplaceAll(path, "/", "_"), i))
		if _, err := r.run(folder, r.workspace(), r.tool("apidiff"), "-m", "-w", file, path); err != nil {
			return nil, err
		}
		exported = append(exported, file)
	}
	text, err := r.run(r.work, nil, r.tool("apidiff"), "-m", "-incompatible", exported[0], exported[1])
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, path+" "+line)
		}
	}
	return lines, err
}

func (r *release) judge(changes []string) error {
	list := strings.Join(changes, "\n")
	if r.last == "" {
		want := runtimePath + " - Planted: removed\n" + rootPath + "/examples - ./" + generated + ".Planted: removed"
		if list != want {
			return fmt.Errorf("there is no tag; of the planted breaks\n%s\napidiff found\n%s", want, list)
		}
		r.say("no tag to compare with; planted breaks are found:\n%s", list)
		return nil
	}
	compatible := semver.MajorMinor(r.version) == semver.MajorMinor(r.last) || semver.Major(r.version) != "v0" && semver.Major(r.version) == semver.Major(r.last)
	if compatible && list != "" {
		return fmt.Errorf("%s may have no incompatible change since %s, and has\n%s", r.version, r.last, list)
	}
	r.say("%d incompatible changes since %s\n%s", len(changes), r.last, list)
	return nil
}
