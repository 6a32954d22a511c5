package disk

import (
	"path/filepath"
	"testing"
)

func TestNearest(t *testing.T) {
	dir := folder(t, map[string]string{"a/mark": "", "a/b/c/text": "", "a/b/mark/text": ""})
	for from, want := range map[string]string{"a": "a", "a/b": "a/b", "a/b/c": "a/b", "a/gone/gone": "a"} {
		if got := Nearest(filepath.Join(dir, from), "mark"); got != filepath.Join(dir, want) {
			t.Errorf("from %s: %s, expected %s", from, got, want)
		}
	}
	if got := Nearest(dir, "no such file anywhere"); got != "" {
		t.Errorf("found %s", got)
	}
}

func TestIsForeign(t *testing.T) {
	dir := folder(t, map[string]string{"api/v1/types.go": "", "nested/go.mod": "", "testdata/a": "", "vendor/a": "", "node_modules/a": "", ".git/a": "", "_old/a": ""})
	for name, want := range map[string]bool{
		"api": false, "api/v1": false, "gone": false,
		"nested": true, "testdata": true, "vendor": true, "node_modules": true, ".git": true, "_old": true,
	} {
		if got := IsForeign(filepath.Join(dir, name)); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
