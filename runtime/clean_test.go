package runtime

import "testing"

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
