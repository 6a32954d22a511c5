package emit_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/event-gen/event-gen/internal/catalog"
)

// Two branches add an event each, at different places of a catalog. Git merges their generated
// files without a conflict, and the result equals the file generated from the merged catalog. Each
// event of a golden catalog is added in some branch.
func TestBranchesMerge(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git was not found")
	}
	whole := read(t, "testdata/merge/catalog.yaml")[0]
	n := len(whole.Events)
	want := generate(t, "", []*catalog.Catalog{whole})
	for i := range n {
		for _, j := range []int{i + 2, i + 3, i + 4, n - 1} {
			if i+1 < j && j < n {
				mergeBranches(t, whole, i, j, want)
			}
		}
	}
}

// mergeBranches merges the branches that added events i and j.
func mergeBranches(t *testing.T, whole *catalog.Catalog, i, j int, want map[string]string) {
	t.Helper()
	without := func(left ...int) map[string]string {
		c := *whole
		c.Events = nil
		for k, e := range whole.Events {
			if !slices.Contains(left, k) {
				c.Events = append(c.Events, e)
			}
		}
		return generate(t, "", []*catalog.Catalog{&c})
	}
	base, ours, theirs := without(i, j), without(j), without(i)
	for _, path := range slices.Sorted(maps.Keys(want)) {
		got, err := merged(t, base[path], ours[path], theirs[path])
		if err != nil {
			t.Errorf("%s of %s beside %s: %v\n%s", filepath.Base(path), whole.Events[i].Reason.Value, whole.Events[j].Reason.Value, err, got)
		} else if got != want[path] {
			t.Errorf("%s of %s beside %s merges into something else", path, whole.Events[i].Reason.Value, whole.Events[j].Reason.Value)
		}
	}
}

func merged(t *testing.T, base, ours, theirs string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"base": base, "ours": ours, "theirs": theirs} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("git", "merge-file", "-p", "ours", "base", "theirs")
	cmd.Dir = dir
	out, err := cmd.Output()
	return string(out), err
}
