package dispatch

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/event-gen/event-gen/runtime/internal/notice"
	"github.com/event-gen/event-gen/runtime/sink"
)

// Pause is the time that an item waits for its next try.
type Pause uint8

const (
	// as long as the server asks: its lane waits, not the item, or a Read follows
	AsAsked      Pause = iota
	Promptly           // no time, or the time after a failure if it has been tried before
	AfterBackoff       // longer with each failure, and at least as long as the server asks
)

// Again makes an item due once more after an answer to its write, which Promptly does not need.
func (d *Dispatcher) Again(i *Item, p Pause, a *sink.Answer) {
	delay := time.Duration(0)
	switch {
	case p == AsAsked:
		d.tryIn(i, d.asked(a))
		return
	case p == Promptly && i.tries == 0:
	case p == Promptly:
		delay = d.retryDelay(i.tries)
	case a.Conflict:
		delay = d.conflictDelay(i)
	default:
		delay = max(d.asked(a), d.delayAfter(i, a))
	}
	i.tries = saturating(i.tries)
	d.tryIn(i, delay)
}

// asked returns how long the server wants a write to wait.
func (d *Dispatcher) asked(a *sink.Answer) time.Duration {
	asked := min(max(a.RetryAfter, 0), d.opts.MaxAsked)
	switch {
	case d.Draining():
		return 0
	case a.Limited:
		return max(asked, d.opts.RetryDelay)
	}
	return asked
}

// tryIn makes an item due after a delay. A create that the server wants to see much later lets the
// next of its sequence go first.
func (d *Dispatcher) tryIn(i *Item, delay time.Duration) {
	if delay > d.opts.MaxRetryDelay {
		d.dequeue(i)
	}
	i.due = d.now + delay
	d.arm(i)
}

// Renewed makes an item go as another event, without a token.
func (d *Dispatcher) Renewed(i *Item) { i.failingSince, i.paid = 0, true }

// Ended ends the write of an item: it was stored, or given up. Others of its sequence go.
func (d *Dispatcher) Ended(i *Item) {
	i.tries, i.failingSince, i.paid = 0, 0, false
	if i.aside {
		i.aside = false
		d.steppedAside--
	}
	d.dequeue(i)
}

// Backoff doubles first so many times, up to most.
func Backoff(first, most time.Duration, times uint8) time.Duration {
	if times > 62 || first > most>>times {
		return most
	}
	return first << times
}

// saturating returns n+1, or n if that overflows.
func saturating(n uint8) uint8 { return n + min(1, math.MaxUint8-n) }

// conflictTries is how many tries may follow each other within a second.
const conflictTries = 12

// conflictDelay returns how long a write waits after a conflict. Writers of one event draw
// different times, longer with each try, so that each has its turn.
func (d *Dispatcher) conflictDelay(i *Item) time.Duration {
	if i.tries >= conflictTries {
		return d.retryDelay(i.tries)
	}
	drawn := rand.New(rand.NewPCG(d.opts.Seed, d.ticket)).Int64N(int64(Backoff(leastPause, time.Second, i.tries)))
	return time.Duration(drawn)
}

// oftenFails reports whether an eighth of first tries fail. Then a failure shows little about a
// write or its lane.
func (d *Dispatcher) oftenFails() bool { return d.failureShare > 0.125 }

// Delays of failed items while the dispatcher drains and other calls succeed.
const (
	drainingDelay    = 100 * time.Millisecond
	maxDrainingDelay = 300 * time.Millisecond
)

// retryDelay returns how long an item waits after so many failed tries.
func (d *Dispatcher) retryDelay(tries uint8) time.Duration {
	if d.Draining() && d.now-d.succeededAt < d.opts.MaxRetryDelay {
		return Backoff(min(drainingDelay, d.opts.RetryDelay), min(maxDrainingDelay, d.opts.MaxRetryDelay), tries)
	}
	return Backoff(d.opts.RetryDelay, d.opts.MaxRetryDelay, tries)
}

// An item that the server never takes steps aside: after asideTries failed tries, over at least
// asideAfter, the next create of its sequence is tried. The tries of the item go on, at intervals
// that grow up to a minute.
const (
	asideTries = 5
	asideAfter = 30 * time.Second
	asideDelay = time.Minute // the longest
)

// delayAfter notes a failed write, and returns how long its item waits.
func (d *Dispatcher) delayAfter(i *Item, a *sink.Answer) time.Duration {
	if i.failingSince == 0 {
		i.failingSince = max(d.now, 1)
	}
	d.stepAside(i)
	delay := d.retryDelay(i.tries)
	if i.aside && !d.Draining() {
		delay = Backoff(d.opts.MaxRetryDelay, max(asideDelay, d.opts.MaxRetryDelay), i.tries)
	}
	if a.Scope == sink.ScopeServer || d.oftenFails() {
		delay = min(delay, d.opts.RetryDelay)
	}
	return delay
}

// stepAside lets others of a sequence go before an item that always fails. A failure to reach the
// server does not count, because it shows nothing about the item.
func (d *Dispatcher) stepAside(i *Item) {
	if i.aside || d.oftenFails() || d.now-i.failingSince < asideAfter || i.tries+1 < asideTries {
		return
	}
	i.aside, i.tries = true, 0
	d.steppedAside++
	d.dequeue(i)
	d.notify(notice.Notice{Type: notice.SteppedAside})
}
