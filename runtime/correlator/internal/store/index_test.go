package store

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestIndexAgainstAMap runs random insertions and removals, of hashes that stand close together, beside a plain list.
func TestIndexAgainstAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var x index
		held := map[uint32][]ref{}
		var all []place
		hashes := rapid.Uint32Range(0, rapid.SampledFrom([]uint32{3, 70, 1 << 20}).Draw(t, "spread"))
		for n := range rapid.IntRange(1, 400).Draw(t, "steps") {
			if len(all) > 0 && rapid.IntRange(0, 9).Draw(t, "remove") < 4 {
				k := rapid.IntRange(0, len(all)-1).Draw(t, "which")
				p := all[k]
				all = slices.Delete(all, k, k+1)
				x.remove(p.hash, p.ref)
				held[p.hash] = slices.DeleteFunc(held[p.hash], func(r ref) bool { return r == p.ref })
			} else {
				p := place{hash: hashes.Draw(t, "hash") - 2, ref: ref(n + 1)}
				all = append(all, p)
				x.insert(p.hash, p.ref)
				held[p.hash] = append(held[p.hash], p.ref)
			}
			checkIndex(t, &x, held, len(all))
		}
	})
}

func checkIndex(t *rapid.T, x *index, held map[uint32][]ref, entries int) {
	if x.entries != entries || 5*entries > 4*max(len(x.places), smallestIndex) {
		t.Fatalf("%d entries in %d places, expected %d", x.entries, len(x.places), entries)
	}
	if len(x.places) < smallestIndex {
		t.Fatalf("%d places", len(x.places))
	}
	for hash, want := range held {
		var got []ref
		for at, r := x.first(hash); r != 0; at, r = x.next(hash, at) {
			got = append(got, r)
		}
		slices.Sort(got)
		if !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Fatalf("hash %d: found %v, expected %v", hash, got, want)
		}
	}
}
