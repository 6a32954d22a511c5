package report_test

import (
	"testing"

	"github.com/event-gen/event-gen/internal/adoption/migrate"
	"github.com/event-gen/event-gen/internal/adoption/migrate/report"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		old, now       string
		added, removed int
	}{
		{"a\nb\n", "a\nb\n", 0, 0},
		{"", "a\n++b\n", 2, 0},
		{"a\n--b\n", "", 0, 2},
		{"a\nb", "a\nb\n", 1, 1},
	} {
		added, removed := report.Lines(migrate.File{Old: []byte(c.old), New: []byte(c.now)})
		if added != c.added || removed != c.removed {
			t.Errorf("from %q to %q: +%d −%d, want +%d −%d", c.old, c.now, added, removed, c.added, c.removed)
		}
	}
}
