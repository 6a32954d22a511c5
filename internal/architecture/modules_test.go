package architecture

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

func modFile(t *testing.T, folder string) *modfile.File {
	t.Helper()
	return modFileAt(t, filepath.Join(folder, "go.mod"))
}

func modFileAt(t *testing.T, name string) *modfile.File {
	t.Helper()
	path := filepath.Join("../..", name)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse(path, data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestRuntimeRequiresNoGenerator checks that the run time's module does not require the generator's
// dependencies, so that importers of generated code do not get their versions.
func TestRuntimeRequiresNoGenerator(t *testing.T) {
	file := modFile(t, "runtime")
	if file.Module.Mod.Path != module+"/runtime" || len(file.Require) == 0 || len(file.Replace) > 0 {
		t.Fatalf("runtime/go.mod: module %s, %d requirements, %d replacements", file.Module.Mod.Path, len(file.Require), len(file.Replace))
	}
	for _, r := range file.Require {
		for _, banned := range []string{
			module, "k8s.io/gengo", "github.com/spf13", "github.com/dave", "golang.org/x/tools", "golang.org/x/mod", "github.com/rogpeppe",
			"github.com/invopop", "github.com/santhosh-tekuri", "github.com/owenrumney", "github.com/fatih", "github.com/mattn",
		} {
			if r.Mod.Path == banned || strings.HasPrefix(r.Mod.Path, banned+"/") {
				t.Errorf("runtime/go.mod requires %s; tidy it from an empty list of requirements", r.Mod.Path)
			}
		}
	}
}

// TestWorkspaceTestsTheLowestVersions checks that the run time is tested with the versions that it
// requires. The workspace uses the higher version of a module that both go.mod files require, so
// they must agree.
func TestWorkspaceTestsTheLowestVersions(t *testing.T) {
	root := map[string]string{}
	for _, r := range modFile(t, ".").Require {
		root[r.Mod.Path] = r.Mod.Version
	}
	for _, r := range modFile(t, "runtime").Require {
		if version, both := root[r.Mod.Path]; both && version != r.Mod.Version {
			t.Errorf("go.mod requires %s %s, runtime/go.mod %s", r.Mod.Path, version, r.Mod.Version)
		}
	}
}

// TestRootCanBeRunByVersion checks that go run …@version works: the root's go.mod has no
// replacement. The workspace replaces the run time by the tree's until that version is released.
func TestRootCanBeRunByVersion(t *testing.T) {
	root := modFile(t, ".")
	if len(root.Replace) > 0 || len(root.Exclude) > 0 {
		t.Error("go.mod replaces or excludes something, which go run …@version refuses")
	}
	data, err := os.ReadFile("../../go.work")
	if err != nil {
		t.Fatal(err)
	}
	work, err := modfile.ParseWork("go.work", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(work.Use) != 2 || len(work.Replace) > 1 {
		t.Fatalf("go.work uses %d modules and replaces %d; nested modules stand alone", len(work.Use), len(work.Replace))
	}
	for _, replaced := range work.Replace {
		if !slices.ContainsFunc(root.Require, func(r *modfile.Require) bool { return r.Mod == replaced.Old }) {
			t.Errorf("go.work replaces %s, which go.mod does not require", replaced.Old)
		}
	}
}

// TestTestedModulesAgree checks that the modules that .ci/run tests beside the workspace require
// the same versions. After another version, everything that depends on it is compiled again: for a
// newer yaml, all of client-go.
func TestTestedModulesAgree(t *testing.T) {
	first := map[string]string{}
	for _, file := range []string{
		"benchmarks/go.mod", "examples/operator/go.mod", "runtime/ctrlevents/versions/latest.mod", "test/clientgo/go.mod", "test/e2e/go.mod",
	} {
		for _, r := range modFileAt(t, file).Require {
			if first[r.Mod.Path] == "" {
				first[r.Mod.Path] = r.Mod.Version
			}
			if version := first[r.Mod.Path]; r.Mod.Version != version {
				t.Errorf("%s requires %s, want %s, as the modules before it", file, r.Mod, version)
			}
		}
	}
}
