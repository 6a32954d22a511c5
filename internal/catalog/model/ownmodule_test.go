package model

import (
	"os"
	"path/filepath"
	"testing"
)

// For a missing package of the module itself, the finding does not propose go get.
func TestOwnPackage(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/own\n", "api/v1/x.go": "package v1\n", "nested/go.mod": "module example.com/own/nested\n", "nested/v1/x.go": "package v1\n",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"example.com/own/api/v2":    "module example.com/own has no folder api/v2; did you mean api/v1?",
		"example.com/own/apis/v1":   "module example.com/own has no folder apis/v1; did you mean api/v1?",
		"example.com/own/apix/v3":   "module example.com/own has no folder apix/v3; did you mean api?",
		"example.com/own/api":       "folder api of module example.com/own has no package that could be loaded",
		"example.com/own/nested/v1": "example.com/own/nested/v1 is in a module of its own, example.com/own/nested (nested/go.mod), which module example.com/own does not require; require it, with a replace directive for the folder",
		"example.com/owner/api/v1":  "",
		"example.com/other":         "",
	} {
		if got := ownPackage(root, path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if got := ownPackage(filepath.Join(root, "api"), "example.com/own/api/v2"); got != "" {
		t.Errorf("without a module: %q", got)
	}
}
