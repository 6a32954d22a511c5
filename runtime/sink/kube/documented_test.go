package kube

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestDefaultsAreDocumented holds docs/operating-reference.md to the defaults of Options.
func TestDefaultsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/operating-reference.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{
		fmt.Sprintf("| `Timeout` | %.0f s |", defaultTimeout.Seconds()),
		fmt.Sprintf("| `QPS`, `Burst` | %d, %d |", defaultQPS, defaultBurst),
	} {
		if !strings.Contains(string(page), "\n"+row) {
			t.Errorf("docs/operating-reference.md lacks %s", row)
		}
	}
}
