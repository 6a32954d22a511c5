package docs

import (
	"regexp"
	"slices"
	"testing"

	"golang.org/x/mod/modfile"
)

// docs/dependencies.md has a row for each direct requirement of the two modules, and no other.
func TestDependencies(t *testing.T) {
	rows := submatches(regexp.MustCompile(`(?m)^\| (\S+\.\S+) \|`), read(t, "docs/dependencies.md"))
	direct := map[string]bool{}
	for _, file := range []string{"go.mod", "runtime/go.mod"} {
		mod, err := modfile.Parse(file, []byte(read(t, file)), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range mod.Require {
			direct[r.Mod.Path] = direct[r.Mod.Path] || !r.Indirect
		}
	}
	for path, isDirect := range direct {
		if i := slices.Index(rows, path); i >= 0 && isDirect {
			rows = slices.Delete(rows, i, i+1)
		} else if isDirect && path != runtimePath {
			t.Errorf("docs/dependencies.md does not say what %s is for", path)
		}
	}
	for _, path := range rows {
		t.Errorf("docs/dependencies.md has a row for %s, which go.mod does not require directly", path)
	}
}
