package bucket

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestTake compares with a bucket that counts tokens, in whole steps of time.
func TestTake(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const every = 10 * time.Second
		size := rapid.IntRange(1, 5).Draw(t, "size")
		tokens, earned := float64(size), time.Duration(0) // as of when
		var full, now time.Duration
		for _, step := range rapid.SliceOfN(rapid.IntRange(0, 30), 1, 50).Draw(t, "seconds") {
			now += time.Duration(step) * time.Second
			tokens = min(float64(size), tokens+float64(now-earned)/float64(every))
			earned = now
			want := tokens >= 1-1e-9
			if want {
				tokens--
			}
			var ok bool
			if full, ok = Take(full, now, time.Duration(size)*every, every); ok != want {
				t.Fatalf("at %v: %v, want %v", now, ok, want)
			}
		}
	})
}
