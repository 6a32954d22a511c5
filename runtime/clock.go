package runtime

import (
	"sync/atomic"
	"time"
)

// Instant is a moment on two clocks. Schedules use Mono, which never steps; events carry Wall.
type Instant struct {
	// Mono is the time since some fixed moment of the process.
	Mono time.Duration
	Wall time.Time
}

// Clock returns the time and makes timers. It must be safe for concurrent use.
type Clock interface {
	Now() Instant
	// NewTimer returns a timer that fires once, d from now.
	NewTimer(d time.Duration) Timer
}

// Timer is the part of a time.Timer that the run time needs, with the semantics of Go 1.23: after Stop or Reset has
// returned, no stale value is received.
type Timer interface {
	C() <-chan time.Time
	Reset(d time.Duration)
	Stop()
}

// SystemClock is the clock of the operating system. Its Mono counts from this call. It reads Wall at least every 10 ms, and adds
// the progress of Mono in between. That halves the cost of reading the time.
func SystemClock() Clock { return newSystemClock(time.Now, time.Since) }

const wallLasts = 10 * time.Millisecond

type systemClock struct {
	now   func() time.Time
	since func(time.Time) time.Duration // goes by the monotonic clock alone
	start time.Time
	asOf  atomic.Int64 // on Mono: when ahead was read
	ahead atomic.Int64 // by how much Wall, in Unix nanoseconds, is ahead of Mono
}

func newSystemClock(now func() time.Time, since func(time.Time) time.Duration) *systemClock {
	c := &systemClock{now: now, since: since, start: now()}
	c.ahead.Store(c.start.UnixNano())
	return c
}

func (c *systemClock) Now() Instant {
	mono := c.since(c.start)
	if mono-time.Duration(c.asOf.Load()) > wallLasts {
		now := c.now()
		mono = now.Sub(c.start)
		c.ahead.Store(now.UnixNano() - int64(mono))
		c.asOf.Store(int64(mono))
	}
	return Instant{Mono: mono, Wall: time.Unix(0, c.ahead.Load()+int64(mono))}
}

func (*systemClock) NewTimer(d time.Duration) Timer { return systemTimer{time.NewTimer(d)} }

type systemTimer struct{ *time.Timer }

func (t systemTimer) C() <-chan time.Time   { return t.Timer.C }
func (t systemTimer) Reset(d time.Duration) { t.Timer.Reset(d) }
func (t systemTimer) Stop()                 { t.Timer.Stop() }
