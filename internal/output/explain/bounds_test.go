package explain

import (
	"io"
	"runtime"
	"strings"
	"testing"
)

// repeated is a reader of a text over and over, of n bytes.
func repeated(text string, n int64) io.Reader { return io.LimitReader(&endless{text: text}, n) }

type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		copied := copy(p[n:], e.text[e.at:])
		n, e.at = n+copied, (e.at+copied)%len(e.text)
	}
	return n, nil
}

// Text of any size is read in pieces, in seconds, and what has no pieces is refused before it takes
// memory.
func TestBounds(t *testing.T) {
	const size = 64 << 20
	event := `{"kind": "Event", "message": "` + strings.Repeat("x", 2000) + `"}`
	item := "- kind: Event\n  metadata: {}\n  message: " + strings.Repeat("x", 2000) + "\n"
	line := "5m          Normal    Scaled   cronjob/web   Scaled " + strings.Repeat("x", 2000) + "\n"
	text := func(s string) io.Reader { return strings.NewReader(s) }
	for name, tt := range map[string]struct {
		r      io.Reader
		events int
		want   string // of the error
	}{
		"blanks":             {repeated(" ", size), 0, "the input is empty"},
		"empty lines":        {repeated("\n", size), 0, "the input is empty"},
		"blanks after":       {io.MultiReader(text(event), repeated(" ", size)), 1, "more than 16 MiB"},
		"lists in lists":     {repeated(`{"object":`, 90_000), 0, "cut off"},
		"closed":             {text(strings.Repeat(`{"object":`, 9_000) + "1" + strings.Repeat("}", 9_000)), 0, "more than 100 deep"},
		"arrays":             {io.MultiReader(text("{"), repeated(`"a":[`, size)), 0, "less than 1024 KiB"},
		"a JSON text":        {io.MultiReader(text(`{"message": "`), repeated("x", size)), 0, "more than 16 MiB"},
		"a YAML text":        {io.MultiReader(text("kind: Event\nmessage: |\n"), repeated("  x\n", size)), 0, "more than 4 MiB"},
		"YAML lists":         {io.MultiReader(text("kind: Event\nmessage: "), repeated("[", 1<<20)), 0, "can't be read"},
		"a line":             {repeated("x", size), 0, "a line of more than 1024 KiB"},
		"words":              {repeated("x y\n", size), 0, "less than 1024 KiB"},
		"events":             {repeated(event+"\n", int64(10_000*(len(event)+1))), 10_000, ""},
		"items":              {io.MultiReader(text("items:\n"), repeated(item, int64(10_000*len(item))), text("kind: List\n")), 10_000, ""},
		"lines of kubectl's": {repeated(line, int64(10_000*len(line))), 10_000, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			events := 0
			err := Read(tt.r, func(Stored) error { events++; return nil })
			runtime.ReadMemStats(&after)
			if events != tt.events || (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%d events, error %v; want %d, %q", events, err, tt.events, tt.want)
			}
			if grown := int64(after.HeapSys-before.HeapSys) >> 20; grown > 200 {
				t.Errorf("it took %d MiB", grown)
			}
		})
	}
}
