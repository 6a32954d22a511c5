package manager

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// roundsVariable asks for another number of runs than one.
const roundsVariable = "EVENT_GEN_MANAGER_ROUNDS"

// costs are what a program prints with -measure, and what its file says.
type costs struct {
	Start        time.Duration
	Before, With struct{ Resident, Goroutines int }
	modules      int
	size         int64
}

// costRows are the lines of the table in docs/evidence.md.
var costRows = []struct {
	name  string
	value func(costs) string
}{
	{"modules in the binary", func(c costs) string { return fmt.Sprint(c.modules) }},
	{"binary, " + runtime.GOOS + "/" + runtime.GOARCH + ", stripped", func(c costs) string { return fmt.Sprintf("%.1f MB", float64(c.size)/1e6) }},
	{"from `main` to the first runnable", func(c costs) string { return fmt.Sprintf("%.1f ms", c.Start.Seconds()*1e3) }},
	{"resident memory before the first event", func(c costs) string { return fmt.Sprintf("%.1f MB", float64(c.Before.Resident)/1e6) }},
	{"resident memory with 1,000 events pending", func(c costs) string { return fmt.Sprintf("%.1f MB", float64(c.With.Resident)/1e6) }},
	{"goroutines before the first event, and with 1,000 pending", func(c costs) string {
		return fmt.Sprintf("%d and %d", c.Before.Goroutines, c.With.Goroutines)
	}},
}

// TestManagerCosts prints what one program costs with each manager while no server answers, the
// least of some runs in turns.
func TestManagerCosts(t *testing.T) {
	rounds, _ := strconv.Atoi(os.Getenv(roundsVariable))
	tags := []string{"alone", "", "wrap"}
	all := make([]costs, len(tags))
	for round := range max(rounds, 1) {
		for i, tag := range tags {
			c := measure(t, program(t, tag))
			if round > 0 {
				c.Start = min(c.Start, all[i].Start)
				c.Before.Resident, c.With.Resident = min(c.Before.Resident, all[i].Before.Resident), min(c.With.Resident, all[i].With.Resident)
			}
			all[i] = c
		}
	}
	table := "| | controller-runtime alone | `ctrlevents.NewManager` | `ctrlevents.Wrap` |\n" + strings.Repeat("| --- ", len(tags)+1) + "|\n"
	for _, row := range costRows {
		table += "| " + row.name
		for _, c := range all {
			table += " | " + row.value(c)
		}
		table += " |\n"
	}
	t.Logf("\n%s", table)
	for i, c := range all[1:] { // client-go has a goroutine for each event
		if c.With.Goroutines > all[0].With.Goroutines/10 {
			t.Errorf("tag %q: %d goroutines with 1,000 events pending, %d of controller-runtime alone", tags[i+1], c.With.Goroutines, all[0].With.Goroutines)
		}
	}
}

func measure(t *testing.T, file string) (c costs) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), file, "-measure")
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &c); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	stat, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	c.modules, c.size = len(info.Deps), stat.Size()
	return c
}
