package metrics_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestNobodyElseImportsPrometheus holds that a program without this package carries no Prometheus
// client.
func TestNobodyElseImportsPrometheus(t *testing.T) {
	const module = "github.com/event-gen/event-gen"
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{.Imports}}", module+"/...").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	found := 0
	for line := range strings.Lines(string(out)) {
		path, imports, _ := strings.Cut(line, " ")
		if !strings.Contains(imports, "github.com/prometheus/") && !strings.Contains(imports, module+"/runtime/metrics") {
			continue
		}
		found++
		if path != module+"/runtime/metrics" {
			t.Errorf("%s imports %s", path, imports)
		}
	}
	if found == 0 {
		t.Error("the list does not even have this package")
	}
}
