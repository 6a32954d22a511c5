package migrate

import (
	"path/filepath"
	"testing"
)

// TestOnlyTheModulesOwnFiles: migrate leaves vendored files, and files of other folders, alone.
func TestOnlyTheModulesOwnFiles(t *testing.T) {
	dir := filepath.FromSlash("/src/module")
	for path, want := range map[string]bool{
		"/src/module/main.go": true, "/src/module/internal/vendored/a.go": true, "/src/module/a/vendor.go": true,
		"/src/module/vendor/example.com/a/a.go": false, "/src/module/a/vendor/example.com/a.go": false,
		"/src/module2/a.go": false, "/src/a.go": false, "/go/pkg/mod/example.com/a@v1.0.0/a.go": false,
	} {
		if got := (Options{Dir: dir}).inDir(filepath.FromSlash(path)); got != want {
			t.Errorf("%s: %t, want %t", path, got, want)
		}
	}
}
