package correlator

import (
	"math/rand/v2"
	"time"

	"github.com/event-gen/event-gen/runtime/sink"
)

// reaction describes the effect of an outcome on the record that was written.
type reaction struct {
	carried carriage
	event   finding
	next    pause
}

// carriage is the class of a write's occurrences after the answer.
type carriage uint8

const (
	lost        carriage = iota // counted as refused; later counts leave them out
	stored                      // acknowledged
	stayPending                 // carried by the next write, too
)

// finding is an answer's news about the event on the server.
type finding uint8

const (
	nothingNew  finding = iota
	isStored            // under the answer's version
	isGone              // the next write creates it anew
	nameIsTaken         // a Read finds out by whose event
	maybeStored         // if the answer shows that
	isRefused           // a new event may take the pending occurrences
)

// pause is the time that pending occurrences wait for their next write.
type pause uint8

const (
	untilTick  pause = iota // of its schedule
	onceAtOnce              // no time, or the time after a failure if it has failed before
	backingOff              // longer with each failure, and at least as long as the server asks
	// as long as the server asks: its lane waits, not the write, or a Read follows
	atOnce
)

// reactions maps every outcome to its reaction; a missing outcome is a refusal.
var reactions = [...]reaction{
	sink.Done:           {stored, isStored, untilTick},
	sink.Retry:          {stayPending, maybeStored, backingOff},
	sink.Gone:           {stayPending, isGone, onceAtOnce},
	sink.Exists:         {stayPending, nameIsTaken, atOnce},
	sink.RefusedQuietly: {lost, nothingNew, untilTick},
	sink.Forbidden:      {lost, isRefused, untilTick},
	sink.Refused:        {lost, isRefused, untilTick},
}

// reactionTo returns the reaction to an answer. A write that did not cause its answer stays
// pending. Only a create can find its name taken.
func reactionTo(w *work, o sink.Outcome, f fate) reaction {
	switch {
	case f == kept:
		return reaction{stayPending, maybeStored, atOnce}
	case o == sink.Exists && w.created():
		return reactions[sink.Retry]
	case o > 0 && int(o) < len(reactions):
		return reactions[o]
	}
	return reactions[sink.Refused]
}

// react moves a written record to its next state.
func (c *Correlator) react(w *work, a *sink.Answer, f fate) {
	r := reactionTo(w, a.Outcome, f)
	if w.unread() {
		c.readAnswered(w, r, a, f)
		return
	}
	switch {
	case r.carried == stored:
		c.acknowledge(w)
	case r.carried == stayPending:
		c.counts.Retries++
	case r.event == isRefused && w.created() && c.replaceEvent(w, a.Outcome == sink.Forbidden, a.Invalid):
		return
	default:
		c.refuse(w, w.carried)
	}
	switch r.event {
	case isStored:
		w.presence, w.version, w.mark = present, a.ResourceVersion, a.Mark
	case isGone:
		w.gone()
	case nameIsTaken:
		w.presence, w.mark = taken, a.Mark
	case maybeStored:
		c.maybeStored(w, a)
	}
	c.reschedule(w, r.next, a)
}

// acknowledge counts the occurrences that a write carried as written.
func (c *Correlator) acknowledge(w *work) {
	if w.created() {
		c.counts.Updates++
	} else {
		c.counts.Creates++
	}
	c.written(w, w.carried)
	w.maybe, w.refused = 0, 0
	if w.created() {
		w.replaced = false
	}
	c.writeEnds(w)
}

// written counts pending occurrences as written.
func (c *Correlator) written(w *work, n uint64) {
	c.counts.Written += n
	c.counts.Pending -= n
	w.pending -= n
	w.since = c.now
}

// refuse handles a write that the server can't store. It counts a create's occurrences, the oldest
// pending ones, as refused, or as unacknowledged if an earlier write may have stored them. An
// update's occurrences stay pending until the event's next tick, because counts are absolute. If
// recording has ended, or the event must have expired meanwhile, they count like a create's.
func (c *Correlator) refuse(w *work, carried uint64) {
	c.counts.Failures++
	if !w.created() || c.draining || c.now-w.since > c.opts.EventTTL {
		c.lose(w, carried, &c.counts.Lost.Refused)
	}
	c.writeEnds(w)
}

// replaceEvent moves the pending occurrences of a refused update into a new event. It does so if
// nobody can change the record's event (invalid), if a right is missing, if updates have been
// refused for 30 s, or if recording ends. Otherwise it returns false, and the next update is tried
// first. The new event costs no token.
func (c *Correlator) replaceEvent(w *work, denied, invalid bool) bool {
	if w.refused == 0 {
		w.refused = max(c.now, 1)
	}
	if c.now-w.refused >= sink.ForbiddenProbe {
		w.replaced = true
	}
	if !invalid && !denied && !w.replaced && !c.draining {
		return false
	}
	c.counts.Failures++
	c.unacknowledge(w)
	c.nextName(w, invalid)
	w.replaced = w.tagged
	if w.failed, w.paid = false, true; w.pending == 0 {
		c.writeEnds(w)
		return true
	}
	c.retryIn(w, c.repeatDelay(w)) // the new name may not help either
	return true
}

// lose removes the oldest n pending occurrences of a record and counts them as lost. Later writes
// leave them out.
func (c *Correlator) lose(w *work, n uint64, cause *uint64) {
	if w.unread() { // its own earlier request may have caused the conflict, or taken the name
		w.maybe = max(w.maybe, w.carried)
	}
	if w.maybe > 0 {
		w.maybe = min(n, w.maybe)
		n -= w.maybe
		c.unacknowledge(w)
		c.beginAnew(w)
	}
	*cause += n
	c.drop(w, n)
}

// unacknowledge gives up the occurrences that an unanswered write may have stored.
func (c *Correlator) unacknowledge(w *work) {
	n := min(w.maybe, w.pending)
	c.counts.Lost.Unacknowledged += n
	c.drop(w, n)
	w.maybe = 0
}

func (c *Correlator) drop(w *work, n uint64) {
	c.counts.Pending -= n
	w.pending -= n
	w.count -= uint32(min(n, uint64(w.count)))
}

// writeEnds gives other records of the object their turn, and lengthens the interval to this
// record's next write.
func (c *Correlator) writeEnds(w *work) {
	w.carried, w.attempts, w.failed, w.paid = 0, 0, false, false
	w.joins, w.dropped = 0, nil
	c.endStepAside(w)
	c.unqueue(w)
	w.step = saturating(w.step)
}

// maybeStored notes that a write was not acknowledged.
func (c *Correlator) maybeStored(w *work, a *sink.Answer) {
	if a.MaybeStored {
		w.maybeGone = w.created() || w.maybeGone && w.maybe > 0
		w.maybe = max(w.maybe, w.carried)
	}
	switch {
	case w.created() && (a.MaybeStored || a.Conflict):
		w.presence = unsure
	case a.MaybeStored:
		w.mark = a.Mark // where the event may be
	}
}

// reschedule schedules the next write of a record, if something is pending.
func (c *Correlator) reschedule(w *work, p pause, a *sink.Answer) {
	asked := min(max(a.RetryAfter, 0), c.opts.MaxInterval)
	switch {
	case c.draining:
		asked = 0
	case a.Limited:
		asked = max(asked, c.opts.RetryDelay)
	}
	switch {
	case p == atOnce:
		c.tryIn(w, asked)
	case p == backingOff && !a.Conflict:
		c.noteFailure(w, a)
		delay := c.retryDelayOf(w)
		if a.Scope == sink.ScopeServer || c.failureShare > oftenFails {
			delay = min(delay, c.opts.RetryDelay)
		}
		c.retryIn(w, max(delay, asked))
	case p == backingOff:
		c.retryIn(w, c.conflictDelay(w))
	case p == onceAtOnce:
		c.retryIn(w, c.repeatDelay(w))
	case w.pending > 0:
		c.schedule(w)
	}
}

// repeatDelay returns how long a write waits after an answer with something new: no time before the
// first try, and longer before each further one.
func (c *Correlator) repeatDelay(w *work) time.Duration {
	if w.attempts == 0 {
		return 0
	}
	return c.retryDelay(w.attempts)
}

// conflictDelay returns how long a write waits after a conflict. Writers of one event draw
// different times, longer with each try, so that each has its turn.
func (c *Correlator) conflictDelay(w *work) time.Duration {
	if w.attempts >= conflictTries {
		return c.retryDelay(w.attempts)
	}
	drawn := rand.New(rand.NewPCG(c.who.Tag, c.ticket)).Int64N(int64(backoff(leastPause, time.Second, w.attempts)))
	return time.Duration(drawn)
}

// conflictTries is how many tries may follow each other within a second.
const conflictTries = 12

// retryIn schedules a failed write again after a delay. The new try carries everything recorded by
// then.
func (c *Correlator) retryIn(w *work, delay time.Duration) {
	w.attempts = saturating(w.attempts)
	c.tryIn(w, delay)
}

// tryIn makes a write due after a delay. A create that the server wants to see much later lets its
// object's next create go first.
func (c *Correlator) tryIn(w *work, delay time.Duration) {
	if delay > c.opts.MaxRetryDelay {
		c.unqueue(w)
	}
	w.due = c.now + delay
	c.arm(w)
}

// oftenFails is a share of failing first tries. From this share on, a failure shows little about a
// write.
const oftenFails = 0.125

// Delays of failed writes while recording has ended and other calls succeed.
const (
	drainingDelay    = 100 * time.Millisecond
	maxDrainingDelay = 300 * time.Millisecond
)

// retryDelay returns how long a write waits after so many failed tries.
func (c *Correlator) retryDelay(attempts uint8) time.Duration {
	if c.draining && c.now-c.succeededAt < c.opts.MaxRetryDelay {
		return backoff(min(drainingDelay, c.opts.RetryDelay), min(maxDrainingDelay, c.opts.MaxRetryDelay), attempts)
	}
	return backoff(c.opts.RetryDelay, c.opts.MaxRetryDelay, attempts)
}

// An event that the server never takes steps aside: after asideTries failed tries, over at least
// asideAfter, its object's next create is tried. The tries of the event go on, at intervals that
// grow up to a minute.
const (
	asideTries = 5
	asideAfter = 30 * time.Second
	asideDelay = time.Minute // the longest
)

// noteFailure notes a failed write. A failure to reach the server does not count, because it shows
// nothing about the write.
func (c *Correlator) noteFailure(w *work, a *sink.Answer) {
	if !w.failed {
		w.failed, w.failingSince = true, c.now
	}
	if w.failing || c.failureShare > oftenFails || c.now-w.failingSince < asideAfter ||
		w.attempts+1 < asideTries {
		return
	}
	w.failing, w.attempts = true, 0
	c.counts.Failing++
	c.unqueue(w)
	c.notify(Notice{Type: SteppedAside})
}

// endStepAside notes that a write has ended.
func (c *Correlator) endStepAside(w *work) {
	if w.failing {
		w.failing = false
		c.counts.Failing--
	}
}

// retryDelayOf returns how long a failed write waits.
func (c *Correlator) retryDelayOf(w *work) time.Duration {
	if w.failing && !c.draining {
		return backoff(c.opts.MaxRetryDelay, max(asideDelay, c.opts.MaxRetryDelay), w.attempts)
	}
	return c.retryDelay(w.attempts)
}

// refuseHere refuses a write without a call, because the server would refuse it.
func (c *Correlator) refuseHere(w *work) {
	if w.created() && w.lane.denial.cause == sink.Forbidden && c.replaceEvent(w, true, false) {
		c.resumeObject(w.turn)
		c.releaseIfIdle(w)
		return
	}
	if w.step == 0 || w.created() {
		w.wrote = c.now // nothing was written, but age and interval count from now on
	}
	c.refuse(w, w.pending)
	if w.pending > 0 {
		c.schedule(w)
	}
	c.resumeObject(w.turn)
	c.releaseIfIdle(w)
}
