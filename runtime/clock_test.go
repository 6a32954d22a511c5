package runtime

import (
	"testing"
	"time"
)

// TestWallIsReadAnew has a system's two clocks go on by themselves: what Now says of the wall clock is never older than
// wallLasts, and in between goes on with the other.
func TestWallIsReadAnew(t *testing.T) {
	begin := time.Now()
	var mono, step time.Duration
	reads := 0
	c := newSystemClock(
		func() time.Time { reads++; return begin.Add(mono + step) },
		func(time.Time) time.Duration { return mono },
	)
	reads = 0
	for _, tt := range []struct {
		at, wall time.Duration
		reads    int
	}{
		{0, 0, 0},
		{wallLasts, wallLasts, 0},
		{wallLasts + 1, wallLasts + 1, 1},
		{2 * wallLasts, 2 * wallLasts, 1},
		{3 * wallLasts, 3 * wallLasts, 2},
	} {
		mono = tt.at
		if got := c.Now(); got.Mono != tt.at || !got.Wall.Equal(begin.Add(tt.wall)) || reads != tt.reads {
			t.Errorf("at %v: %v and %v after %d reads, expected %v after %d", tt.at, got.Mono, got.Wall.Sub(begin), reads, tt.wall, tt.reads)
		}
	}
}

// TestWallStepsAreSeen steps the wall clock. The monotonic clock does not notice.
func TestWallStepsAreSeen(t *testing.T) {
	start := time.Now()
	wall, mono := start, time.Duration(0)
	c := &systemClock{since: func(time.Time) time.Duration { return mono }, start: start.Round(0)}
	c.now = func() time.Time { return wall }
	c.ahead.Store(start.UnixNano())
	mono, wall = time.Second, start.Round(0).Add(time.Second-time.Hour)
	if got := c.Now(); !got.Wall.Equal(wall) {
		t.Errorf("%v after the clock was set back an hour, expected %v", got.Wall, wall)
	}
}

func TestSystemClock(t *testing.T) {
	c := SystemClock()
	before := time.Now()
	a, b := c.Now(), c.Now()
	if a.Mono < 0 || b.Mono < a.Mono || b.Wall.Before(a.Wall) || a.Wall.Before(before.Add(-time.Second)) || a.Wall.After(time.Now().Add(time.Second)) {
		t.Errorf("%v, then %v, by a clock that said %v", a, b, before)
	}
}
