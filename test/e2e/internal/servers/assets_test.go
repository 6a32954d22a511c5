package servers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAssetsAreTakenAsTheyAre(t *testing.T) {
	folder := t.TempDir()
	t.Setenv(AssetsVariable, folder)
	for _, name := range []string{APIServer, Etcd, Kubectl} {
		if _, err := Find(t.Context(), t.Output()); err == nil || !strings.Contains(err.Error(), "no program "+name) {
			t.Errorf("expected an error that names %s, got %v", name, err)
		}
		path := filepath.Join(folder, name)
		write(t, path, "")
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Find(t.Context(), t.Output())
	want := Paths{filepath.Join(folder, APIServer), filepath.Join(folder, Etcd), filepath.Join(folder, Kubectl)}
	if err != nil || got != want {
		t.Errorf("expected %v, got %v, %v", want, got, err)
	}
}
