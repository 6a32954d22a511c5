package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// clientgo turns a folder into a module with this module's requirements, which include client-go:
// clientgo PATH [DIR].
func clientgo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: clientgo PATH [DIR]")
	}
	requires(ts, "../..", args[0], ts.MkAbs(append(args, ".")[1]))
}

// requires turns a folder into a module with the requirements of another one.
func requires(ts *testscript.TestScript, like, path, dir string) {
	root, err := filepath.Abs("../..")
	ts.Check(err)
	gomod, err := os.ReadFile(filepath.Join(like, "go.mod"))
	ts.Check(err)
	sum, err := os.ReadFile(filepath.Join(like, "go.sum"))
	ts.Check(err)
	gomod = moduleLine.ReplaceAll(gomod, []byte("module "+path))
	if like == "../.." {
		gomod = runTimeLine.ReplaceAll(gomod, nil)
	}
	gomod = rootReplaced.ReplaceAll(gomod, []byte("=> "+filepath.ToSlash(root)+"$1"))
	ts.Check(os.MkdirAll(dir, 0o755))
	ts.Check(os.WriteFile(filepath.Join(dir, "go.mod"), gomod, 0o644))
	ts.Check(os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644))
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOFLAGS").Output()
	ts.Check(err)
	env := strings.Split(string(out), "\n")
	ts.Setenv("GOCACHE", env[0])
	ts.Setenv("GOMODCACHE", env[1])
	// With other flags than the tests', client-go would be compiled again for the scripts.
	ts.Setenv("TESTFLAGS", env[2])
	ts.Setenv("GOFLAGS", strings.TrimSpace(env[2]+" -mod=mod"))
	ts.Setenv("GOWORK", "off")
	ts.Setenv("GOPROXY", "off")
}

// typed is like clientgo, with our run time as a further requirement, and puts the module under
// git: typed PATH [DIR].
func typed(ts *testscript.TestScript, neg bool, args []string) {
	clientgo(ts, neg, args)
	dir := ts.MkAbs(append(args, ".")[1])
	root, err := filepath.Abs("../../runtime")
	ts.Check(err)
	sum, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	ts.Check(err)
	more, err := os.ReadFile(filepath.Join(root, "go.sum"))
	ts.Check(err)
	ts.Check(os.WriteFile(filepath.Join(dir, "go.sum"), append(sum, more...), 0o644))
	runIn(ts, dir, "go", "mod", "edit", "-require=github.com/event-gen/event-gen/runtime@v0.1.0", "-replace=github.com/event-gen/event-gen/runtime="+root)
	commit(ts, dir)
}

// tool puts a command of golang.org/x/tools, as this module requires them, on the PATH: tool NAME.
func tool(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: tool NAME")
	}
	bin := ts.MkAbs("../bin-" + args[0])
	build := exec.Command("go", "build", "-o", bin+string(filepath.Separator), "golang.org/x/tools/cmd/"+args[0])
	if out, err := build.CombinedOutput(); err != nil {
		ts.Fatalf("%v\n%s", err, out)
	}
	ts.Setenv("PATH", bin+string(filepath.ListSeparator)+ts.Getenv("PATH"))
}

// managed turns a folder into a module with the requirements of examples/operator, which include
// controller-runtime, under git: managed PATH.
func managed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: managed PATH")
	}
	const operator = "../../examples/operator"
	download(ts, operator)
	dir := ts.MkAbs(".")
	requires(ts, operator, args[0], dir)
	commit(ts, dir)
}

// download fetches the modules that the packages of a module need. The tests of this module have
// not fetched them, and scripts have no proxy.
func download(ts *testscript.TestScript, module string) {
	list := exec.Command("go", "list", "-deps", "-test", "./...")
	list.Dir = module
	list.Env = append(os.Environ(), "GOWORK=off")
	if out, err := list.CombinedOutput(); err != nil {
		ts.Fatalf("go list in %s: %v\n%s", module, err, out)
	}
}

// commit puts a folder under git.
func commit(ts *testscript.TestScript, dir string) {
	for _, command := range [][]string{
		{"git", "init", "-q"}, {"git", "config", "user.email", "a@example.com"}, {"git", "config", "user.name", "a"},
		{"git", "add", "-A"}, {"git", "commit", "-qm", "before"},
	} {
		runIn(ts, dir, command...)
	}
}

func runIn(ts *testscript.TestScript, dir string, command ...string) {
	c := exec.Command(command[0], command[1:]...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		ts.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
}

// runTimeLine requires our run time, which no proxy has for a module elsewhere.
var (
	// rootReplaced is a folder of this repository, as examples/operator names it.
	rootReplaced = regexp.MustCompile(`=> \.\./\.\.(/\S+)?`)

	moduleLine  = regexp.MustCompile(`(?m)^module .*$`)
	runTimeLine = regexp.MustCompile(`(?m)^.*event-gen/runtime .*\n`)
)
