package correlator

import (
	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
)

// reaction describes the effect of an outcome on the identity that was written.
type reaction struct {
	carried fate
	event   finding
	next    pause
}

// fate is the class of a write's occurrences after the answer.
type fate uint8

const (
	lost        fate = iota // counted as refused; later counts leave them out
	stored                  // acknowledged
	stayPending             // carried by the next write, too
)

// finding is what an answer shows about the event on the server.
type finding uint8

const (
	nothingNew  finding = iota
	isStored            // under the answer's version
	isGone              // the next write creates it anew
	nameIsTaken         // by an earlier create of this correlator, if one may have arrived: an update follows; else by another's event
	maybeStored         // if the answer shows that; a create must then be looked for
)

// pause is the time that pending occurrences wait for their next write.
type pause uint8

const (
	untilTick  pause = iota // of its schedule
	onceAtOnce              // no time, or the time after a failure if it has failed before
	backingOff              // longer with each failure, and at least as long as the server asks
	atOnce                  // no time: its lane waits, not the write
)

// reactions maps every outcome to its reaction; a missing outcome is a refusal.
var reactions = [...]reaction{
	runtime.Done:           {stored, isStored, untilTick},
	runtime.Retry:          {stayPending, maybeStored, backingOff},
	runtime.Gone:           {stayPending, isGone, onceAtOnce},
	runtime.Exists:         {stayPending, nameIsTaken, onceAtOnce},
	runtime.RefusedQuietly: {lost, nothingNew, untilTick},
	runtime.Forbidden:      {lost, nothingNew, untilTick},
	runtime.Refused:        {lost, nothingNew, untilTick},
}

// kept is the reaction for a write that did not cause its answer.
var kept = reaction{stayPending, maybeStored, atOnce}

// react moves a written identity to its next state.
func (c *Correlator) react(a store.Active, answer *runtime.Answer, by Fate, now runtime.Instant) {
	r := reactions[runtime.Refused]
	switch {
	case by == Kept:
		r = kept
	case by <= Excused && int(answer.Outcome) < len(reactions):
		r = reactions[answer.Outcome]
	}
	switch r.carried {
	case stored:
		c.acknowledge(a)
	case stayPending:
		c.counts.Retries++
	case lost:
		c.refuse(a, a.Carried)
	}
	c.learn(a, r.event, answer, now)
	c.wait(a, r.next, answer, by)
}

// acknowledge counts what a write carried as written.
func (c *Correlator) acknowledge(a store.Active) {
	if a.Created() {
		c.counts.Updates++
	} else {
		c.counts.Creates++
	}
	c.counts.Written += a.Carried
	c.counts.Pending -= a.Carried
	a.Pending -= a.Carried
	a.Maybe, a.Since = 0, c.now
	c.writeEnds(a)
}

// refuse handles a write that can't be stored. It counts a create's occurrences, the oldest pending ones, as refused,
// or as unacknowledged if an earlier write may have stored them. An update's occurrences stay pending until the event's next tick,
// because counts are absolute, unless recording has ended or the event must have expired meanwhile.
func (c *Correlator) refuse(a store.Active, lost uint64) {
	c.counts.Failures++
	if !a.Created() || c.draining || c.now-a.Since > c.opts.EventTTL {
		c.lose(a, lost, &c.counts.Lost.Refused)
	}
	c.writeEnds(a)
}

// lose takes pending occurrences out of an identity and counts them as lost. Later writes leave them out.
func (c *Correlator) lose(a store.Active, lost uint64, cause *uint64) {
	maybe := min(lost, a.Maybe)
	c.counts.Lost.Unacknowledged += maybe
	*cause += lost - maybe
	c.counts.Pending -= lost
	a.Pending -= lost
	a.Maybe = 0
	a.Count -= uint32(min(lost, uint64(a.Count)))
}

// writeEnds gives other identities of the object their turn, and lengthens the interval to this identity's next write.
func (c *Correlator) writeEnds(a store.Active) {
	a.Carried, a.Attempts, a.Failed, a.Paid = 0, 0, false, false
	c.unstick(a)
	c.unqueue(a)
	a.Step = saturating(a.Step)
}

// learn takes up what an answer shows about the event on the server.
func (c *Correlator) learn(a store.Active, f finding, answer *runtime.Answer, now runtime.Instant) {
	switch f {
	case isStored:
		a.SetPresence(store.Present)
		a.Version, a.Mark = answer.ResourceVersion, answer.Mark
	case isGone:
		a.SetPresence(store.Absent)
	case nameIsTaken:
		c.adopt(a, answer, now)
	case maybeStored:
		c.doubt(a, answer)
	}
}

// adopt handles an event name that exists already. If a create of this identity may have arrived, the event is its own, and an update follows.
// Otherwise the name belongs to another event, and adopt makes a new name.
func (c *Correlator) adopt(a store.Active, answer *runtime.Answer, now runtime.Instant) {
	if a.Presence() != store.Doubtful {
		a.Serial = c.nextSerial(now)
		return
	}
	a.SetPresence(store.Unversioned)
	a.Mark = answer.Mark
	c.unqueue(a)
}

// doubt notes that a write was not acknowledged.
func (c *Correlator) doubt(a store.Active, answer *runtime.Answer) {
	if answer.MaybeStored {
		a.Maybe = max(a.Maybe, a.Carried)
		if !a.Created() {
			a.SetPresence(store.Doubtful)
			a.Mark = answer.Mark // where the event may be, and must be looked for
		}
	}
	if answer.Conflict && a.Created() {
		a.SetPresence(store.Unversioned)
	}
}

// wait schedules the next write of an identity, if something is pending.
func (c *Correlator) wait(a store.Active, p pause, answer *runtime.Answer, by Fate) {
	switch {
	case p == atOnce:
		a.Due = c.now
		c.arm(a)
	case p == backingOff && !answer.Conflict:
		c.failed(a, answer, by)
		c.tryAgain(a, max(c.patience(a), min(answer.RetryAfter, c.opts.MaxInterval)))
	case p == backingOff, p == onceAtOnce && a.Attempts > 0:
		c.tryAgain(a, c.retryDelay(a.Attempts))
	case p == onceAtOnce:
		c.tryAgain(a, 0)
	case a.Pending > 0:
		c.schedule(a)
	}
}

// refuseHere refuses a write without a call, because the server would refuse it.
func (c *Correlator) refuseHere(a store.Active) {
	if a.Step == 0 || a.Created() {
		a.Wrote = c.now // no write, but its age and its interval count from now on
	}
	c.refuse(a, a.Pending)
	if a.Pending > 0 {
		c.schedule(a)
	}
	c.pickUp(a.Turns)
	c.calm(a)
}
