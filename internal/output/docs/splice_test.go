package docs_test

import (
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/output/docs"
)

func TestSplice(t *testing.T) {
	const b, e = docs.Begin + "\n", docs.End + "\n"
	for name, c := range map[string]struct{ file, want string }{
		"empty":            {"# A\n" + b + e + "z\n", "# A\n" + b + "\nTEXT\nmore\n\n" + e + "z\n"},
		"replaced":         {b + "old\nold\n" + e, b + "\nTEXT\nmore\n\n" + e},
		"no line at end":   {b + docs.End, b + "\nTEXT\nmore\n\n" + docs.End},
		"indented":         {"  " + b + "old\n\t" + e, "  " + b + "\nTEXT\nmore\n\n\t" + e},
		"line ends":        {strings.ReplaceAll("a\n"+b+"old\n"+e+"z", "\n", "\r\n"), strings.ReplaceAll("a\n"+b+"\nTEXT\nmore\n\n"+e+"z", "\n", "\r\n")},
		"markers in text":  {"Put " + docs.Begin + " here.\n" + b + e, "Put " + docs.Begin + " here.\n" + b + "\nTEXT\nmore\n\n" + e},
		"binary elsewhere": {"\xff\x00\n" + b + e + "\xff", "\xff\x00\n" + b + "\nTEXT\nmore\n\n" + e + "\xff"},
	} {
		got, err := docs.Splice([]byte(c.file), []byte("\nTEXT\nmore\n\n\n"))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %q, %v; want %q", name, got, err, c.want)
		}
		again, err := docs.Splice(got, []byte("TEXT\nmore"))
		if err != nil || string(again) != c.want {
			t.Errorf("%s: a second time it is %q, %v", name, again, err)
		}
	}
}

func TestSpliceRefuses(t *testing.T) {
	const b, e = docs.Begin + "\n", docs.End + "\n"
	for file, want := range map[string]string{
		"":        "it lacks the line " + docs.Begin + "; add the lines",
		b:         "it lacks the line " + docs.End,
		e + b:     "swap them",
		b + b + e: "more than once",
		b + e + e: "more than once",
	} {
		if _, err := docs.Splice([]byte(file), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v, want %q in it", file, err, want)
		}
	}
}

// Documentation never contains a marker line, so it can be replaced again and again.
func TestSpliceHostile(t *testing.T) {
	text := []byte(markdown(t, build(t, "testdata/catalog.yaml")))
	file := []byte(docs.Begin + "\n" + docs.End + "\n")
	once, err := docs.Splice(file, text)
	if err != nil {
		t.Fatal(err)
	}
	if twice, err := docs.Splice(once, text); err != nil || string(twice) != string(once) {
		t.Errorf("the second time differs, %v", err)
	}
}
