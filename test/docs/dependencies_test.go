package docs

import (
	"regexp"
	"slices"
	"testing"

	"golang.org/x/mod/modfile"
)

// docs/dependencies.md has a row for each direct requirement, and no other.
func TestDependencies(t *testing.T) {
	mod, err := modfile.Parse("go.mod", []byte(read(t, "go.mod")), nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := submatches(regexp.MustCompile(`(?m)^\| (\S+\.\S+) \|`), read(t, "docs/dependencies.md"))
	for _, r := range mod.Require {
		if i := slices.Index(rows, r.Mod.Path); i >= 0 && !r.Indirect {
			rows = slices.Delete(rows, i, i+1)
		} else if !r.Indirect {
			t.Errorf("docs/dependencies.md does not say what %s is for", r.Mod.Path)
		}
	}
	for _, path := range rows {
		t.Errorf("docs/dependencies.md has a row for %s, which go.mod does not require directly", path)
	}
}
