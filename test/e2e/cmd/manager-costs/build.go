package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// source is the program's folder, and root that of the repository, seen from the module test/e2e.
const (
	source = "manager/program"
	root   = "../.."
)

// variant of the program: the tag that chooses its manager, and the file that makes it.
type variant struct{ name, tag, file string }

var variants = []variant{
	{"controller-runtime alone", "alone", "manager_alone.go"},
	{"`ctrlevents.NewManager`", "", "manager_new.go"},
	{"`ctrlevents.Wrap`", "wrap", "manager_wrap.go"},
}

// program is a variant that is built.
type program struct {
	variant
	file         string
	requirements int   // lines of requirements in its go.mod
	size         int64 // bytes of the binary
	least        costs // of all runs
}

// build makes a module of the program as its author would have it: without the files of other managers, and with the requirements that go
// mod tidy finds.
func build(ctx context.Context, folder string, v variant) (*program, error) {
	module := filepath.Join(folder, "module-"+strings.TrimSuffix(v.file, ".go"))
	if err := os.Mkdir(module, 0o700); err != nil {
		return nil, err
	}
	if err := copyProgram(module, v); err != nil {
		return nil, err
	}
	if err := writeModule(module); err != nil {
		return nil, err
	}
	p := &program{variant: v, file: filepath.Join(module, "program")}
	for _, args := range [][]string{{"mod", "tidy"}, {"build", "-tags=" + v.tag, "-o", p.file, "."}} {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = module
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-trimpath -buildvcs=false")
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), errors.Join(err, context.Cause(ctx)), out)
		}
	}
	info, err := os.Stat(p.file)
	if err != nil {
		return nil, err
	}
	p.size = info.Size()
	mod, err := readModule(filepath.Join(module, "go.mod"))
	if err != nil {
		return nil, err
	}
	p.requirements = len(mod.Require)
	return p, nil
}

// copyProgram copies the program without the files that make other managers.
func copyProgram(to string, v variant) error {
	files, err := filepath.Glob(filepath.Join(source, "*.go"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("expected the program in %s, found nothing; run this command in the folder of the module test/e2e", source)
	}
	for _, f := range files {
		name := filepath.Base(f)
		if strings.HasPrefix(name, "manager_") && name != v.file {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// writeModule writes a go.mod with the versions that the tests have, and this repository in place of its released modules.
func writeModule(to string) error {
	ours, err := readModule("go.mod")
	if err != nil {
		return err
	}
	absolute, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	text := "module example.com/program\n\ngo " + ours.Go.Version + "\n\n"
	for _, r := range ours.Require {
		if strings.HasPrefix(r.Mod.Path, "k8s.io/") || strings.HasPrefix(r.Mod.Path, "sigs.k8s.io/controller-runtime") {
			text += fmt.Sprintf("require %s %s\n", r.Mod.Path, r.Mod.Version)
		}
	}
	for _, folder := range []string{"", "/runtime", "/runtime/ctrlevents"} {
		text += fmt.Sprintf("replace github.com/event-gen/event-gen%s => %q\n", folder, filepath.Join(absolute, folder))
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(to, "go.mod"), []byte(text), 0o600),
		os.WriteFile(filepath.Join(to, "go.sum"), sums, 0o600),
	)
}

func readModule(file string) (*modfile.File, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(file, text, nil)
}
