package correlator

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestDefaultsAreDocumented compares the defaults that docs/operating-reference.md gives with the
// constants.
func TestDefaultsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/operating-reference.md")
	if err != nil {
		t.Fatal(err)
	}
	o, w := Options{}.withDefaults(), writerDefaults(writerOptions{})
	for name, want := range map[string]string{
		"`WriteTimeout`":   shown(w.WriteTimeout),
		"`EventTTL`":       shown(o.EventTTL),
		"`MaxInterval`":    shown(o.MaxInterval),
		"`Burst`, `Every`": strconv.Itoa(o.Burst) + ", " + shown(o.Every),
		"`MaxEvents`":      fmt.Sprintf("%d,%03d", o.MaxEvents/1000, o.MaxEvents%1000),
		"`MaxBytes`":       fmt.Sprintf("an eighth of the [process's limit](#memory), from 8 to %d MiB", o.MaxBytes>>20),
	} {
		_, cells, _ := strings.Cut(string(page), "\n| "+name+" | ")
		if got, _, _ := strings.Cut(cells, " |"); got != want {
			t.Errorf("docs/operating-reference.md: the default of %s is %q, in the code %q", name, got, want)
		}
	}
}

// shown is how the page writes a duration.
func shown(d time.Duration) string {
	switch {
	case d%time.Hour == 0:
		return fmt.Sprintf("%d h", d/time.Hour)
	case d%time.Minute == 0:
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return fmt.Sprintf("%v s", d.Seconds())
}
