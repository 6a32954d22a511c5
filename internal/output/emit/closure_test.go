package emit_test

import (
	"os/exec"
	"strings"
	"testing"
)

// A generated package imports, directly or not, only the run time, API types and apimachinery.
func TestClosure(t *testing.T) {
	args := []string{"list", "-deps"}
	for _, path := range list(t, "list", goldenPackages) {
		if !strings.HasSuffix(path, "eventstest") && !strings.HasSuffix(path, "besidetest") {
			args = append(args, path)
		}
	}
	const self = "github.com/event-gen/event-gen/"
	for _, path := range list(t, args...) {
		forbidden := strings.HasPrefix(path, "k8s.io/client-go/") || strings.HasPrefix(path, "k8s.io/gengo/") ||
			strings.Contains(path, "jennifer") || strings.Contains(path, "cobra") || strings.Contains(path, "prometheus") ||
			strings.HasPrefix(path, self) && path != self+"runtime" && !strings.HasPrefix(path, self+"runtime/internal/") && !strings.Contains(path, "/testdata/")
		if forbidden {
			t.Errorf("generated packages come to import %s", path)
		}
	}
}

func list(t *testing.T, args ...string) []string {
	t.Helper()
	out, err := exec.Command("go", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.Fields(string(out))
}
