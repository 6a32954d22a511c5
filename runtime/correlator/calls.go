package correlator

import (
	"errors"
	"slices"
	"time"

	"github.com/event-gen/event-gen/runtime/sink"
)

// call is a write in flight.
type call struct {
	ticket uint64
	began  time.Duration
	trial  bool // it counts among Correlator.trials until it is slow
	slow   bool // it has counted as a failure, and holds no slot
}

const (
	firstTimeout   = 2 * slowAfter
	slowRemembered = asideDelay
)

// slow stands for the answer of a call that is slow.
var slow = sink.Answer{Outcome: sink.Retry, Err: errors.New("calls do not come back in time")}

// startCall marks a write as being in flight.
func (c *Correlator) startCall(w *work) {
	s, l := &c.server, w.lane
	w.ranked.leave()
	w.within.leave()
	w.turn.busy, w.inFlight = true, true
	if !w.unread() {
		w.carried = w.pending
	}
	w.wrote = c.now
	c.ticket++
	w.call.ticket, w.call.began = c.ticket, c.now
	if w.call.trial {
		c.trials++
	}
	if w.call.trial && c.inDoubt() {
		s.next = c.now + c.doubtPause()
	}
	c.calls = append(c.calls, w)
	s.calls++
	l.calls++
	l.called = c.now
	c.counts.InFlight++
	c.queueLane(l)
}

// timeoutOf returns the time that a call may take. While slots are scarce, a trial has less at
// first, and twice as much after each failure of its lane, unless a slow call has succeeded of
// late. While draining, a call has a quarter of the time left.
func (c *Correlator) timeoutOf(w *work) time.Duration {
	most := c.who.WriteTimeout
	if w.call.trial && c.isScarce() && c.now-c.slowSuccess > slowRemembered {
		most = backoff(min(firstTimeout, most), most, uint8(min(w.lane.failures, 62)))
	}
	if c.draining {
		most = min(most, max((c.end-c.now)/4, time.Millisecond))
	}
	return most
}

// callOf returns the work of a call in flight; nil if there is none.
func (c *Correlator) callOf(ticket uint64) *work {
	for _, w := range c.calls {
		if w.call.ticket == ticket {
			return w
		}
	}
	return nil
}

// endCall removes a call from the calls in flight, and returns it.
func (c *Correlator) endCall(w *work) call {
	at := slices.Index(c.calls, w)
	c.calls = slices.Delete(c.calls, at, at+1)
	k, l := w.call, w.lane
	c.counts.InFlight--
	c.server.calls--
	l.calls--
	switch {
	case k.slow:
		c.server.slow--
		l.slow--
	case k.trial:
		c.trials--
	}
	w.call = call{}
	w.turn.busy, w.inFlight = false, false
	return k
}

// markSlow finds the calls that have become slow. They come first in Correlator.calls. Each counts
// as a failure, and gives its slot to another.
func (c *Correlator) markSlow() {
	for c.slowAt() <= c.now {
		w := c.calls[c.server.slow]
		w.call.slow = true
		if w.call.trial {
			c.trials--
		}
		w.lane.slow++
		c.server.slow++
		c.serverFails(w.lane, &slow)
		c.laneFails(w, &w.call, c.opts.MaxRetryDelay, &slow)
		c.queueLane(w.lane)
	}
	c.reportHanging()
}

// slowAt returns when the next call becomes slow.
func (c *Correlator) slowAt() time.Duration {
	if c.server.slow == len(c.calls) {
		return Never
	}
	return c.calls[c.server.slow].call.began + slowAfter
}
