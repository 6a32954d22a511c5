package runtime_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestRuntimeStaysSmall holds what every user of generated code would have to build and carry.
func TestRuntimeStaysSmall(t *testing.T) {
	forbidden := []string{
		"github.com/dave/jennifer", "k8s.io/gengo", "github.com/spf13/cobra", "github.com/prometheus", "k8s.io/client-go",
		"go.yaml.in/yaml/v3", "gopkg.in/yaml.v3", "sigs.k8s.io/yaml", "golang.org/x/tools", "testing",
	}
	const module = "github.com/event-gen/event-gen"
	for _, path := range closure(t, module+"/runtime") {
		if strings.HasPrefix(path, module+"/") && path != module+"/runtime" && path != module+"/runtime/internal/kinds" {
			t.Errorf("runtime depends on %s", path)
		}
		for _, f := range forbidden {
			if path == f || strings.HasPrefix(path, f+"/") {
				t.Errorf("runtime depends on %s", path)
			}
		}
	}
}

// closure lists the packages that one is built of.
func closure(t *testing.T, pkg string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", pkg).CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	paths := strings.Fields(string(out))
	if len(paths) < 50 {
		t.Fatalf("only %d packages: %s", len(paths), out)
	}
	return paths
}
