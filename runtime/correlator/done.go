package correlator

import (
	"math"
	"time"

	"github.com/event-gen/event-gen/runtime"
)

// Done takes up the answer to a write that Next handed out. An answer that comes after Abandon changes nothing.
func (c *Correlator) Done(w *runtime.Write, a runtime.Answer, now runtime.Instant) {
	r := ref(w.Ticket.Identity)
	if r == 0 || int(r) >= c.ids.used {
		return
	}
	i := c.ids.at(r)
	if i.ticket != w.Ticket.Generation || !i.is(inFlight) {
		return
	}
	i.clear(inFlight)
	c.counts.InFlight--
	o := c.objectFor(i)
	o.busy = false
	c.settle(r, a, now)
	c.unpark(o)
	c.enlist(r)
	c.enforceBounds()
}

// settle moves an identity to its next state.
func (c *Correlator) settle(r ref, a runtime.Answer, now runtime.Instant) {
	i := c.ids.at(r)
	switch a.Outcome {
	case runtime.Done:
		c.acknowledge(r, a, now)
	case runtime.Gone:
		c.counts.Retries++
		i.clear(created | unversioned | maybeExists)
		c.again(r, c.hopDelay(i), now)
	case runtime.Exists:
		c.counts.Retries++
		c.adopt(r, a, now)
	case runtime.Retry:
		c.counts.Retries++
		c.retry(r, a, now)
	case runtime.RefusedQuietly:
		c.refusals.remember(eventNamespace(c.objectFor(i)), now.Mono)
		c.refuse(r, i.carried-i.acked, now)
	default:
		c.refuse(r, i.carried-i.acked, now)
	}
}

func (c *Correlator) acknowledge(r ref, a runtime.Answer, now runtime.Instant) {
	i := c.ids.at(r)
	if i.is(created) {
		c.counts.Updates++
	} else {
		c.counts.Creates++
	}
	newly := i.carried - i.acked
	c.counts.Written += newly
	c.counts.Pending -= newly
	i.acked = i.carried
	i.maybe = 0
	i.version, i.mark = a.ResourceVersion, a.Mark
	i.set(created)
	i.clear(maybeExists | unversioned)
	c.unqueue(r)
	i.attempts = 0
	c.slowDown(i)
	if i.pending() > 0 {
		c.again(r, 0, now)
	}
}

// slowDown lengthens the interval to the next write.
func (c *Correlator) slowDown(i *identity) {
	if i.step < math.MaxUint8 {
		i.step++
	}
}

// again schedules the next write of a pending identity: at its tick, and not before delay is over.
func (c *Correlator) again(r ref, delay time.Duration, now runtime.Instant) {
	i := c.ids.at(r)
	if delay > 0 || i.attempts > 0 {
		i.due = now.Mono + delay
	} else {
		i.due = c.nextTick(i, now)
	}
	c.arm(r)
}

// retry has the write made anew after a while, from what is recorded by then. The server may ask for patience, up to the
// longest interval.
func (c *Correlator) retry(r ref, a runtime.Answer, now runtime.Instant) {
	i := c.ids.at(r)
	if a.MaybeStored {
		i.maybe = max(i.maybe, i.carried)
		if !i.is(created) {
			i.set(maybeExists)
			i.mark = a.Mark // where it may be, and must be looked for
		}
	}
	if a.Conflict {
		i.set(unversioned)
	}
	c.again(r, max(c.retryDelay(i), min(a.RetryAfter, c.opts.MaxInterval)), now)
}

// retryDelay doubles with each failed try.
func (c *Correlator) retryDelay(i *identity) time.Duration {
	delay := c.opts.MaxRetryDelay
	if i.attempts < 32 && c.opts.RetryDelay <= delay>>i.attempts {
		delay = c.opts.RetryDelay << i.attempts
	}
	i.failed()
	return delay
}

func (i *identity) failed() {
	if i.attempts < math.MaxUint8 {
		i.attempts++
	}
}

// hopDelay is the delay before a write that takes another form (create for update, or the reverse): none the first time.
func (c *Correlator) hopDelay(i *identity) time.Duration {
	if i.attempts == 0 {
		i.failed()
		return 0
	}
	return c.retryDelay(i)
}

// adopt takes up that an event of this name exists. If a create of ours may have arrived, that is the one, and it is updated;
// else the name is another's, and a new one is made.
func (c *Correlator) adopt(r ref, a runtime.Answer, now runtime.Instant) {
	i := c.ids.at(r)
	if i.is(maybeExists) {
		i.set(created | unversioned)
		i.clear(maybeExists)
		i.mark = a.Mark
		c.unqueue(r)
	} else {
		i.serial = c.nextSerial(now)
	}
	c.again(r, c.hopDelay(i), now)
}

// refuse counts lost occurrences of an identity, the oldest pending ones, as refused. Those that an earlier write may have
// stored are unacknowledged instead. What was recorded since is tried at the next tick.
func (c *Correlator) refuse(r ref, lost uint64, now runtime.Instant) {
	i := c.ids.at(r)
	c.counts.Failures++
	c.lose(i, lost, &c.counts.Lost.Refused)
	i.attempts = 0
	i.carried = 0
	c.unqueue(r)
	c.slowDown(i)
	if i.pending() > 0 {
		i.due = c.nextTick(i, now)
		if !i.is(created) {
			c.enqueue(r)
		}
		c.arm(r)
	}
	if !i.is(inFlight) && i.list != noList {
		c.enlist(r)
	}
}

// lose takes pending occurrences out of an identity and counts them. Counts that are written later leave them out.
func (c *Correlator) lose(i *identity, lost uint64, cause *uint64) {
	maybe := min(lost, max(i.maybe, i.acked)-i.acked)
	c.counts.Lost.Unacknowledged += maybe
	*cause += lost - maybe
	c.counts.Pending -= lost
	i.recorded -= lost
	i.maybe = 0
}
