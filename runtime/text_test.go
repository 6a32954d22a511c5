package runtime_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	eventrt "github.com/event-gen/event-gen/runtime"
)

func TestCleanMakesTextFit(t *testing.T) {
	tests := []struct {
		name  string
		text  string
		limit int
		want  string
	}{
		{"as long as the limit", "12345", 5, "12345"},
		{"one byte over", "123456", 5, "12…"},
		{"control characters", "a\tb\r\nc\x00d\x1be\x7ff", 20, "a b  c d e f"},
		{"line and paragraph separator", "a\u2028b\u2029c", 20, "a b c"},
		{"invalid byte", "a\xffb", 20, "a\uFFFDb"},
		{"each invalid byte is one", "\xe2\x82", 20, "\uFFFD\uFFFD"},
		{"invalid UTF-8 is measured as U+FFFD", "\xff\xff\xff", 9, "\uFFFD\uFFFD\uFFFD"},
		{"and cut when it has grown", "\xff\xff\xff", 8, "\uFFFD…"},
		{"cut at a rune", "äöüß", 7, "äö…"},
		{"a rune that would end past the limit", "ab€x", 5, "ab…"},
		{"cut of wide runes", "😀😀😀", 11, "😀😀…"[:len("😀😀")] + "…"},
		{"room for the ellipsis alone", "abcdef", 3, "…"},
		{"no room for the ellipsis", "abcdef", 2, ""},
		{"a separator shrinks to a space", "a\u2028b", 3, "a b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := eventrt.Clean(tt.text, tt.limit); got != tt.want {
				t.Errorf("Clean(%q, %d) = %q, want %q", tt.text, tt.limit, got, tt.want)
			}
		})
	}
}

func FuzzClean(f *testing.F) {
	for _, text := range []string{"", "plain", "a\xff\xfe\n", "äöü€😀", "\u2028\u2029\u0085", "\xed\xa0\x80", strings.Repeat("x\x80", 700)} {
		for _, limit := range []int{-1, 0, 1, 2, 3, 4, 7, 992} {
			f.Add(text, limit)
		}
	}
	f.Fuzz(func(t *testing.T, text string, limit int) {
		got := eventrt.Clean(text, limit)
		if want := plainClean(text, limit); got != want {
			t.Fatalf("Clean(%q, %d) = %q, want %q", text, limit, got, want)
		}
		if problem := unclean(got); problem != "" {
			t.Fatalf("Clean(%q, %d) = %q: %s", text, limit, got, problem)
		}
		if limit > 0 && len(got) > limit {
			t.Fatalf("Clean(%q, %d) has %d bytes", text, limit, len(got))
		}
		if again := eventrt.Clean(got, limit); again != got {
			t.Fatalf("Clean(%q, %d) = %q the second time", got, limit, again)
		}
	})
}

// plainClean is what Clean promises, the slow way: everything is replaced first and cut afterwards.
func plainClean(text string, limit int) string {
	var runes []rune
	for _, r := range text { // invalid bytes come out as U+FFFD, one by one
		if r < 0x20 || (0x7f <= r && r <= 0x9f) || r == 0x2028 || r == 0x2029 {
			r = ' '
		}
		runes = append(runes, r)
	}
	if all := string(runes); limit <= 0 || len(all) <= limit {
		return all
	}
	if limit < len("…") {
		return ""
	}
	kept := 0
	for _, r := range runes {
		if kept+utf8.RuneLen(r)+len("…") > limit {
			break
		}
		kept += utf8.RuneLen(r)
	}
	return string(runes)[:kept] + "…"
}

// unclean says what makes text unfit for an event; empty if nothing does.
func unclean(text string) string {
	if !utf8.ValidString(text) {
		return "is no valid UTF-8"
	}
	for _, r := range text {
		if r < 0x20 || (0x7f <= r && r <= 0x9f) || r == 0x2028 || r == 0x2029 {
			return "holds a control character"
		}
	}
	return ""
}
