package servers

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestKeyFollowsWhatTheBuildDependsOn(t *testing.T) {
	source := tinySource(t, tinyMain)
	before, err := tiny.recipe(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := tiny.recipe(t.Context(), source); again.key != before.key {
		t.Errorf("expected the same key for the same module, got %s and %s", before.key, again.key)
	}
	write(t, filepath.Join(source, "tiny", "go.sum"), "example.com/other v1.0.0 h1:AAAA=\n")
	if after, _ := tiny.recipe(t.Context(), source); after.key == before.key {
		t.Errorf("expected another key after go.sum changed, got %s twice", after.key)
	}
}

func TestKubernetesVersionFlags(t *testing.T) {
	got := strings.Join(kubernetesVersionFlags("v1.37.2"), " ")
	for _, want := range []string{"version.gitVersion=v1.37.2", "version.gitMajor=1", "version.gitMinor=37"} {
		if !strings.Contains(got, want) {
			t.Errorf("expected %s in %s", want, got)
		}
	}
}

// TestEachVersionHasAModule asks for a recipe of each supported version, and for one of a version
// that is not supported.
func TestEachVersionHasAModule(t *testing.T) {
	source, err := sourceFolder(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range Versions {
		t.Setenv(VersionVariable, version)
		if got, err := Version(); got != version || err != nil {
			t.Errorf("expected %s, got %s, %v", version, got, err)
		}
		r, err := kubernetesModule(version).recipe(t.Context(), source)
		if err != nil || !strings.HasPrefix(r.key, "kubernetes-v"+version+".") {
			t.Errorf("expected a recipe of %s, got %s, %v", version, r.key, err)
		}
	}
	t.Setenv(VersionVariable, "1.34")
	if _, err := Version(); err == nil || !strings.Contains(err.Error(), "KUBERNETES=1.34: expected one of 1.35, 1.36, 1.37") {
		t.Errorf("expected the supported versions to be named, got %v", err)
	}
	t.Setenv(VersionVariable, "")
	if got, err := Version(); got != Latest || err != nil {
		t.Errorf("expected %s, got %s, %v", Latest, got, err)
	}
}

func TestSourceIsFoundBothWays(t *testing.T) {
	byFile, byModule := besideThisFile(), besideModule(t.Context())
	if byModule == "" || byFile != "" && byFile != byModule { // -trimpath hides the file
		t.Errorf("expected the folder of the server modules, got %q by file and %q by module", byFile, byModule)
	}
}
