package catalog

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

const head = "apiVersion: event-gen.github.io/v1alpha1\nkind: EventCatalog\nspec:\n  go: {package: x}\n  events:\n"

func TestRawText(t *testing.T) {
	good := head + "  - {reason: A, message: \"ж {a}\"}\n  - {reason: No, message: \"b\"}\n"
	const finding = "f.yaml:7:14: reason: YAML reads No as a boolean; write \"No\" [EV002]\n"
	for name, c := range map[string]struct{ data, want string }{
		"LF":                     {good, finding},
		"CRLF":                   {strings.ReplaceAll(good, "\n", "\r\n"), finding},
		"byte order mark":        {"\uFEFF" + good, finding},
		"no newline at the end":  {strings.TrimSpace(good), finding},
		"second byte order mark": {good + "\uFEFF", "f.yaml:8:1: a byte order mark inside the file; remove it [EV001]\n"},
		"Latin-1":                {"# ж\n# \xe9t\xe9", "f.yaml:2:3: the file is not UTF-8 text; save it as UTF-8 [EV001]\n"},
		"UTF-16":                 {"\xff\xfea\x00", "f.yaml:1:1: the file is not UTF-8 text; save it as UTF-8 [EV001]\n"},
		"binary":                 {"\x7fELF\x02\x01\x01\x00", "f.yaml:1:1: the control character U+007F; remove it, or write it as an escape in double quotes [EV001]\n"},
		"NUL":                    {"ж\x00", "f.yaml:1:2: the control character U+0000; remove it, or write it as an escape in double quotes [EV001]\n"},
		"CR":                     {"a\rb", "f.yaml:1:2: a carriage return without a line feed; end lines with LF or CRLF [EV001]\n"},
		"line separator": {"# a\u2028b",
			"f.yaml:1:4: the control character U+2028; remove it, or write it as an escape in double quotes [EV001]\n"},
		"as large as can be": {strings.Repeat("#\n", MaxBytes/2), "f.yaml:1:1: expected an EventCatalog, found an empty file [EV001]\n"},
		"too large":          {strings.Repeat("#\n", MaxBytes/2) + "#", "f.yaml:1:1: the file is larger than 4 MiB; split it [EV001]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			_, findings := Read("f.yaml", strings.NewReader(c.data))
			if diff := cmp.Diff(c.want, lines(findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadError(t *testing.T) {
	_, findings := Read("f.yaml", iotest.ErrReader(errors.New("disk on fire")))
	if got := lines(findings); got != "f.yaml: disk on fire\n" {
		t.Errorf("got %q", got)
	}
	_, err := os.Open("missing.yaml")
	if findings = Unreadable("missing.yaml", err); lines(findings) != "missing.yaml: no such file or directory\n" {
		t.Errorf("got %q", lines(findings))
	}
}

// Texts that a naive reader would expand or descend into without end.
func TestHostileText(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString(head + "  - &a0 {reason: A, message: \"a\"}\n")
	for i := range 60 {
		bomb.WriteString("  - &a" + string(rune('1'+i)) + " [" + strings.Repeat("*a"+string(rune('0'+i))+", ", 9) + "]\n")
	}
	for name, text := range map[string]string{
		"aliases":         bomb.String(),
		"itself":          head + "  - &a {reason: A, message: \"a\", related: *a}\n",
		"lists":           head + strings.Repeat("[", 1<<20),
		"mappings":        head + strings.Repeat("{a: ", 1<<18),
		"closed lists":    head + "  " + strings.Repeat("[", 9000) + strings.Repeat("]", 9000),
		"block lists":     head + "  " + strings.Repeat("- ", 100_000),
		"comments":        head + strings.Repeat("# a comment\n", 50_000),
		"one long line":   head + "  - {reason: A, message: \"" + strings.Repeat("{", 1<<18+1) + "\"}\n",
		"documents":       strings.Repeat("---\n", 1<<14),
		"open documents":  strings.Repeat("--- a\n", 1<<13),
		"unknown keys":    head + "  - {" + keys(5_000) + "}\n",
		"duplicate keys":  head + "  - {" + strings.Repeat("a: 1, ", 10_000) + "}\n",
		"long flow":       head + "  - [" + strings.Repeat("a,", 1<<16) + "]\n",
		"question marks":  head + strings.Repeat("  ? ", 100_000),
		"block scalar":    head + "  - |\n" + strings.Repeat("    line\n", 50_000),
		"long single key": head + "  - " + strings.Repeat("k", 1<<17) + ": 1\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, findings := Read("f.yaml", strings.NewReader(text))
			if !findings.HasErrors() && name != "comments" {
				t.Error("no error")
			}
		})
	}
}

// TestNesting has the deepest catalog that is read as YAML, and one that is deeper.
func TestNesting(t *testing.T) {
	for depth, want := range map[int]string{97: "expected a mapping, found a list", 98: "f.yaml:6:102: expected at most 100 lists and mappings in each other"} {
		_, findings := Read("f.yaml", strings.NewReader(head+"  - "+strings.Repeat("[", depth)+strings.Repeat("]", depth)+"\n"))
		if got := lines(findings); !strings.Contains(got, want) {
			t.Errorf("%d: %s, want %s", depth, got, want)
		}
	}
}

func keys(n int) string {
	var b bytes.Buffer
	for i := range n {
		b.WriteString(strings.Repeat("k", 1+i%7) + string(rune('a'+i%26)) + strings.Repeat("z", i%97) + ": 1, ")
	}
	return b.String()
}

func TestInFolder(t *testing.T) {
	for name, c := range map[string]struct {
		text     string
		catalogs int
		want     string
	}{
		"foreign":       {"apiVersion: v1\nkind: ConfigMap\n", 0, ""},
		"no YAML":       {"{{ template }}: [\n", 0, ""},
		"empty":         {"", 0, ""},
		"both":          {"apiVersion: v1\nkind: ConfigMap\n---\n" + head + "  - {reason: A, message: \"a\"}\n", 1, ""},
		"configuration": {"apiVersion: " + APIVersion + "\nkind: Configuration\ncatalogs: []\n", 0, ""},
		"other version": {"apiVersion: event-gen.github.io/v2\nkind: EventCatalog\n", 0,
			"f.yaml:1:13: expected kind EventCatalog of event-gen.github.io/v1alpha1, found kind \"EventCatalog\" of \"event-gen.github.io/v2\"; use an event-gen that supports this version [EV001]\n"},
		"broken": {head + "  - [", 0,
			"f.yaml:6:1: did not find expected node content [EV001]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			catalogs, findings := ReadFrom(Source{Path: "f.yaml", InFolder: true}, strings.NewReader(c.text))
			if diff := cmp.Diff(c.want, lines(findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if len(catalogs) != c.catalogs {
				t.Errorf("%d catalogs, want %d", len(catalogs), c.catalogs)
			}
		})
	}
}
