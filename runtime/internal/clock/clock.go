// Package clock reads the time. The schedules of the run time are tested in bubbles of
// testing/synctest, where the system's clock is the bubble's.
package clock

import (
	"math"
	"time"
)

// Instant is a moment on two clocks. Schedules use Mono, which never steps; events carry Wall.
type Instant struct {
	// Mono is the time since some fixed moment of the process.
	Mono time.Duration
	Wall time.Time
}

// Never is a moment that does not come.
const Never = time.Duration(math.MaxInt64)

// System is the clock of the operating system. Its Mono counts from Start.
type System struct{ start time.Time }

// Start returns the system's clock.
func Start() System { return System{time.Now()} }

// Now leaves the monotonic reading out of Wall, so that a step of the wall clock shows.
func (c System) Now() Instant {
	now := time.Now()
	return Instant{Mono: now.Sub(c.start), Wall: now.Round(0)}
}
