package breaking

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var update = flag.Bool("update", false, "write the findings into testdata")

const head = "apiVersion: event-gen.github.io/v1alpha1\nkind: EventCatalog\n"

func set(t testing.TB, text, dir string) *model.Set {
	t.Helper()
	var documents []string
	for document := range strings.SplitSeq(text, "---\n") {
		documents = append(documents, head+document)
	}
	catalogs, findings := catalog.Read("catalog.yaml", strings.NewReader(strings.Join(documents, "---\n")))
	set, more := model.Build(context.Background(), catalogs, model.Options{Dir: dir, Resolve: model.ResolveNever})
	if all := append(findings, more...); all.HasErrors() {
		t.Fatalf("%s\n%v", text, all)
	}
	return set
}

func compare(t testing.TB, old, now string) string {
	dir := t.TempDir()
	var b strings.Builder
	for _, f := range Compare(Baseline{Set: set(t, old, dir), Label: "v1.0.0"}, set(t, now, dir), Options{}) {
		b.WriteString(f.Severity.String() + " " + f.String() + "\n")
		for i, side := range []diag.Side{f.Change.Before, f.Change.After} {
			for _, text := range slices.Concat(side.LabelSelectors, side.FieldSelectors, side.PromQL) {
				b.WriteString("  " + []string{"was", "is"}[i] + " " + text + "\n")
			}
		}
	}
	return b.String()
}

// Each file of testdata has two catalogs and what breaks between them.
func TestCompare(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	if len(files) == 0 {
		t.Fatal("no cases")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { testCases(t, file) })
	}
}

func testCases(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+2 < len(archive.Files); i += 3 {
		old, now, want := archive.Files[i], archive.Files[i+1], &archive.Files[i+2]
		if same := compare(t, string(old.Data), string(old.Data)); same != "" {
			t.Errorf("%s breaks itself:\n%s", old.Name, same)
		}
		got := compare(t, string(old.Data), string(now.Data))
		if *update {
			want.Data = []byte(got)
		} else if diff := cmp.Diff(string(want.Data), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want.Name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRulesAreSorted(t *testing.T) {
	for i, r := range Rules() {
		if i > 0 && Rules()[i-1].ID >= r.ID || r.Name == "" || !strings.HasSuffix(r.Doc, ".") {
			t.Errorf("%s: %q, %q", r.ID, r.Name, r.Doc)
		}
	}
}

func BenchmarkCompare(b *testing.B) {
	var text strings.Builder
	text.WriteString("spec:\n  go: {package: p}\n  objects: {Pod: v1}\n  defaults: {regarding: Pod}\n  events:\n")
	for i := range 1000 {
		name := "Event" + strings.Repeat("A", i%7) + string(rune('A'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676))
		text.WriteString("  - {reason: " + name + ", message: \"" + name + "\"}\n")
	}
	dir := b.TempDir()
	old, now := set(b, text.String(), dir), set(b, strings.ReplaceAll(text.String(), "reason: EventA", "reason: EventX"), dir)
	for b.Loop() {
		Compare(Baseline{Set: old}, now, Options{})
	}
}
