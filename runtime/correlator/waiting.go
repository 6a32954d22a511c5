package correlator

import (
	stdheap "container/heap"
	"slices"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
)

// waiting holds a correlator's identities that wait for tokens of limits.
type waiting struct {
	byWork map[*store.Work]*waiter
	limits []waitedFor
	late   lateQueue     // waiters with a deadline, by deadline
	look   time.Duration // monotonic: when there may be a token
	room   []*waiter
}

// waitedFor is the number of identities that wait for tokens of a limit.
type waitedFor struct {
	limit *runtime.Limit
	n     int
}

// count changes the number of identities that wait for tokens of a limit.
func (w *waiting) count(limit *runtime.Limit, by int) {
	i := slices.IndexFunc(w.limits, func(l waitedFor) bool { return l.limit == limit })
	if i < 0 {
		i = len(w.limits)
		w.limits = append(w.limits, waitedFor{limit: limit})
	}
	if w.limits[i].n += by; w.limits[i].n == 0 {
		w.limits = slices.Delete(w.limits, i, i+1)
	}
}

// admitted reports whether the write of an identity may go out: it has a token, or needs none. If not, it waits for a token from now on.
func (c *Correlator) admitted(a store.Active) bool {
	limit := a.Definition.Correlation.Limit
	if limit == nil || a.Paid || c.draining {
		return true
	}
	if c.opts.Buckets.take(limit, c.now) {
		a.Paid = true
		return true
	}
	c.await(a, limit)
	return false
}

// await makes an identity wait for a token. It gives up its place in the order of its object, and other identities have their turn.
func (c *Correlator) await(a store.Active, limit *runtime.Limit) {
	c.unqueue(a)
	w := &waiter{owner: c, limit: limit, warning: a.Warning(), due: a.Due, since: c.now, late: -1}
	w.id, w.ticket = c.held.Ticket(a.Identity)
	if c.waiting.byWork == nil {
		c.waiting.byWork = map[*store.Work]*waiter{}
	}
	c.waiting.byWork[a.Work] = w
	c.waiting.count(limit, 1)
	if limit.Wait > 0 {
		stdheap.Push(&c.waiting.late, w)
	}
	c.opts.Buckets.wait(w)
	c.waiting.look = c.now // it may be its turn already; settle sets the next time
	c.pickUp(a.Turns)
}

// isWaiting reports whether an identity waits for a token.
func (c *Correlator) isWaiting(a store.Active) bool {
	return len(c.waiting.byWork) > 0 && // mutate: it saves looking into an empty map
		c.waiting.byWork[a.Work] != nil
}

// stopWaiting removes an identity from those that wait for a token, if it is among them.
func (c *Correlator) stopWaiting(a store.Active) {
	if w := c.waiting.byWork[a.Work]; w != nil {
		c.opts.Buckets.leave(w)
		c.forgetWaiter(a, w)
	}
}

func (c *Correlator) forgetWaiter(a store.Active, w *waiter) {
	delete(c.waiting.byWork, a.Work)
	c.waiting.count(w.limit, -1)
	if w.late >= 0 {
		stdheap.Remove(&c.waiting.late, w.late)
	}
}

// settle schedules the identities that have got a token by now, and gives up those that have waited too long for one.
func (c *Correlator) settle() {
	if len(c.waiting.byWork) == 0 || c.now < c.waiting.look { // mutate: it saves time
		return
	}
	c.nextToken() // which gives out the available tokens
	c.waiting.room = c.opts.Buckets.collect(c, c.waiting.room[:0])
	for _, w := range c.waiting.room {
		c.pay(w)
	}
	clear(c.waiting.room)
	for len(c.waiting.late) > 0 && c.waiting.late[0].end() <= c.now {
		c.giveUp(c.waiting.late[0])
	}
	c.waiting.look = c.nextToken()
}

// nextToken gives out the available tokens. It returns when the next token may come for a waiting identity, or when one has waited too long.
func (c *Correlator) nextToken() time.Duration {
	next := never
	for _, l := range c.waiting.limits {
		next = min(next, c.opts.Buckets.grant(l.limit, c.now))
	}
	if len(c.waiting.late) > 0 {
		next = min(next, c.waiting.late[0].end())
	}
	return max(next, c.now+1)
}

// pay schedules the write of an identity that got a token. The token of an identity that is gone is lost.
func (c *Correlator) pay(w *waiter) {
	i := c.held.ByTicket(w.id, w.ticket)
	if i == nil || i.Idle() {
		return
	}
	a := c.held.Active(i)
	if c.waiting.byWork[a.Work] != w {
		return
	}
	c.forgetWaiter(a, w)
	a.Paid = true
	c.arm(a)
}

// giveUp counts occurrences that have waited too long as lost.
func (c *Correlator) giveUp(w *waiter) {
	a := c.held.Active(c.held.ByTicket(w.id, w.ticket))
	c.stopWaiting(a)
	c.lose(a, a.Pending, &c.counts.Lost.Limited)
	c.calm(a)
}

func (w *waiter) end() time.Duration { return w.since + min(w.limit.Wait, maxBudget) }

// lateQueue is a heap of waiters, by the end of their time.
type lateQueue []*waiter

func (q lateQueue) Len() int           { return len(q) }
func (q lateQueue) Less(i, j int) bool { return q[i].end() < q[j].end() } // mutate: of equal ends, any comes first

func (q lateQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].late, q[j].late = i, j
}

func (q *lateQueue) Push(x any) {
	w := x.(*waiter)
	w.late = len(*q)
	*q = append(*q, w)
}

func (q *lateQueue) Pop() any {
	last := len(*q) - 1
	w := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	w.late = -1
	return w
}
