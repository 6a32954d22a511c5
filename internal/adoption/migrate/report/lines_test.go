package report_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/adoption/migrate"
	"github.com/event-gen/event-gen/internal/adoption/migrate/report"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, old, now string
		added, removed int
	}{
		{"nothing changes", "a\nb\n", "a\nb\n", 0, 0},
		{"both are empty", "", "", 0, 0},
		{"a new file", "", "a\nb\n", 2, 0},
		{"a file that goes", "a\nb\n", "", 0, 2},
		{"one of two equal lines", "a\nx\na\n", "a\ny\na\n", 1, 1},
		{"lines that are not unique stay", "{\nold\n}\n{\nold\n}\n", "{\nnew\n}\n{\nnew\n}\n", 2, 2},
		{"a last line that does not end", "a\nb", "a\nb\n", 1, 1},
		{"Myers' example", "a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n", 2, 3},
	} {
		added, removed := report.Lines(migrate.File{Old: []byte(c.old), New: []byte(c.now)})
		if added != c.added || removed != c.removed {
			t.Errorf("%s: +%d −%d, want +%d −%d", c.name, added, removed, c.added, c.removed)
		}
	}
}

// TestLinesAreGits compares Lines with git diff --numstat, on texts with many repeated lines.
func TestLinesAreGits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range random.IntN(12) {
			fmt.Fprintf(&b, "%c\n", 'a'+rune(random.IntN(4)))
		}
		return b.String()
	}
	dir := t.TempDir()
	for range 40 {
		old, now := text(), text()
		added, removed := report.Lines(migrate.File{Old: []byte(old), New: []byte(now)})
		gitAdded, gitRemoved := numstat(t, dir, old, now)
		if added != gitAdded || removed != gitRemoved {
			t.Errorf("from %q to %q: +%d −%d, and git counts +%d −%d", old, now, added, removed, gitAdded, gitRemoved)
		}
	}
}

// numstat returns git's counts. It asks git for the shortest script, because git's usual search
// stops early in large changes.
func numstat(t *testing.T, dir, old, now string) (added, removed int) {
	t.Helper()
	for name, text := range map[string]string{"old": old, "new": now} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("git", "diff", "--no-index", "--minimal", "--numstat", "old", "new")
	c.Dir = dir
	out, err := c.Output() // it ends with 1 if they differ
	if len(out) == 0 {
		if old != now {
			t.Fatalf("git diff: %v", err)
		}
		return 0, 0
	}
	if _, err := fmt.Sscan(string(out), &added, &removed); err != nil {
		t.Fatalf("%q: %v", out, err)
	}
	return added, removed
}
