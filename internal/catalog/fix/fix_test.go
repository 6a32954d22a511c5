package fix

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/lint"
)

var update = flag.Bool("update", false, "write what the fixes make into testdata")

// mend does what lint --fix does, until nothing changes.
func mend(t *testing.T, data []byte) []byte {
	t.Helper()
	for range 10 {
		catalogs, found := catalog.Read("catalog.yaml", bytes.NewReader(data))
		mended := Ordered(All(data, lint.Run(lint.Input{Catalogs: catalogs, Found: found})))
		if bytes.Equal(mended, data) {
			return data
		}
		data = mended
	}
	t.Fatal("the fixes don't come to an end")
	return nil
}

func TestFixes(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(archive.Files); i += 2 {
			before, want := archive.Files[i], archive.Files[i+1]
			got := mend(t, before.Data)
			if *update {
				archive.Files[i+1].Data = got
			} else if diff := cmp.Diff(string(want.Data), string(got)); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", file, before.Name, diff)
			}
		}
		if *update {
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Line ends and a byte order mark stay as they are.
func TestLineEnds(t *testing.T) {
	const text = "\uFEFFapiVersion: event-gen.github.io/v1alpha1\r\nkind: EventCatalog\r\nspec:\r\n  go: {package: p}\r\n  events:\r\n" +
		"  - message: Started # why\r\n    reason: Started\r\n"
	want := strings.Replace(text, "  - message: Started # why\r\n    reason: Started\r\n", "  - reason: Started\r\n    message: Started # why\r\n", 1)
	if got := string(mend(t, []byte(text))); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// Text that is not YAML stays as it is.
func TestNoYAML(t *testing.T) {
	data := []byte("spec:\n  events: [\n")
	if got := mend(t, data); !bytes.Equal(got, data) {
		t.Errorf("got %q", got)
	}
}

// A file with line breaks that editors don't show stays as it is, because YAML counts its lines
// differently.
func TestOddLineBreaks(t *testing.T) {
	for _, odd := range []string{"\r", "\r\r\n", "\u0085", "\u2028", "\u2029"} {
		data := oddBreaks(odd)
		if got := Ordered(All(data, nil)); !bytes.Equal(got, data) {
			t.Errorf("%q became %q", data, got)
		}
		if _, ok := Parse(data); ok {
			t.Errorf("%q is mended", data)
		}
	}
}

// oddBreaks returns a catalog with unordered keys and unusual line ends.
func oddBreaks(end string) []byte {
	return []byte(strings.ReplaceAll("spec:\n  events:\n  - message: \"a\"\n    # why\n    reason: A\n    name: A\n", "\n", end))
}

func TestApply(t *testing.T) {
	got := string(Apply([]byte("abcdef"), []Edit{{Start: 4, End: 5, Text: "X"}, {Start: 1, End: 3}, {Start: 2, End: 4, Text: "lost"}}))
	if got != "adXf" {
		t.Errorf("got %s", got)
	}
}

// Ordering the keys of this repository's catalogs does not change their meaning, and a second
// ordering changes nothing.
func TestOrderKeepsMeaning(t *testing.T) {
	files, _ := filepath.Glob("../../output/emit/testdata/golden/*/catalog.yaml")
	files = append(files, "../../../examples/catalog.yaml", "../testdata/full.yaml")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		ordered := Ordered(data)
		if !same(data, ordered) {
			t.Errorf("%s means something else", file)
		}
		if again := Ordered(ordered); !bytes.Equal(again, ordered) {
			t.Errorf("%s is not in order after the first time", file)
		}
	}
}

// Fixing any catalog a second time changes nothing, and a fix never makes a catalog unreadable.
func FuzzFix(f *testing.F) {
	archive, err := txtar.ParseFile("testdata/fixes.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range archive.Files {
		f.Add(file.Data)
	}
	f.Add(oddBreaks("\r"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, ok := Parse(data); !ok {
			return
		}
		ordered := Ordered(data)
		if !bytes.Equal(Ordered(ordered), ordered) {
			t.Errorf("ordering %q once is not enough: %q", data, ordered)
		}
		catalogs, found := catalog.Read("catalog.yaml", bytes.NewReader(data))
		mended := All(data, lint.Run(lint.Input{Catalogs: catalogs, Found: found}))
		if _, ok := Parse(mended); !ok {
			t.Errorf("%q can't be read", mended)
		}
	})
}
