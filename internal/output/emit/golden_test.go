package emit_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/output/emit"
)

var update = flag.Bool("update", false, "write the golden files anew")

const goldenPackages = "./testdata/golden/..."

// read reads a catalog that has no findings.
func read(t testing.TB, path string) []*catalog.Catalog {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	catalogs, findings := catalog.Read(path, bytes.NewReader(text))
	for _, f := range findings {
		t.Error(f)
	}
	return catalogs
}

// generate builds and emits catalogs, which must have no findings. It returns the files by output
// path.
func generate(t testing.TB, dir string, catalogs []*catalog.Catalog) map[string]string {
	t.Helper()
	set, findings := model.Build(t.Context(), catalogs, model.Options{Dir: dir})
	for _, f := range findings {
		t.Error(f)
	}
	files := map[string]string{}
	for _, p := range set.Packages {
		var b bytes.Buffer
		if err := emit.Go(&b, p); err != nil {
			t.Error(err)
		}
		files[p.Output] = b.String()
		b.Reset()
		if err := emit.Fake(&b, p); err != nil {
			t.Error(err)
		}
		files[p.Fake().Output] = b.String()
	}
	return files
}

// All catalogs of testdata form one set, so that their types are loaded once.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/golden/*/catalog.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatal("no golden catalogs", err)
	}
	var catalogs []*catalog.Catalog
	for _, path := range paths {
		catalogs = append(catalogs, read(t, path)...)
	}
	for path, got := range generate(t, "", catalogs) {
		checkGolden(t, path, got)
	}
}

func checkGolden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err, "(run with -update)")
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; run with -update if that is right (-want +got):\n%s", path, diff)
	}
}

// The golden files compile, pass vet, and pass their own tests.
func TestGoldenRuns(t *testing.T) {
	for _, args := range [][]string{{"vet", goldenPackages}, {"test", goldenPackages}} {
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			t.Fatalf("go %v: %v\n%s", args, err, out)
		}
	}
}
