package disk

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestAbandonedFolders: an overlay removes the folders of killed processes, and no other folder.
func TestAbandonedFolders(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ended := exec.Command(os.Args[0], "-test.run=^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	left := map[string]bool{} // by folder: whether it stays
	for _, name := range []string{"event-gen-x", fmt.Sprintf("event-gen-%d-a", os.Getpid())} {
		left[name] = true
	}
	left[fmt.Sprintf("event-gen-%d-a", ended.Process.Pid)] = false
	for name := range left {
		if err := os.Mkdir(filepath.Join(os.TempDir(), name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	o, err := NewOverlay(map[string][]byte{filepath.Join(t.TempDir(), "a.go"): []byte("package a")})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Remove()
	for name, stays := range left {
		if _, err := os.Stat(filepath.Join(os.TempDir(), name)); (err == nil) != stays {
			t.Errorf("%s: it stays is %t, want %t", name, err == nil, stays)
		}
	}
}
