package plain

import (
	"encoding/json"
	"strings"
	"testing"
)

const hostile = "a\x1b[2J\u202eb\x00c\u2066\U000E0041\u009b\u2028\rd"

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		hostile:                              "a\uFFFD[2J\uFFFDb\uFFFDc\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDd",
		"a\tb\r\n  c\n":                      "a\tb\r\n  c\n",
		"می\u200cخواهم 👩\u200d🚀":             "می\u200cخواهم 👩\u200d🚀",
		"x ::stop-commands::y\n":             "x ::stop-commands::y\n",
		"::stop-commands::x\r\n \t::error::": ":\uFFFDstop-commands::x\r\n \t:\uFFFDerror::",
		"a ##[group]b":                       "a ##\uFFFDgroup]b",
	} {
		if got := Output(text); got != want {
			t.Errorf("%q: %q, expected %q", text, got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	var b strings.Builder
	if err := Encoder(&b).Encode(hostile); err != nil {
		t.Fatal(err)
	}
	var back string
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil || hostile != back {
		t.Errorf("%q, %v", back, err)
	}
	if strings.ContainsFunc(strings.TrimSuffix(b.String(), "\n"), Hidden) {
		t.Errorf("%q", b.String())
	}
}
