package benchmarks

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// catalog is one of 1,000 events about kinds of k8s.io/api, so that no types are loaded. The text
// tells it from another version of itself.
func catalog(text string) string {
	var b strings.Builder
	b.WriteString("apiVersion: event-gen.github.io/v1alpha1\nkind: EventCatalog\nspec:\n  go: {package: manyevents}\n" +
		"  reportingController: example.com/many\n  objects: {Pod: v1, Deployment: apps/v1}\n  defaults: {regarding: Pod}\n  events:\n")
	for n := range 1000 {
		fmt.Fprintf(&b, "  - reason: Event%04d\n    type: Warning\n    regarding: Deployment\n    message: \"%s {from} to {to}: {cause}\"\n"+
			"    params: [from int32, to int32, cause error]\n    doc: \"Event number %d.\"\n", n, text, n)
	}
	return b.String()
}

// BenchmarkCommand is the processor time of a command, from process start to exit, on a catalog of
// 1,000 events.
func BenchmarkCommand(b *testing.B) {
	dir := b.TempDir()
	program := filepath.Join(dir, "event-gen")
	build := exec.Command("go", "build", "-o", program, "./cmd/event-gen")
	// the root is built in its workspace, whose run time is not released
	build.Dir, build.Env = "..", append(os.Environ(), "GOWORK=")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for name, text := range map[string]string{
		"go.mod": "module example.com/many\n\ngo 1.26\n", "catalog.yaml": catalog("Scaled from"), "former/catalog.yaml": catalog("Went from"),
	} {
		file := filepath.Join(dir, name)
		must(os.MkdirAll(filepath.Dir(file), 0o755))
		must(os.WriteFile(file, []byte(text), 0o644))
	}
	for _, c := range []struct {
		name string
		args []string
		code int
	}{
		{"generate", []string{"generate", "catalog.yaml"}, 0},
		{"check", []string{"generate", "--check", "catalog.yaml"}, 0},
		{"lint", []string{"lint", "catalog.yaml"}, 0},
		// warnings
		{"breaking", []string{"breaking", "--against=former/catalog.yaml", "catalog.yaml"}, 0},
	} {
		b.Run("of="+c.name+"/recorder=event-gen", func(b *testing.B) {
			var used float64
			for b.Loop() {
				if c.name == "generate" {
					must(os.RemoveAll(filepath.Join(dir, "manyevents")))
				}
				cmd := exec.Command(program, c.args...)
				cmd.Dir = dir
				out, _ := cmd.CombinedOutput()
				if code := cmd.ProcessState.ExitCode(); code != c.code {
					b.Fatalf("exit code %d\n%.2000s", code, out)
				}
				used += (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
			}
			b.ReportMetric(1000*used/float64(b.N), "cpu-ms/run")
			b.ReportMetric(0, "ns/op")
		})
	}
}
