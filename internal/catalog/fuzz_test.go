package catalog

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// The reader never panics, and its findings are in the file.
func FuzzRead(f *testing.F) {
	for _, table := range archives(f) {
		for i := 0; i < len(table.Files); i += 2 {
			f.Add(table.Files[i].Data)
		}
	}
	full, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(full)
	f.Fuzz(func(t *testing.T, data []byte) {
		catalogs, findings := Read("f.yaml", bytes.NewReader(data))
		for _, found := range findings {
			checkInside(t, data, found)
		}
		if len(findings) == 0 && len(catalogs) == 0 {
			t.Error("neither catalogs nor findings")
		}
	})
}

// The reader of configurations never panics, and its findings are in the file.
func FuzzReadConfiguration(f *testing.F) {
	const head = "apiVersion: event-gen.github.io/v1alpha1\nkind: Configuration\n"
	for _, rest := range []string{"", "catalogs: [internal/events]\n", "catalogues: []\n", "catalogs: [a]\n---\nkind: x\n",
		"lint:\n  failOn: warning\n  rules: {EV106: error}\n",
		"breaking:\n  acknowledged:\n  - {rule: BG01, event: Begun, reason: \"nobody calls it\", since: v1.0.0}\n"} {
		f.Add([]byte(head + rest))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		config, findings := ReadConfiguration("event-gen.yaml", bytes.NewReader(data))
		for _, found := range findings {
			checkInside(t, data, found)
		}
		if (config == nil) == (len(findings) == 0) {
			t.Errorf("configuration %v, findings %v", config, findings)
		}
	})
}

func checkInside(t *testing.T, data []byte, f diag.Finding) {
	t.Helper()
	lines := strings.Split(string(data), "\n")
	if f.Pos.Line < 1 || f.Pos.Line > len(lines) {
		t.Fatalf("%s: the file has %d lines", f, len(lines))
	}
	line := strings.TrimPrefix(lines[f.Pos.Line-1], "\uFEFF")
	if f.Pos.Column < 1 || f.Pos.Column > utf8.RuneCountInString(line)+1 {
		t.Fatalf("%s: the line is %q", f, line)
	}
}
