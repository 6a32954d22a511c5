package manager

import (
	"encoding/json"
	"os/exec"
	"testing"
)

// TestPendingEventsHaveNoGoroutines counts the goroutines of one program with each manager while no
// server answers. client-go has one for each event.
func TestPendingEventsHaveNoGoroutines(t *testing.T) {
	alone := pendingGoroutines(t, "alone")
	for _, tag := range []string{"", "wrap"} {
		if n := pendingGoroutines(t, tag); n > alone/10 {
			t.Errorf("tag %q: %d goroutines with 1,000 events pending, %d of controller-runtime alone", tag, n, alone)
		}
	}
}

// pendingGoroutines runs a program with -measure, which prints what it costs.
func pendingGoroutines(t *testing.T, tag string) int {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program(t, tag), "-measure")
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var costs struct{ With struct{ Goroutines int } }
	if err := json.Unmarshal(out, &costs); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return costs.With.Goroutines
}
