package breaking

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
)

// Each archive of testdata/changes is one change of a catalog: the files before and after it, and
// the expected findings, a line each: the line that they are at, their rules and what they say. To
// add one, write before and after, and run the test with -update.
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
			var b strings.Builder
			for _, f := range Compare(Baseline{Set: old, Elsewhere: true}, now, Options{}) {
				fmt.Fprintf(&b, "%d %s %s\n", f.Pos.Line, strings.Join(f.Change.Rules, " "), f.Message)
			}
			for _, set := range []*model.Set{old, now} {
				if same := Compare(Baseline{Set: set}, set, Options{}); len(same) > 0 {
					t.Errorf("it breaks itself: %v", same)
				}
			}
			want := &archive.Files[len(archive.Files)-1]
			if diff := cmp.Diff(string(want.Data), b.String()); diff != "" && !*update {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if want.Data = []byte(b.String()); *update {
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
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
