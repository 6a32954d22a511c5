package correlator

import (
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
)

// An event that is never taken steps aside: after so many failed tries, over so long a time, the next create of its object is tried. It is
// tried further on, at intervals that grow up to a minute.
const (
	stuckTries = 5
	stuckAfter = 30 * time.Second
	stuckDelay = time.Minute // the longest
)

// failed takes up that a write was not taken. A server that can't be reached says nothing of the write.
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

// unstick takes up that a write has come to an end.
func (c *Correlator) unstick(a store.Active) {
	if a.Stuck {
		a.Stuck = false
		c.counts.Stuck--
	}
}

// patience is how long a write that has failed waits.
func (c *Correlator) patience(a store.Active) time.Duration {
	if a.Stuck {
		return backoff(c.opts.MaxRetryDelay, max(stuckDelay, c.opts.MaxRetryDelay), a.Attempts)
	}
	return c.retryDelay(a.Attempts)
}

// Tried reports whether everything that is pending was tried a number of times since Drain, or is in a lane of which excused says so.
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
