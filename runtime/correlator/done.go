package correlator

import (
	"math"
	"time"

	"github.com/event-gen/event-gen/runtime"
)

// Done takes up the answer to a write that Next handed out. An answer that comes after Abandon changes nothing.
func (c *Correlator) Done(w *runtime.Write, a runtime.Answer, now runtime.Instant) {
	r := ref(w.Ticket.Identity)
	if !c.ids.known(r) {
		return
	}
	i := c.ids.at(r)
	if uint32(i.ticket) != w.Ticket.Generation || i.active == 0 || !c.actives.at(i.active).is(inFlight) {
		return
	}
	c.actives.at(i.active).clear(inFlight)
	c.counts.InFlight--
	act := c.activityOf(i)
	act.busy = false
	c.settle(r, a, now)
	c.unpark(act)
	c.calm(r)
	c.enforceBounds()
}

// calm takes back what an identity needs no more, and puts it into the list that it belongs to.
func (c *Correlator) calm(r ref) {
	i := c.ids.at(r)
	if a := c.actives.at(i.active); a.pending == 0 && !a.is(queued|parked) {
		c.rest(r)
	}
	c.enlist(r)
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
		c.again(r, c.hopDelay(c.actives.at(i.active)), now)
	case runtime.Exists:
		c.counts.Retries++
		c.adopt(r, a, now)
	case runtime.Retry:
		c.counts.Retries++
		c.retry(r, a, now)
	case runtime.RefusedQuietly:
		c.refusals.remember(c.eventNamespace(i), now.Mono)
		c.refuse(r, c.activeOf(r).carried, now)
	default:
		c.refuse(r, c.activeOf(r).carried, now)
	}
}

func (c *Correlator) acknowledge(r ref, a runtime.Answer, now runtime.Instant) {
	i := c.ids.at(r)
	if i.is(created) {
		c.counts.Updates++
	} else {
		c.counts.Creates++
	}
	act := c.actives.at(i.active)
	c.counts.Written += act.carried
	c.counts.Pending -= act.carried
	act.pending -= act.carried
	act.carried, act.maybe, act.attempts = 0, 0, 0
	i.version, i.mark = a.ResourceVersion, a.Mark
	i.set(created)
	i.clear(unversioned | maybeExists)
	c.unqueue(r)
	i.slowDown()
	if act.pending > 0 {
		act.since = now.Mono
		c.again(r, 0, now)
	}
}

// slowDown lengthens the interval to the next write.
func (i *identity) slowDown() {
	if i.step < math.MaxUint8 {
		i.step++
	}
}

// again schedules the next write of a pending identity: at its tick, and not before delay is over.
func (c *Correlator) again(r ref, delay time.Duration, now runtime.Instant) {
	i := c.ids.at(r)
	a := c.actives.at(i.active)
	if delay > 0 || a.attempts > 0 {
		a.due = now.Mono + delay
	} else {
		a.due = c.nextTick(i, now)
	}
	c.arm(r)
}

// retry has the write made anew after a while, from what is recorded by then. The server may ask for patience, up to the
// longest interval.
func (c *Correlator) retry(r ref, a runtime.Answer, now runtime.Instant) {
	i := c.ids.at(r)
	if a.MaybeStored {
		act := c.actives.at(i.active)
		act.maybe = max(act.maybe, act.carried)
		if !i.is(created) {
			i.set(maybeExists)
			i.mark = a.Mark // where it may be, and must be looked for
		}
	}
	if a.Conflict {
		i.set(unversioned)
	}
	c.again(r, max(c.retryDelay(c.actives.at(i.active)), min(a.RetryAfter, c.opts.MaxInterval)), now)
}

// retryDelay doubles with each failed try.
func (c *Correlator) retryDelay(a *active) time.Duration {
	delay := c.opts.MaxRetryDelay
	if a.attempts < 32 && c.opts.RetryDelay <= delay>>a.attempts {
		delay = c.opts.RetryDelay << a.attempts
	}
	a.failed()
	return delay
}

func (a *active) failed() {
	if a.attempts < math.MaxUint8 {
		a.attempts++
	}
}

// hopDelay is the delay before a write that takes another form (create for update, or the reverse): none the first time.
func (c *Correlator) hopDelay(a *active) time.Duration {
	if a.attempts == 0 {
		a.failed()
		return 0
	}
	return c.retryDelay(a)
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
	c.again(r, c.hopDelay(c.actives.at(i.active)), now)
}

// refuse counts lost occurrences of an identity, the oldest pending ones, as refused. Those that an earlier write may have
// stored are unacknowledged instead. What was recorded since is tried at the next tick.
func (c *Correlator) refuse(r ref, lost uint64, now runtime.Instant) {
	i := c.ids.at(r)
	a := c.actives.at(i.active)
	c.counts.Failures++
	c.lose(i, lost, &c.counts.Lost.Refused)
	a.attempts, a.carried = 0, 0
	c.unqueue(r)
	i.slowDown()
	if a.pending == 0 {
		return
	}
	a.due = c.nextTick(i, now)
	if !i.is(created) {
		c.enqueue(r)
	}
	c.arm(r)
}

// lose takes pending occurrences out of an identity and counts them. Counts that are written later leave them out.
func (c *Correlator) lose(i *identity, lost uint64, cause *uint64) {
	a := c.actives.at(i.active)
	maybe := min(lost, a.maybe)
	c.counts.Lost.Unacknowledged += maybe
	*cause += lost - maybe
	c.counts.Pending -= lost
	a.pending -= lost
	a.maybe = 0
	i.count -= uint32(min(lost, uint64(i.count)))
}
