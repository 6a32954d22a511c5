package dispatch

import (
	"errors"
	"slices"
	"time"

	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/notice"
	"github.com/event-gen/event-gen/runtime/sink"
)

// call is a write in flight.
type call struct {
	ticket uint64
	began  time.Duration
	trial  bool // likely to fail
	speed  speed
}

// speed is how long a call has had no answer.
type speed uint8

const (
	prompt  speed = iota
	slow          // for slowAfter: it has counted as a failure, and holds no slot
	hanging       // for reportAfter: a notice may have said so
)

const (
	firstTimeout   = 2 * slowAfter
	slowRemembered = asideDelay
)

// noAnswer stands for the answer of a call that is slow.
var noAnswer = sink.Answer{Outcome: sink.Retry, Err: errors.New("calls do not come back in time")}

// startCall marks a write as being in flight.
func (d *Dispatcher) startCall(i *Item) {
	l := i.lane
	i.place, i.sequence.busy = inFlight, true
	d.ticket++
	i.call.ticket, i.call.began = d.ticket, d.now
	if i.call.trial && d.inDoubt() {
		d.server.notBefore = d.now + d.doubtPause()
	}
	d.calls = append(d.calls, i)
	l.calls++
	l.called = d.now
	d.queueLane(l)
}

// timeoutOf returns the time that a call may take. While slots are scarce, a trial has less at
// first, and twice as much after each failure of its lane, unless a slow call has succeeded of
// late. While draining, a call has a quarter of the time left.
func (d *Dispatcher) timeoutOf(i *Item) time.Duration {
	most := d.opts.WriteTimeout
	if i.call.trial && d.isScarce() && d.now-d.slowSuccess > slowRemembered {
		most = Backoff(min(firstTimeout, most), most, uint8(min(i.lane.failures, 62)))
	}
	if d.Draining() {
		most = min(most, max((d.end-d.now)/4, time.Millisecond))
	}
	return most
}

// callOf returns the item of a call in flight; nil if there is none.
func (d *Dispatcher) callOf(ticket uint64) *Item {
	for _, i := range d.calls {
		if i.call.ticket == ticket {
			return i
		}
	}
	return nil
}

// endCall removes a call from the calls in flight, and returns it.
func (d *Dispatcher) endCall(i *Item) call {
	at := slices.Index(d.calls, i)
	d.calls = slices.Delete(d.calls, at, at+1)
	k, l := i.call, i.lane
	l.calls--
	if k.speed != prompt {
		d.slow--
		l.slow--
	}
	i.call = call{}
	i.place, i.sequence.busy = idle, false
	return k
}

// markSlow finds the calls that have become slow. They come first in Dispatcher.calls. Each counts
// as a failure, and gives its slot to another.
func (d *Dispatcher) markSlow() {
	for d.slowAt() <= d.now {
		i := d.calls[d.slow]
		i.call.speed = slow
		i.lane.slow++
		d.slow++
		d.serverFails(i.lane, &noAnswer)
		d.laneFails(i, &i.call, d.opts.MaxRetryDelay, &noAnswer)
		d.queueLane(i.lane)
	}
	d.markHanging()
}

// slowAt returns when the next call becomes slow.
func (d *Dispatcher) slowAt() time.Duration {
	if d.slow == len(d.calls) {
		return clock.Never
	}
	return d.calls[d.slow].call.began + slowAfter
}

// markHanging finds the calls that have had no answer for reportAfter. It notes that if no other
// call of the lane, or of the server, was answered meanwhile, and wakes the owner for the next.
func (d *Dispatcher) markHanging() {
	for _, i := range d.calls[:d.slow] {
		began, l := i.call.began, i.lane
		switch {
		case i.call.speed == hanging:
		case d.now-began < reportAfter:
			d.wakeBy(began + reportAfter)
			return
		case d.server.well <= began:
			d.hangs(i, &d.server, "")
		case l.well <= began:
			d.hangs(i, &l.gate, l.namespace)
		default:
			i.call.speed = hanging
		}
	}
}

func (d *Dispatcher) hangs(i *Item, g *gate, namespace string) {
	i.call.speed = hanging
	if g.failures == 0 || i.call.began < g.since {
		g.since = max(i.call.began, 1)
	}
	d.notify(notice.Notice{Type: notice.Opened, Namespace: namespace, Err: noAnswer.Err})
}
