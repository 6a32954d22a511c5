package correlator

import (
	"math"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
)

// maxEventBytes bounds the texts of one event, so that no single one sheds many others. The API server takes annotations of 256 KiB in all.
const (
	maxEventBytes = 192 << 10
	usualBytes    = 16 << 10 // always fit, however small the store is
)

// mostOfOne bounds the texts of one event to a quarter of what may be held.
func (c *Correlator) mostOfOne() int64 {
	return min(maxEventBytes, max(usualBytes, c.opts.MaxBytes/4))
}

// textBytes estimates the text that an event would hold.
func textBytes(e *runtime.Event) int {
	d, controller := e.Definition(), e.ReportingController()
	n := len(controller) + referenceBytes(e.Regarding()) + referenceBytes(e.Related())
	for _, a := range e.Annotations() {
		n += len(a.Key) + len(a.Value)
	}
	for i := range e.Args() {
		n += len(e.Args()[i].Text())
	}
	if d.Forwarded {
		n += len(d.Reason) + len(d.Action)
	}
	return n
}

func referenceBytes(o *runtime.ObjectRef) int {
	return len(o.Name) + len(o.Namespace) + len(o.UID) + len(o.FieldPath) + len(o.ResourceVersion) + len(o.APIVersion) + len(o.Kind)
}

// enforceBounds sheds the least valuable identities until the bounds hold again: acknowledged before pending, Normal before
// Warning, oldest first. Occurrences of a write in flight stay.
func (c *Correlator) enforceBounds() {
	for c.held.Identities() > c.opts.MaxIdentities || c.held.Bytes() > c.opts.MaxBytes {
		i := c.held.LeastWorth()
		if i == nil {
			return
		}
		c.shed(i)
	}
}

func (c *Correlator) shed(i *store.Identity) {
	c.changed = true
	if !i.Idle() {
		a := c.held.Active(i)
		c.stopWaiting(a)
		c.lose(a, a.Pending, &c.counts.Lost.Shed)
		c.unstick(a)
		c.unqueue(a)
		if !a.Busy {
			c.pickUp(a.Turns)
		}
	}
	c.held.Remove(i)
}

// tidyAfter is the delay after which an owner at rest frees memory that has expired or is no longer needed.
const tidyAfter = time.Minute

// TidyAt returns when Due will free memory even if nothing is recorded; ok is false while there is nothing to free.
func (c *Correlator) TidyAt() (at time.Duration, ok bool) {
	if c.ended {
		return 0, false
	}
	if c.trimAt == 0 && c.held.Slack() {
		c.trimAt = c.now + tidyAfter
	}
	at, ok = c.trimAt, c.trimAt > 0
	if c.held.Identities() == 0 {
		return at, ok
	}
	expires := c.expireAt
	if expires > c.now {
		expires = min(expires, math.MaxInt64-tidyAfter) + tidyAfter
	}
	if !ok {
		return expires, true
	}
	return min(at, expires), true
}

// tidy forgets expired identities, as many as one call may, and frees memory.
func (c *Correlator) tidy() {
	if c.ended {
		return
	}
	if c.now >= c.expireAt {
		c.expire(mostAtOnce / 2)
	}
	if c.trimAt > 0 && c.now >= c.trimAt {
		c.trimAt = 0
		c.held.Trim()
	}
}

// expire forgets identities whose events have expired on the server, at most the given number of each value.
func (c *Correlator) expire(most int) {
	c.expireAt, c.changed = c.expiry(c.now), true
	for _, worth := range [...]store.Worth{store.IdleNormal, store.IdleWarning} {
		for range most {
			if i := c.held.Oldest(worth); i == nil || !c.forget(i) {
				break
			}
		}
		if i := c.held.Oldest(worth); i != nil {
			c.expireAt = min(c.expireAt, c.expiry(i.Wrote))
		}
	}
}

// expiry returns when an event written at the given time has expired.
func (c *Correlator) expiry(wrote time.Duration) time.Duration {
	return min(wrote, math.MaxInt64-c.opts.EventTTL-1) + c.opts.EventTTL + 1
}

// forget drops an identity whose event has expired on the server, and reports whether it did.
func (c *Correlator) forget(i *store.Identity) bool {
	expired := c.expired(i)
	if expired {
		c.held.Remove(i)
	}
	return expired
}

func (c *Correlator) expired(i *store.Identity) bool {
	return i.Idle() && c.now-i.Wrote > c.opts.EventTTL
}
