package catalog

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var update = flag.Bool("update", false, "write what is found into testdata")

// archives reads the tables of testdata.
func archives(t testing.TB) map[string]*txtar.Archive {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no tables in testdata", err)
	}
	tables := map[string]*txtar.Archive{}
	for _, path := range paths {
		if tables[path], err = txtar.ParseFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return tables
}

func lines(findings diag.Findings) string {
	var b strings.Builder
	for _, f := range findings {
		b.WriteString(f.String() + "\n")
	}
	return b.String()
}

func TestFindings(t *testing.T) {
	for path, table := range archives(t) {
		for i := 0; i+1 < len(table.Files); i += 2 {
			in, want := table.Files[i], &table.Files[i+1]
			t.Run(in.Name, func(t *testing.T) {
				_, findings := Read(in.Name, bytes.NewReader(in.Data))
				got := lines(findings)
				if diff := cmp.Diff(string(want.Data), got); diff != "" && !*update {
					t.Errorf("findings (-want +got):\n%s", diff)
				}
				want.Data = []byte(got)
			})
		}
		if *update {
			if err := os.WriteFile(path, txtar.Format(table), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
