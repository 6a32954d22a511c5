package disk

import (
	"os"
	"path/filepath"
	"testing"
)

// What is left of overlays ends with the process: a command that is interrupted leaves no folder.
func TestHoldRemovesOverlays(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	o, err := NewOverlay(map[string][]byte{"/m/a.go": []byte("package a\n")})
	if err != nil {
		t.Fatal(err)
	}
	if got := o.Named("../"+filepath.Base(o.dir)+"/0.go:1:1: x\n"+o.replace["/m/a.go"]+":2: y", filepath.Join(filepath.Dir(o.dir), "m")); got != "/m/a.go:1:1: x\n/m/a.go:2: y" {
		t.Errorf("got %q", got)
	}
	Hold()
	defer writing.Unlock()
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}
