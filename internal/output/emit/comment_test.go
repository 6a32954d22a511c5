package emit

import (
	"strings"
	"testing"
)

func TestDocComments(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"short", "one line", "// one line"},
		{"joined", "one\ntwo", "// one two"},
		{"paragraphs", "one\n\n\ntwo", "// one\n//\n// two"},
		{"list", "items:\n- one\n* two\n\nend", "// items:\n//\n//   - one\n//   - two\n//\n// end"},
		{"controls", "a\x00b\r\n\u2028c", "// a b c"},
		{"empty", " \n ", ""},
	}
	for _, tt := range tests {
		d := &doc{}
		d.add(tt.text)
		if got := strings.Join(d.lines(), "\n"); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestWrapping(t *testing.T) {
	word := strings.Repeat("wörd", 30)
	d := &doc{}
	d.add(strings.Repeat("some words ", 60) + word + " end")
	long := 0
	for _, line := range d.lines() {
		if len([]rune(line)) > wrapColumn {
			long++
		}
		if strings.TrimSpace(line) != line {
			t.Errorf("the line has spaces around it: %q", line)
		}
	}
	if long != 1 {
		t.Errorf("%d lines are too long, want one: the word that is longer than a line", long)
	}
}
