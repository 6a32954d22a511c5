package docs

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	_ "github.com/event-gen/event-gen/examples/life" // for the same reason
)

// What README.md shows of make demo is what the demo prints.
func TestDemo(t *testing.T) {
	found, _ := blocks(read(t, "README.md"))
	for _, b := range found {
		want, isDemo := strings.CutPrefix(b.text, "$ make demo\n")
		if !isDemo {
			continue
		}
		for _, path := range []string{"examples/demo.sh", "examples/demo/main.go", "examples/wrong/testdata/misspelt/misspelt.go", "examples/wrong/testdata/kind/kind.go"} {
			// what the go command reads is no input of this test, so that a result from the cache
			// would stay
			read(t, path)
		}
		cmd := exec.CommandContext(t.Context(), "sh", "examples/demo.sh")
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		ages := regexp.MustCompile(`(?m)^\d+s `)
		if got := ages.ReplaceAllString("\n"+string(out), "0s "); !shown("…\n"+strings.TrimPrefix(want, "…\n"), got) {
			t.Errorf("README.md shows\n%s\nand make demo prints\n%s", want, got)
		}
		return
	}
	t.Error("README.md does not show make demo")
}
