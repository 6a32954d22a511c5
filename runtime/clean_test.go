package runtime

import (
	"math/rand/v2"
	"testing"
)

// TestEightAtOnce holds the test of eight bytes against the test of one, for every byte in every place.
func TestEightAtOnce(t *testing.T) {
	for at := range 8 {
		for c := range 256 {
			s := []byte("abcdefgh")
			s[at] = byte(c)
			if want := c < ' ' || c >= 0x7f; eightOdd(string(s)) != want {
				t.Errorf("%q: %v, expected %v", s, !want, want)
			}
		}
	}
}

// TestCleanIsCleanOfEachRune holds the test of eight bytes at a time against the test of each rune, with texts of all short lengths that have at
// most one odd byte.
func TestCleanIsCleanOfEachRune(t *testing.T) {
	for n := range 40 {
		for at := range n + 1 {
			for _, odd := range []string{"\n", "\x1f", "\x7f", "\x80", "\u00e9", "\u2028", " ", "~"} {
				s := []byte(randomLetters(n))
				text := string(s[:at]) + odd + string(s[at:])
				for _, text := range []string{string(s), text} {
					if want := isCleanUTF8(text); isClean(text) != want {
						t.Fatalf("%q: %v, expected %v", text, !want, want)
					}
				}
			}
		}
	}
}

func randomLetters(n int) string {
	s := make([]byte, n)
	for i := range s {
		s[i] = 'a' + byte(rand.IntN(26))
	}
	return string(s)
}
