package breaking

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
)

// Each archive of testdata/changes is one change of a catalog: the files before and after it, the
// expected findings, and those of the change back. A finding is a line: the line that it is at, its
// rules and what it says. To add one, write before and after, and run the test with -update.
func TestChanges(t *testing.T) {
	files, _ := filepath.Glob("testdata/changes/*.txtar")
	if len(files) == 0 {
		t.Fatal("no changes")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			old, now := state(t, archive, "before/"), state(t, archive, "after/")
			for _, set := range []*model.Set{old, now} {
				if same := Compare(Baseline{Set: set}, set, Options{}); len(same) > 0 {
					t.Errorf("it breaks itself: %v", same)
				}
			}
			expect(t, archive, "expected", lines(old, now))
			expect(t, archive, "expected back", lines(now, old))
			if *update {
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// lines returns the findings about a change.
func lines(old, now *model.Set) string {
	var b strings.Builder
	for _, f := range Compare(Baseline{Set: old, Elsewhere: true}, now, Options{}) {
		fmt.Fprintf(&b, "%d %s %s\n", f.Pos.Line, strings.Join(f.Change.Rules, " "), f.Message)
	}
	return b.String()
}

// expect compares findings with those that an archive expects, or puts them there with -update.
func expect(t *testing.T, archive *txtar.Archive, name, got string) {
	t.Helper()
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == name })
	switch {
	case i < 0 && *update:
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(got)})
	case i < 0:
		t.Errorf("the archive has no file %q; run the test with -update", name)
	case *update:
		archive.Files[i].Data = []byte(got)
	default:
		if diff := cmp.Diff(string(archive.Files[i].Data), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// state resolves the catalog of a state, in a folder with the other files of the state, which can
// be Go code.
func state(t *testing.T, archive *txtar.Archive, prefix string) *model.Set {
	t.Helper()
	dir := t.TempDir()
	var text []byte
	resolve := model.ResolveNever // types are loaded only where the archive has code
	for _, f := range archive.Files {
		name, found := strings.CutPrefix(f.Name, prefix)
		if !found {
			continue
		}
		switch name {
		case "catalog.yaml":
			text = f.Data
		case "go.mod":
			resolve = model.ResolveAuto
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	catalogs, findings := catalog.Read("catalog.yaml", bytes.NewReader(text))
	set, more := model.Build(t.Context(), catalogs, model.Options{Dir: dir, Baseline: true, Resolve: resolve})
	if all := append(findings, more...); all.HasErrors() {
		t.Fatal(all)
	}
	return set
}
