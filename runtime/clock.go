package eventrt

import "time"

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

// Timer is the part of a time.Timer that the run time needs, with the semantics of Go 1.23: after
// Stop or Reset has returned, no stale value is received.
type Timer interface {
	C() <-chan time.Time
	Reset(d time.Duration)
	Stop()
}

// SystemClock is the clock of the operating system. Its Mono counts from this call.
func SystemClock() Clock { return systemClock{time.Now()} }

type systemClock struct{ start time.Time }

// Now leaves the monotonic reading out of Wall, so that a step of the wall clock shows.
func (c systemClock) Now() Instant {
	now := time.Now()
	return Instant{Mono: now.Sub(c.start), Wall: now.Round(0)}
}

func (systemClock) NewTimer(d time.Duration) Timer { return systemTimer{time.NewTimer(d)} }

type systemTimer struct{ *time.Timer }

func (t systemTimer) C() <-chan time.Time   { return t.Timer.C }
func (t systemTimer) Reset(d time.Duration) { t.Timer.Reset(d) }
func (t systemTimer) Stop()                 { t.Timer.Stop() }
