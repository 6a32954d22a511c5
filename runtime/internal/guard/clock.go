package guard

import (
	"sync"
	"time"

	"github.com/event-gen/event-gen/runtime"
)

// Clock returns a clock that survives panics of c: Now then repeats the last moment, and NewTimer returns a timer of the system. It can't
// help if c ends the goroutine. It is safe for concurrent use if the clock is. Nil stands for the system's clock.
func Clock(c runtime.Clock) runtime.Clock {
	if c == nil {
		return runtime.SystemClock()
	}
	if _, guarded := c.(*clock); guarded {
		return c
	}
	return &clock{next: c}
}

type clock struct {
	next runtime.Clock

	mu   sync.Mutex
	last runtime.Instant
}

func (c *clock) Now() (now runtime.Instant) {
	told := false
	defer func() {
		_ = recover()
		c.mu.Lock()
		defer c.mu.Unlock()
		if !told {
			now = c.last
		}
		c.last = now
	}()
	now = c.next.Now()
	told = true
	return now
}

func (c *clock) NewTimer(d time.Duration) (t runtime.Timer) {
	defer func() {
		if recover() != nil {
			t = systemClock.NewTimer(d)
		}
	}()
	return c.next.NewTimer(d)
}

var systemClock = runtime.SystemClock()
