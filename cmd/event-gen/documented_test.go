package main

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestPagesShowWhatIsPrinted holds that pages show what the commands of a script print: the script
// compares its files with what is printed, and each is on the page.
func TestPagesShowWhatIsPrinted(t *testing.T) {
	for page, script := range map[string]string{"migrate.md": "migratedocs", "lint.md": "lintdocs", "scan.md": "scandocs"} {
		text, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		archive, err := txtar.ParseFile("testdata/script/" + script + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, f := range archive.Files {
			if name, shown := strings.CutSuffix(f.Name, ".want"); shown {
				found++
				want := string(f.Data)
				if name == "diff" { // its function; not its imports
					_, want, _ = strings.Cut(want, "\n func ")
				}
				if want == "" || !strings.Contains(string(text), want) {
					t.Errorf("docs/%s does not show %s of %s:\n%s", page, f.Name, script, want)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s has no files that pages show", script)
		}
	}
}
