package model_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var update = flag.Bool("update", false, "write the expected findings anew")

// head is the usual start of a catalog in tests.
const head = `apiVersion: event-gen.github.io/v1alpha1
kind: EventCatalog
`

// build reads and resolves a catalog without loading types.
func build(t testing.TB, text string, mode model.ResolveMode) (*model.Set, diag.Findings) {
	t.Helper()
	catalogs, findings := catalog.Read("catalog.yaml", strings.NewReader(text))
	for _, f := range findings {
		t.Errorf("reading: %s", f)
	}
	return model.Build(t.Context(), catalogs, model.Options{Dir: t.TempDir(), Resolve: mode})
}

func lines(findings diag.Findings) string {
	var b strings.Builder
	for _, f := range findings {
		b.WriteString(f.String() + "\n")
	}
	return b.String()
}

// Each archive is a catalog without its head, and the findings in it.
func TestFindings(t *testing.T) {
	archives, err := filepath.Glob("testdata/findings/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, findings := build(t, head+string(archive.Files[0].Data), model.ResolveNever)
			got := lines(findings)
			if *update {
				archive.Files[1].Data = []byte(got)
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(archive.Files[1].Data), got); diff != "" {
				t.Errorf("the findings differ; run with -update if that is right (-want +got):\n%s", diff)
			}
		})
	}
}

// A catalog may give an alias that Kubernetes uses to a package of its own.
func TestAliasClash(t *testing.T) {
	set, findings := build(t, head+`spec:
  go: {package: testevents}
  imports: {corev1: example.com/core/v1}
  objects: {Pod: v1, Core: {type: corev1.Core, apiVersion: example.com/v1}}
  events:
  - {reason: A, regarding: [Pod, Core], message: "a"}
`, model.ResolveNever)
	if len(findings) > 0 {
		t.Fatal(lines(findings))
	}
	aliases := map[string]string{}
	for _, i := range set.Packages[0].Imports {
		if other := aliases[i.Alias]; other != "" {
			t.Errorf("%s and %s are both %s", other, i.Path, i.Alias)
		}
		aliases[i.Alias] = i.Path
	}
	if got, want := aliases["corev1"], "example.com/core/v1"; got != want {
		t.Errorf("corev1 is %s, want %s, as the catalog says", got, want)
	}
}

func TestResolveModeIsAFlag(t *testing.T) {
	var m model.ResolveMode
	for _, name := range []string{"auto", "always", "never"} {
		if err := m.Set(name); err != nil || m.String() != name {
			t.Errorf("%s is read as %s, %v", name, m, err)
		}
	}
	if err := m.Set("sometimes"); err == nil || !strings.Contains(err.Error(), "auto, always or never") {
		t.Errorf("the error does not say what is right: %v", err)
	}
}
