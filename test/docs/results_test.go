package docs

import (
	"strings"
	"testing"
)

// TestCostsAreMeasured: the table of costs in README.md is that of benchmarks/RESULTS.md, as make
// bench wrote it.
func TestCostsAreMeasured(t *testing.T) {
	_, rest, _ := strings.Cut(read(t, "README.md"), "<!-- make bench: begin -->\n")
	table, _, ok := strings.Cut(rest, "<!-- make bench: end -->\n")
	if !ok || !strings.Contains(table, "binary") {
		t.Fatal("README.md has no table of costs between the comments of make bench")
	}
	if !strings.Contains(read(t, "benchmarks/RESULTS.md"), table) {
		t.Errorf("benchmarks/RESULTS.md has other costs than README.md:\n%s", table)
	}
}
