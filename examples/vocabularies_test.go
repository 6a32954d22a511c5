package examples

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

var catalogs = []string{"catalog.yaml", "workloads/catalog.yaml", "kubelet/catalog.yaml", "certmanager/catalog.yaml"}

// most bounds the lines of an average entry without its doc.
const most = 4.0

// entry is one event of a catalog, and its number of lines.
type entry struct {
	where, name string
	lines       int
}

// TestEntriesAreShort measures how much an author writes for an event: the lines of the entry
// without blank lines, comments and doc.
func TestEntriesAreShort(t *testing.T) {
	var all []entry
	for _, file := range catalogs {
		entries := measure(t, file)
		if len(entries) == 0 {
			t.Errorf("%s has no entries", file)
			continue
		}
		average := averageLines(entries)
		t.Logf("%s: %d entries of %.2f lines", file, len(entries), average)
		if average > most {
			t.Errorf("%s: an average entry has %.2f lines", file, average)
		}
		all = append(all, entries...)
	}
	slices.SortStableFunc(all, func(a, b entry) int { return b.lines - a.lines })
	t.Logf("together: %d entries of %.2f lines", len(all), averageLines(all))
	for _, e := range all[:3] {
		t.Logf("clumsy: %s %s, %d lines", e.where, e.name, e.lines)
	}
}

// TestGeneratedCodeIsShort measures how much generated code people may have to read: the packages
// of catalog.yaml.
func TestGeneratedCodeIsShort(t *testing.T) {
	// For and an enum's conversions raised the bytes from 28,000
	const mostLines, mostBytes, mostColumns = 780, 28_700, 120
	lines, size := 0, 0
	for _, file := range []string{"jobevents/zz_generated.events.go", "cronjobevents/zz_generated.events.go"} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		size += len(content)
		for line := range strings.Lines(string(content)) {
			lines++
			if columns := utf8.RuneCountInString(strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    ")); columns > mostColumns {
				t.Errorf("%s: a line of %d columns, expected at most %d: %s", file, columns, mostColumns, line)
			}
		}
	}
	t.Logf("%d lines, %d bytes", lines, size)
	if lines > mostLines || size > mostBytes {
		t.Errorf("%d lines and %d bytes, expected at most %d and %d", lines, size, mostLines, mostBytes)
	}
}

func averageLines(entries []entry) float64 {
	sum := 0
	for _, e := range entries {
		sum += e.lines
	}
	return float64(sum) / float64(len(entries))
}

func measure(t *testing.T, file string) []entry {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(content), "\n")
	var entries []entry
	for decoder := yaml.NewDecoder(bytes.NewReader(content)); ; {
		var doc struct {
			Spec struct {
				Events []yaml.Node `yaml:"events"`
			} `yaml:"spec"`
		}
		if decoder.Decode(&doc) != nil {
			return entries
		}
		for i := range doc.Spec.Events {
			n := &doc.Spec.Events[i]
			entries = append(entries, entry{file, nameOf(n), countLines(lines, n)})
		}
	}
}

func nameOf(event *yaml.Node) string {
	for i := 0; i+1 < len(event.Content); i += 2 {
		if key := event.Content[i].Value; key == "name" || key == "reason" {
			return event.Content[i+1].Value
		}
	}
	return "?"
}

// countLines counts the lines from the dash of an event to the next line that is indented no
// further than the dash.
func countLines(lines []string, event *yaml.Node) int {
	doc := docLines(event)
	count := 0
	for i := event.Line - 1; i < len(lines); i++ {
		text := strings.TrimSpace(lines[i])
		outside := len(lines[i])-len(strings.TrimLeft(lines[i], " ")) <= 2
		if i > event.Line-1 && text != "" && outside {
			break
		}
		if text != "" && !strings.HasPrefix(text, "#") && !doc[i+1] {
			count++
		}
	}
	return count
}

// docLines returns the lines that have only the event's doc.
func docLines(event *yaml.Node) map[int]bool {
	lines := map[int]bool{}
	for i := 0; i+1 < len(event.Content); i += 2 {
		if key, value := event.Content[i], event.Content[i+1]; key.Value == "doc" && key.Line > event.Line {
			lines[key.Line], lines[value.Line] = true, true
		}
	}
	return lines
}
