package store

import (
	"testing"

	"pgregory.net/rapid"
)

// TestSlabKnows holds that a slab knows the references that it has handed out, until their chunk is given back, and no others.
func TestSlabKnows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var bytes int64
		s := slab[int]{size: 1, bytes: &bytes}
		handedOut, used := map[ref]bool{}, []ref{}
		for range rapid.IntRange(1, 5).Draw(t, "rounds") {
			for range rapid.IntRange(0, 3*chunkSize).Draw(t, "more") {
				r := s.alloc()
				*s.at(r), handedOut[r], used = 0, true, append(used, r)
			}
			left := rapid.IntRange(0, len(used)).Draw(t, "left")
			for _, r := range used[left:] {
				s.release(r)
			}
			used = used[:left]
			s.slack()
			s.trim()
			for r := range s.next + 3 {
				if got, want := s.known(r), handedOut[r] && s.chunks[r>>chunkBits] != nil; got != want {
					t.Fatalf("knows %d: %v, want %v; the next is %d", r, got, want, s.next)
				}
			}
		}
	})
}

// TestSlack holds that memory is only given back if more records are free than are in use, and two chunks more than were kept the last time.
func TestSlack(t *testing.T) {
	const chunks = 2 * chunkSize
	for _, c := range []struct {
		used, free, kept int
		want             bool
	}{
		{0, chunks, 0, false}, {0, chunks + 1, 0, true}, {0, chunks + 1, 1, false}, {0, chunks + 2, 1, true},
		{chunks, chunks + 1, 0, true}, {chunks + 1, chunks + 1, 0, false}, {chunks + 2, chunks + 1, 0, false},
	} {
		s := slab[int]{used: c.used, free: make([]ref, c.free), kept: c.kept}
		if got := s.slack(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
