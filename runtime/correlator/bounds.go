package correlator

import (
	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
)

// maxEventBytes bounds the texts of one event, so that no single one sheds many others. The API server takes annotations of 256 KiB in all.
const (
	maxEventBytes = 192 << 10
	usualBytes    = 16 << 10 // are let in however small the store is
)

// mostOfOne bounds the texts of one event: they are no more than a quarter of what is held.
func (c *Correlator) mostOfOne() int64 {
	return min(maxEventBytes, max(usualBytes, c.opts.MaxBytes/4))
}

// textBytes is about what an event would have held as text.
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

// enforceBounds sheds what is least worth keeping until the bounds hold again: acknowledged before pending, Normal before
// Warning, oldest first. What a write in flight carries stays.
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

// expire forgets identities whose events have expired on the server, a few at a time.
func (c *Correlator) expire() {
	c.expireAt = c.now + c.opts.EventTTL
	for _, worth := range [...]store.Worth{store.IdleNormal, store.IdleWarning} {
		for range 2 {
			if i := c.held.Oldest(worth); i == nil || !c.forget(i) {
				break
			}
		}
		if i := c.held.Oldest(worth); i != nil {
			c.expireAt = min(c.expireAt, i.Wrote+c.opts.EventTTL)
		}
	}
}

// forget drops an identity that stands for an event which has expired on the server, and reports whether it did.
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
