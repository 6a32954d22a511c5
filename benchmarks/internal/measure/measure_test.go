package measure

import (
	"math"
	"testing"
)

func TestMedian(t *testing.T) {
	if got := Median([]float64{3, 1, 2}); got != 2 {
		t.Errorf("odd: %v", got)
	}
	if got := Median([]float64{4, 1, 2, 3}); got != 2.5 {
		t.Errorf("even: %v", got)
	}
	if got := Median(nil); !math.IsNaN(got) {
		t.Errorf("none: %v", got)
	}
}

func TestRatioIsOfMediansAndItsRangeOfRounds(t *testing.T) {
	var s Series
	for _, v := range []float64{10, 20, 60} {
		s.Add("ns", "peer", v)
	}
	for _, v := range []float64{1, 4, 5} {
		s.Add("ns", "own", v)
	}
	if got, want := s.Ratio("ns", "peer", "own"), (Ratio{Value: 5, Least: 5, Most: 12}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestBurstsCountThroughAndSettle(t *testing.T) {
	var calls, settled []int
	b := Bursts{Count: 2, Size: 3, Settle: func(n int) { settled = append(settled, n) }}
	b.Run(func(i int) { calls = append(calls, i) })
	if len(calls) != 6 || calls[5] != 5 {
		t.Errorf("calls %v", calls)
	}
	if len(settled) != 2 || settled[1] != 6 {
		t.Errorf("settled %v", settled)
	}
}

func TestAllocations(t *testing.T) {
	var kept []*[64]byte
	bytes, count := Allocations(100, func() {
		for range 100 {
			kept = append(kept, new([64]byte))
		}
	})
	if bytes < 64 || count < 1 {
		t.Errorf("%v bytes, %v allocations", bytes, count)
	}
}
