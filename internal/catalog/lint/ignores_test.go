package lint

import (
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// A position belongs to the event and the catalog that begin last before it.
func TestPlaceOf(t *testing.T) {
	document := head + "  events: [{reason: Aa, message: \"a\"}, {reason: Bb, message: \"b\"}]\n"
	catalogs, findings := catalog.Read("a.yaml", strings.NewReader(document+"---\n"+head+"  events:\n  - {reason: Cc, message: \"c\"}\n  - {reason: Dd, message: \"d\"}\n"))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	for _, c := range []struct {
		file         string
		line, column int
		want         string
	}{
		{"b.yaml", 9, 1, "nothing"},
		{"a.yaml", 0, 0, "nothing"},
		{"a.yaml", 1, 1, "0"},
		{"a.yaml", 4, 50, "0"},
		{"a.yaml", 5, 11, "0"},
		{"a.yaml", 5, 12, "0 Aa"},
		{"a.yaml", 5, 39, "0 Aa"},
		{"a.yaml", 5, 40, "0 Bb"},
		{"a.yaml", 6, 1, "0 Bb"},
		{"a.yaml", 7, 1, "1"},
		{"a.yaml", 11, 99, "1"},
		{"a.yaml", 12, 4, "1"},
		{"a.yaml", 12, 5, "1 Cc"},
		{"a.yaml", 13, 1, "1 Cc"},
		{"a.yaml", 13, 5, "1 Dd"},
	} {
		in, event := placeOf(catalogs, diag.Pos{File: c.file, Line: c.line, Column: c.column})
		got := "nothing"
		if in != nil {
			got = map[*catalog.Catalog]string{catalogs[0]: "0", catalogs[1]: "1"}[in]
		}
		if event != nil {
			got += " " + event.Reason.Value
		}
		if got != c.want {
			t.Errorf("%s:%d:%d is in %s, want %s", c.file, c.line, c.column, got, c.want)
		}
	}
}
