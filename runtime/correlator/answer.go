package correlator

import (
	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
)

// reaction is what an outcome does to the identity that was written.
type reaction struct {
	carried fate
	event   finding
	next    pause
}

// fate is what becomes of the occurrences that a write carried.
type fate uint8

const (
	lost        fate = iota // counted as refused; later counts leave them out
	stored                  // acknowledged
	stayPending             // carried by the next write, too
)

// finding is what an answer says of the event on the server.
type finding uint8

const (
	nothingNew  finding = iota
	isStored            // under the answer's version
	isGone              // it is created anew
	nameIsTaken         // by an earlier create of ours, if one may have arrived: it is updated; else by another's event
	maybeStored         // if the answer says so; a create must be looked for then
)

// pause is how long what is pending waits for its next write.
type pause uint8

const (
	untilTick  pause = iota // of its schedule
	onceAtOnce              // no time, but as long as after a failure if it has failed before
	backingOff              // longer with each failure, and at least as long as the server asks
	atOnce                  // no time: its lane waits, not the write
)

// reactions holds for every outcome what it does; one that is not there is a refusal.
var reactions = [...]reaction{
	runtime.Done:           {stored, isStored, untilTick},
	runtime.Retry:          {stayPending, maybeStored, backingOff},
	runtime.Gone:           {stayPending, isGone, onceAtOnce},
	runtime.Exists:         {stayPending, nameIsTaken, onceAtOnce},
	runtime.RefusedQuietly: {lost, nothingNew, untilTick},
	runtime.Forbidden:      {lost, nothingNew, untilTick},
	runtime.Refused:        {lost, nothingNew, untilTick},
}

// kept is what becomes of a write that is not to blame for its answer.
var kept = reaction{stayPending, maybeStored, atOnce}

// react moves an identity that was written to its next state.
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

// refuse takes up that a write can't be stored. Occurrences that a create carried are counted as refused, the oldest pending ones;
// those that an earlier write may have stored are unacknowledged instead. Those of an update stay pending until the event's next tick,
// since counts are absolute, unless recording has ended or the event must have expired meanwhile.
func (c *Correlator) refuse(a store.Active, lost uint64) {
	c.counts.Failures++
	if !a.Created() || c.draining || c.now-a.Since > c.opts.EventTTL {
		c.lose(a, lost, &c.counts.Lost.Refused)
	}
	c.writeEnds(a)
}

// lose takes pending occurrences out of an identity and counts them. Counts that are written later leave them out.
func (c *Correlator) lose(a store.Active, lost uint64, cause *uint64) {
	maybe := min(lost, a.Maybe)
	c.counts.Lost.Unacknowledged += maybe
	*cause += lost - maybe
	c.counts.Pending -= lost
	a.Pending -= lost
	a.Maybe = 0
	a.Count -= uint32(min(lost, uint64(a.Count)))
}

// writeEnds lets others of the object have their turn, and lengthens the interval to the identity's next write.
func (c *Correlator) writeEnds(a store.Active) {
	a.Carried, a.Attempts, a.Failed, a.Paid = 0, 0, false, false
	c.unstick(a)
	c.unqueue(a)
	a.Step = saturating(a.Step)
}

// learn takes up what an answer says of the event on the server.
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

// adopt takes up that an event of this name exists. If a create of ours may have arrived, that is the one, and it is updated;
// else the name is another's, and a new one is made.
func (c *Correlator) adopt(a store.Active, answer *runtime.Answer, now runtime.Instant) {
	if a.Presence() != store.Doubtful {
		a.Serial = c.nextSerial(now)
		return
	}
	a.SetPresence(store.Unversioned)
	a.Mark = answer.Mark
	c.unqueue(a)
}

// doubt takes up that a write was not acknowledged.
func (c *Correlator) doubt(a store.Active, answer *runtime.Answer) {
	if answer.MaybeStored {
		a.Maybe = max(a.Maybe, a.Carried)
		if !a.Created() {
			a.SetPresence(store.Doubtful)
			a.Mark = answer.Mark // where it may be, and must be looked for
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

// refuseHere refuses what would be refused, without a call.
func (c *Correlator) refuseHere(a store.Active) {
	if a.Step == 0 || a.Created() {
		a.Wrote = c.now // no write, but from here on its age and its interval count
	}
	c.refuse(a, a.Pending)
	if a.Pending > 0 {
		c.schedule(a)
	}
	c.pickUp(a.Turns)
	c.calm(a)
}
