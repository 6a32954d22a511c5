package store

import (
	goruntime "runtime"
	"testing"
)

// TestAllocated compares with what the heap grows by.
func TestAllocated(t *testing.T) {
	for _, n := range []int{16, 17, 33, 48, 49, 100, 127, 128, 129, 500, 1024, 1025, 2000, 5000, 10_000, 20_000, 32_767, 32_768, 32_769, 100_000} {
		var before, after goruntime.MemStats
		const times = 100
		held := make([][]byte, times)
		goruntime.GC()
		goruntime.ReadMemStats(&before)
		for i := range held {
			held[i] = make([]byte, n)
		}
		goruntime.ReadMemStats(&after)
		goruntime.KeepAlive(held)
		got := int64(after.TotalAlloc-before.TotalAlloc) / times
		if want := allocated(n); got < want || got > want+want/50+60 {
			t.Errorf("%d bytes cost %d, not %d", n, got, want)
		}
	}
}
