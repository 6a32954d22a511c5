package emit_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

// notForUsers are modules that only the generator, its tests, and parts of the run time that a generated package does not
// import need.
var notForUsers = []string{
	"github.com/dave/jennifer", "k8s.io/gengo/v2", "github.com/spf13/cobra", "github.com/rogpeppe/go-internal", "golang.org/x/tools",
	"github.com/invopop/jsonschema", "github.com/santhosh-tekuri/jsonschema/v6", "github.com/prometheus/client_golang", "k8s.io/client-go",
	"pgregory.net/rapid", "go.uber.org/goleak", "golang.org/x/mod",
}

// A module that depends on event-gen only through a generated package gets no dependency of the generator from go mod tidy.
func TestTidyListsNoGenerator(t *testing.T) {
	runtime, err := filepath.Abs("../../../runtime")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "go.mod"), fmt.Sprintf("module example.com/user\n\ngo 1.26\n\n"+
		"require github.com/event-gen/event-gen/runtime v0.0.0\n\nreplace github.com/event-gen/event-gen/runtime => %s\n", runtime))
	for name, source := range generate(t, dir, read(t, "../../../examples/catalog.yaml")) {
		if !strings.HasSuffix(filepath.Dir(name), "test") {
			writeFile(t, filepath.Join(dir, filepath.Base(filepath.Dir(name)), "zz_generated.events.go"), source)
		}
	}
	run(t, dir, "go", "mod", "tidy")
	run(t, dir, "go", "vet", "./...")
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range file.Require {
		for _, path := range notForUsers {
			if r.Mod.Path == path {
				t.Errorf("go.mod of a user lists %s:\n%s", path, data)
			}
		}
	}
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	// With other flags than the tests', apimachinery would be compiled again.
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}
