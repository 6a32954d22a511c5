package eventrt_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	eventrt "github.com/event-gen/event-gen/runtime"
)

func FuzzClean(f *testing.F) {
	for _, text := range []string{"", "plain", "a\xff\xfe\n", "123456", "ab€x", "wait…", "a\u00a0b", "\xe2\x82", "a\uFFFDb", "äöü€😀", "\u2028\u2029\u0085", "\xed\xa0\x80", strings.Repeat("x\x80", 700)} {
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
