package correlator

import (
	"math"

	"github.com/event-gen/event-gen/runtime/correlator/internal/dispatch"
	"github.com/event-gen/event-gen/runtime/sink"
)

// reaction describes the effect of an outcome on the record that was written.
type reaction struct {
	carried carriage
	event   finding
	pause   dispatch.Pause // of what stays pending; ignored if the write has ended
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

// reactions maps every outcome to its reaction; a missing outcome is a refusal.
var reactions = [...]reaction{
	sink.Done:           {carried: stored, event: isStored},
	sink.Retry:          {stayPending, maybeStored, dispatch.AfterBackoff},
	sink.Gone:           {stayPending, isGone, dispatch.Promptly},
	sink.Exists:         {stayPending, nameIsTaken, dispatch.AsAsked},
	sink.RefusedQuietly: {carried: lost, event: nothingNew},
	sink.Forbidden:      {carried: lost, event: isRefused},
	sink.Refused:        {carried: lost, event: isRefused},
}

// reactionTo returns the reaction to an answer. A write that did not cause its answer stays
// pending. Only a create can find its name taken.
func reactionTo(w *work, o sink.Outcome, kept bool) reaction {
	switch {
	case kept:
		return reaction{stayPending, maybeStored, dispatch.AsAsked}
	case o == sink.Exists && w.created():
		return reactions[sink.Retry]
	case o > 0 && int(o) < len(reactions):
		return reactions[o]
	}
	return reactions[sink.Refused]
}

// react moves a written record to its next state.
func (c *Correlator) react(w *work, a *sink.Answer, kept bool) {
	r := reactionTo(w, a.Outcome, kept)
	if w.unread() {
		c.readAnswered(w, r, a, kept)
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
	switch {
	case r.carried == stayPending:
		c.d.Again(&w.Item, r.pause, a)
	case w.pending > 0:
		c.schedule(w)
	}
}

// acknowledge counts the occurrences that a write carried as written.
func (c *Correlator) acknowledge(w *work) {
	if w.created() {
		c.counts.Updates++
		w.replaced = false
	} else {
		c.counts.Creates++
	}
	c.written(w, w.carried)
	w.unanswered, w.refused = 0, 0
	c.writeEnds(w)
}

// written notes that n pending occurrences are stored.
func (c *Correlator) written(w *work, n uint64) {
	w.written(n)
	c.counts.Written += n
	c.counts.Pending -= n
	w.since = c.now
}

// refuse handles a write that the server can't store. It counts a create's occurrences, the oldest
// pending ones, as refused, or as unacknowledged if an earlier write may have stored them. An
// update's occurrences stay pending until the event's next tick, because counts are absolute. If
// recording has ended, or the event must have expired meanwhile, they count like a create's.
func (c *Correlator) refuse(w *work, carried uint64) {
	c.counts.Failures++
	if !w.created() || c.d.Draining() || c.now-w.since > c.opts.EventTTL {
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
	if !invalid && !denied && !w.replaced && !c.d.Draining() {
		return false
	}
	c.counts.Failures++
	c.unacknowledge(w)
	c.nextName(w, invalid)
	w.replaced = w.tagged
	if w.pending == 0 {
		c.writeEnds(w)
		return true
	}
	c.d.Renewed(&w.Item)
	c.d.Again(&w.Item, dispatch.Promptly, nil) // the new name may not help either
	return true
}

// lose removes the oldest n pending occurrences of a record and counts them as lost. Later writes
// leave them out.
func (c *Correlator) lose(w *work, n uint64, cause *uint64) {
	if w.unread() { // its own earlier request may have caused the conflict, or taken the name
		w.mayBeStored()
	}
	lost, unacknowledged := w.lose(n)
	if unacknowledged > 0 { // it may be stored under the current key
		c.era++
		w.era = c.era
	}
	*cause += lost
	c.counts.Lost.Unacknowledged += unacknowledged
	c.counts.Pending -= n
}

// unacknowledge gives up the occurrences that an unanswered write may have stored.
func (c *Correlator) unacknowledge(w *work) {
	n := w.giveUp()
	c.counts.Lost.Unacknowledged += n
	c.counts.Pending -= n
}

// writeEnds gives other records of the object their turn, and lengthens the interval to this
// record's next write.
func (c *Correlator) writeEnds(w *work) {
	w.carried, w.read.joins, w.read.dropped = 0, 0, nil
	c.d.Ended(&w.Item)
	if w.step < math.MaxUint8 {
		w.step++
	}
}

// maybeStored notes that a write was not acknowledged.
func (c *Correlator) maybeStored(w *work, a *sink.Answer) {
	if a.MaybeStored {
		w.unansweredGone = w.created() || w.unansweredGone && w.unanswered > 0
		w.mayBeStored()
	}
	switch {
	case w.created() && (a.MaybeStored || a.Conflict):
		w.presence = unsure
	case a.MaybeStored:
		w.mark = a.Mark // where the event may be
	}
}

// refuseHere refuses a write without a call, because the server would refuse it.
func (c *Correlator) refuseHere(w *work) {
	if !w.created() || !w.Denied() || !c.replaceEvent(w, true, false) {
		if w.step == 0 || w.created() {
			w.wrote = c.now // nothing was written, but age and interval count from now on
		}
		if c.refuse(w, w.pending); w.pending > 0 {
			c.schedule(w)
		}
	}
	c.settle(w)
}

// expireWait counts occurrences that have waited too long for a token as lost.
func (c *Correlator) expireWait(w *work) {
	c.lose(w, w.pending, &c.counts.Lost.Limited)
	c.settle(w)
}

// settle lets others of the object go after the end of a write, and returns the work of a record
// with nothing pending.
func (c *Correlator) settle(w *work) {
	r := w.record
	c.d.Resume(r.group.object.sequence)
	if w.pending == 0 {
		c.endWork(w)
	}
	c.rerank(r)
}
