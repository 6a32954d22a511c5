package format

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var update = flag.Bool("update", false, "write the golden files")

var sources = map[string]string{
	"catalog.yaml": "spec:\n  - {reason: Żółć, message: Started}\n  - reason: \x1b[31mred\u202e\n\n",
	"a b:c,d.yaml": "x" + strings.Repeat("long ", 60) + "HERE" + strings.Repeat(" line", 60) + "\r\n",
}

func at(file string, line, column int) diag.Pos {
	return diag.Pos{File: file, Line: line, Column: column}
}

// hostile is a text that a catalog may bring into findings, with characters that mean something to
// a reader.
const hostile = "reason \x1b[31m\"<b>\"\n::error::stop-commands %0A ]]> &amp; \u202e\u2028 \xff"

func report() *Report {
	return &Report{
		Tool: "event-gen", Version: "v1.2.3", FailOn: diag.Warning,
		Files: []string{"catalog.yaml", "clean.yaml"},
		Rules: []Rule{
			{ID: "EV002", Name: "yaml-trap", Doc: "YAML turns it.", Severity: diag.Error, Help: "## EV002\n\nQuote it."},
			{ID: "EV106", Name: "similar-reasons", Doc: "They are alike.", Severity: diag.Warning, Help: "## EV106"},
			{ID: "EV401", Name: "no-doc", Doc: "It has none.", Severity: diag.Info, Help: "## EV401"},
		},
		Findings: diag.Findings{
			{Pos: at("a b:c,d.yaml", 1, 302), Rule: "EV401", Severity: diag.Info, Message: "far to the right"},
			{Pos: at("catalog.yaml", 2, 29), Rule: "EV002", Severity: diag.Error, Message: "the text must be quoted: write \"Started\""},
			{Pos: at("catalog.yaml", 3, 13), Rule: "EV106", Severity: diag.Warning, Message: hostile},
			{Pos: at("catalog.yaml", 3, 14), Rule: "EV106", Severity: diag.Warning, Message: "again", Callers: &diag.Positions{at("a b:c,d.yaml", 1, 3), at("clean.yaml", 7, 2)}},
			{Pos: at("catalog.yaml", 9, 1), Rule: "EV106", Severity: diag.Warning, Message: "no such line"},
			{Pos: at("catalog.yaml", 9, 2), Rule: "EV106", Severity: diag.Error, Message: "reason Old is now New", Change: &diag.Change{
				Rules: []string{"EV106"}, Events: []string{"New"}, Formerly: []string{"Old"},
				Before: diag.Side{At: []string{"v1:catalog.yaml:8:1"}, Values: []string{"Old"}, FieldSelectors: []string{"reason=Old"}, PromQL: []string{`x{reason="Old"}`}},
				After:  diag.Side{Values: []string{"New"}, FieldSelectors: []string{"reason=New"}, PromQL: []string{`x{reason="New"}`}},
			}},
		},
		Problems: diag.Findings{
			{Pos: at("event-gen.yaml", 3, 1), Rule: "EV002", Severity: diag.Error, Message: "unknown key " + hostile},
			{Pos: diag.Pos{File: "missing\n::error::.yaml"}, Severity: diag.Error, Message: "no such file or directory"},
		},
		Fixes:  map[int]diag.Fix{1: {Description: "quote the text", Edits: []diag.Edit{{Start: 38, End: 45, Text: `"Started"`}}}},
		Source: func(file string) []byte { return []byte(sources[file]) },
	}
}

func write(t *testing.T, name string, r *Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, name, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestGolden(t *testing.T) {
	for _, name := range Names {
		got := write(t, name, report())
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// In no format can text of a catalog control a terminal or begin a line.
func TestHostileText(t *testing.T) {
	for _, name := range Names {
		for line := range strings.Lines(string(write(t, name, report()))) {
			if strings.ContainsAny(line, "\x1b\u202e\u2028\x00\x7f") || strings.HasPrefix(line, "::error::") {
				t.Errorf("%s: %q", name, line)
			}
		}
	}
}

func TestColour(t *testing.T) {
	r := report()
	r.Colour = true
	got := string(write(t, "text", r))
	want := "\x1b[1ma b:c,d.yaml:1:302:\x1b[22m \x1b[36;1minfo\x1b[0;22m: far to the right \x1b[2m[EV401]\x1b[22m\n"
	if !strings.HasPrefix(got, want) {
		t.Errorf("got %q", got)
	}
}

// The last line of text describes what was judged, and counts the shown and the hidden findings.
func TestSummary(t *testing.T) {
	info := diag.Finding{Severity: diag.Info, Message: "a"}
	for _, c := range []struct {
		shown, hidden diag.Findings
		want          string
	}{
		{nil, nil, "2 events: no findings\n"},
		{nil, diag.Findings{info, info}, "2 events: no errors or warnings; 2 infos more with --show=info\n"},
		{report().Findings, diag.Findings{info, {Severity: diag.Warning}}, "2 events: 2 errors, 3 warnings, 1 info; 1 warning, 1 info more with --show=info\n"},
		{report().Findings[1:2], diag.Findings{{Severity: diag.Warning}}, "2 events: 1 error; 1 warning more with --show=warning\n"},
		{nil, diag.Findings{info, {Severity: diag.Warning}}, "2 events: no errors; 1 warning, 1 info more with --show=info\n"},
	} {
		got := string(write(t, "text", &Report{Judged: "2 events", Findings: c.shown, Hidden: c.hidden}))
		if !strings.HasSuffix("\n"+got, "\n"+c.want) {
			t.Errorf("got %q, want the end %q", got, c.want)
		}
	}
	if got := string(write(t, "text", &Report{Judged: "2 events", Problems: report().Problems})); got != "" {
		t.Errorf("where nothing is known: %q", got)
	}
}

// SARIF is valid by the library's schema, with and without findings.
func TestSARIFIsValid(t *testing.T) {
	clean := report()
	clean.Findings, clean.Problems = nil, nil
	for _, r := range []*Report{report(), clean} {
		data := write(t, "sarif", r)
		parsed, err := sarif.FromBytes(data, sarif.WithStrictValidation())
		if err != nil {
			t.Fatal(err)
		}
		if err := parsed.Validate(); err != nil {
			t.Error(err)
		}
		if !bytes.Contains(data, []byte(`"results": [`)) {
			t.Error("a run without results says that nothing was looked at")
		}
	}
}

// Only a run that could not finish reports so.
func TestSARIFSaysWhyItFailed(t *testing.T) {
	const failed = `"executionSuccessful": false`
	r := report()
	if got := write(t, "sarif", r); !bytes.Contains(got, []byte(failed)) {
		t.Errorf("it does not say %s:\n%s", failed, got)
	}
	r.Problems = nil
	if got := write(t, "sarif", r); bytes.Contains(got, []byte("executionSuccessful")) {
		t.Errorf("it tells of a failure:\n%s", got)
	}
}

// Fingerprints do not change when lines move, and are distinct.
func TestFingerprints(t *testing.T) {
	find := regexp.MustCompile(`"eventGen/v1": "\w+"`)
	before := find.FindAllString(string(write(t, "sarif", report())), -1)
	moved := report()
	for i := range moved.Findings {
		moved.Findings[i].Pos.Line += 5
	}
	moved.Source = func(file string) []byte { return []byte(strings.Repeat("\n", 5) + sources[file]) }
	after := find.FindAllString(string(write(t, "sarif", moved)), -1)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
	seen := map[string]bool{}
	for _, f := range before {
		if seen[f] {
			t.Errorf("%s stands twice", f)
		}
		seen[f] = true
	}
}

func TestJSONLines(t *testing.T) {
	for line := range strings.Lines(string(write(t, "json", report()))) {
		var finding map[string]any
		if err := json.Unmarshal([]byte(line), &finding); err != nil {
			t.Errorf("%v: %s", err, line)
		}
	}
}

func TestJUnitParses(t *testing.T) {
	decoder := xml.NewDecoder(bytes.NewReader(write(t, "junit", report())))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	want := `expected the format text, json, sarif, github or junit, found "yaml"`
	if err := Write(io.Discard, "yaml", report()); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

// failing is a writer that fails like a pipe without a reader.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, fmt.Errorf("closed") }

func TestWriteErrors(t *testing.T) {
	for _, name := range Names {
		if Write(failing{}, name, report()) == nil {
			t.Errorf("%s: the error is lost", name)
		}
	}
}

// Columns count runes from the start of the line, also in lines with multi-byte runes.
func TestLines(t *testing.T) {
	text := "a\r\n" + strings.Repeat("ż\xff€x", 10) + "\r\nlast"
	l := newLines(func(string) []byte { return []byte("\uFEFF" + text) })
	line, start := l.text("f", 2), strings.Index(text, "ż")
	for offset := 0; offset <= len(line); offset++ {
		if utf8.RuneStart(append([]byte(line), 'x')[offset]) {
			number, column := l.position("f", start+offset+len("\uFEFF"))
			if want := len([]rune(line[:offset])) + 1; number != 2 || column != want {
				t.Fatalf("offset %d is at %d:%d, not 2:%d", offset, number, column, want)
			}
		}
	}
	if number, column := l.position("f", len(text)+len("\uFEFF")); number != 3 || column != 5 {
		t.Errorf("the end is at %d:%d", number, column)
	}
}
