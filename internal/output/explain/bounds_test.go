package explain

import (
	"io"
	"strings"
	"testing"
)

// blanks is a reader of n blanks.
type blanks int

func (b *blanks) Read(p []byte) (int, error) {
	n := min(len(p), int(*b))
	if n == 0 {
		return 0, io.EOF
	}
	*b -= blanks(n)
	return copy(p, strings.Repeat(" ", n)), nil
}

// Lists in lists, and a value without an end, are refused before they take memory.
func TestBounds(t *testing.T) {
	_, err := listJSON(strings.Repeat(`{"object":`, 9_000) + "1" + strings.Repeat("}", 9_000))
	if err == nil || !strings.Contains(err.Error(), "more than 100 deep") {
		t.Errorf("nested: %v", err)
	}
	for name, r := range map[string]io.Reader{"blanks": size(200 << 20), "a text": io.MultiReader(strings.NewReader(`{"message": "`), size(200<<20))} {
		if err := ReadJSON(r, func(Stored) error { return nil }); err == nil || !strings.Contains(err.Error(), "more than 16 MiB") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func size(n blanks) *blanks { return &n }
