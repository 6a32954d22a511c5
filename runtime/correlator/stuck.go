package correlator

import (
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
)

// An event that the server never takes steps aside: after this many failed tries, over this much time, the next create of its object is tried.
// The tries of the event go on, at intervals that grow up to a minute.
const (
	stuckTries = 5
	stuckAfter = 30 * time.Second
	stuckDelay = time.Minute // the longest
)

// failed notes a failed write. A failure to reach the server does not count, because it shows nothing about the write.
func (c *Correlator) failed(a store.Active, answer *runtime.Answer, by Fate) {
	if !a.Failed || by == Excused {
		a.Failed, a.Failing = true, c.now
	}
	if a.Stuck || by == Excused || answer.Scope == runtime.ScopeServer || int(a.Attempts)+1 < stuckTries || c.now-a.Failing < stuckAfter {
		return
	}
	a.Stuck, a.Attempts = true, 0
	c.counts.Stuck++
	c.unqueue(a)
}

// unstick notes that a write has ended.
func (c *Correlator) unstick(a store.Active) {
	if a.Stuck {
		a.Stuck = false
		c.counts.Stuck--
	}
}

// patience returns the time that a failed write waits.
func (c *Correlator) patience(a store.Active) time.Duration {
	if a.Stuck {
		return backoff(c.opts.MaxRetryDelay, max(stuckDelay, c.opts.MaxRetryDelay), a.Attempts)
	}
	return c.retryDelay(a.Attempts)
}

// Tried reports whether everything pending was tried the given number of times since Drain, or is in a lane that excused accepts.
func (c *Correlator) Tried(times uint8, excused func(namespace string, d Door) bool) bool {
	for _, worth := range []store.Worth{store.PendingNormal, store.PendingWarning} {
		for i := c.held.Oldest(worth); i != nil; i = c.held.Younger(i) {
			a := c.held.Active(i)
			if a.Tries < times && !excused(a.Name, c.doorOf(a)) {
				return false
			}
		}
	}
	return true
}
