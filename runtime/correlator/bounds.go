package correlator

import "github.com/event-gen/event-gen/runtime"

// enforceBounds sheds what is least worth keeping until the bounds hold again: acknowledged before pending, Normal before
// Warning, oldest first. What a write in flight carries stays.
func (c *Correlator) enforceBounds() {
	for c.ids.live() > c.opts.MaxIdentities || c.bytes > c.opts.MaxBytes {
		r := c.leastWorth()
		if r == 0 {
			return
		}
		c.shed(r)
	}
}

func (c *Correlator) leastWorth() ref {
	for l := range c.lists {
		if r := c.lists[l].head; r != 0 {
			return r
		}
	}
	return 0
}

func (c *Correlator) shed(r ref) {
	if i := c.ids.at(r); i.active != 0 {
		c.lose(i, c.actives.at(i.active).pending, &c.counts.Lost.Shed)
	}
	c.drop(r)
}

// expire forgets identities whose events have expired on the server, a few at a time.
func (c *Correlator) expire(now runtime.Instant) {
	if now.Mono < c.expireAt {
		return
	}
	c.expireAt = now.Mono + c.opts.EventTTL
	for _, l := range [...]list{idleNormal, idleWarning} {
		for range 2 {
			if r := c.lists[l].head; r == 0 || !c.forget(r, now) {
				break
			}
		}
		if r := c.lists[l].head; r != 0 {
			c.expireAt = min(c.expireAt, c.ids.at(r).wrote+c.opts.EventTTL)
		}
	}
}

// forget drops an identity that stands for an event which has expired on the server, and reports whether it did.
func (c *Correlator) forget(r ref, now runtime.Instant) bool {
	i := c.ids.at(r)
	if i.active != 0 || now.Mono-i.wrote <= c.opts.EventTTL {
		return false
	}
	c.drop(r)
	return true
}

// Abandon gives up what is pending, and counts it: what an unanswered write carried as unacknowledged, the rest as lost by
// shutdown. Recording has ended with it.
func (c *Correlator) Abandon() {
	c.ended = true
	for _, i := range c.ids.each {
		if i.def == nil || i.active == 0 {
			continue
		}
		a := c.actives.at(i.active)
		if a.is(inFlight) {
			a.maybe = max(a.maybe, a.carried)
			a.clear(inFlight)
			c.counts.InFlight--
		}
		c.lose(i, a.pending, &c.counts.Lost.Shutdown)
		c.due.remove(i.active)
	}
}
