package spell

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"type", "reason", "message", "related", "regarding"}
	for word, want := range map[string]string{
		"mesage":     "message",
		"Message":    "message",
		"messgae":    "message",
		"typ":        "type",
		"tpye":       "type",
		"tap":        "",
		"typos":      "",
		"relating":   "",
		"regardings": "regarding",
		"colour":     "",
		"":           "",
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "ab", 2}, {"ab", "", 2}, {"ab", "ba", 1}, {"kitten", "sitting", 3}, {"create", "craete", 1}, {"abc", "abc", 0},
	} {
		if got := Distance(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: got %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
