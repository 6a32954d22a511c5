package docs

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// What README.md shows of make demo is what the demo prints.
func TestDemo(t *testing.T) {
	found, _ := blocks(read(t, "README.md"))
	for _, b := range found {
		want, isDemo := strings.CutPrefix(b.text, "$ make demo\n")
		if !isDemo {
			continue
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
