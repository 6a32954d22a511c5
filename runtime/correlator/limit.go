package correlator

import (
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// bucket holds the tokens of an eventrt.Limit, and the works that wait for one.
type bucket struct {
	limit        *eventrt.Limit
	every, burst time.Duration // burst is the time to fill it
	full         time.Duration // monotonic: when it will be full again
	queue        queue[waiter]
	line         list[waiter] // in the order in which they began to wait
}

// waiter is a work that waits for a token.
type waiter struct {
	work   *work
	bucket *bucket
	since  time.Duration // monotonic: since when it waits
	serial uint64        // in the order in which they began to wait
	place  int           // in the queue
	line   link[waiter]
}

// goesBefore puts Warnings first, then the works that fell due first.
func (w *waiter) goesBefore(o *waiter) bool {
	if a, b := w.work.warning(), o.work.warning(); a != b {
		return a
	}
	return w.work.due < o.work.due || w.work.due == o.work.due && w.serial < o.serial
}

// bucketOf returns the bucket of a limit.
func (c *Correlator) bucketOf(l *eventrt.Limit) *bucket {
	for _, b := range c.buckets {
		if b.limit == l {
			return b
		}
	}
	burst := time.Duration(max(l.Burst, 1))
	every := min(max(l.Every, 1), maxBudget/burst)
	b := &bucket{limit: l, every: every, burst: every * burst}
	b.queue = queue[waiter]{before: (*waiter).goesBefore, place: func(w *waiter) *int { return &w.place }}
	c.buckets = append(c.buckets, b)
	return b
}

func (b *bucket) spend(now time.Duration) (ok bool) {
	b.full, ok = spendToken(b.full, now, b.burst, b.every)
	return ok
}

// takesToken reports whether a write may go out: it has a token, or needs none. Otherwise the work
// waits for a token from now on. It gives up its place in the order of its object, and the object's
// other works have their turn.
func (c *Correlator) takesToken(w *work) bool {
	limit := w.def.Correlation.Limit
	if limit == nil || w.paid || c.draining {
		return true
	}
	b := c.bucketOf(limit)
	if b.queue.Len() == 0 && b.spend(c.now) {
		w.paid = true
		return true
	}
	c.unqueue(w)
	c.serial++
	w.waiter = &waiter{work: w, bucket: b, since: c.now, serial: c.serial}
	b.queue.put(w.waiter)
	b.line.push(&w.waiter.line, w.waiter)
	c.tokenAt = c.now // grantTokens sets the next time
	c.resumeObject(w.turn)
	return false
}

// stopWaiting removes a work from its bucket's queue, if it waits for a token.
func (c *Correlator) stopWaiting(w *work) {
	if w.waiter == nil {
		return
	}
	w.waiter.bucket.queue.drop(w.waiter)
	w.waiter.line.leave()
	w.waiter = nil
}

// grantTokens schedules the works that have got a token by now. It gives up the works that have
// waited too long for a token.
func (c *Correlator) grantTokens() {
	if c.now < c.tokenAt {
		return
	}
	c.tokenAt = Never
	for _, b := range c.buckets {
		for b.queue.Len() > 0 && b.spend(c.now) {
			w := b.queue.first().work
			c.stopWaiting(w)
			w.paid = true
			c.arm(w)
		}
		oldest := b.line.first()
		for ; oldest != nil && oldest.end() <= c.now; oldest = b.line.first() {
			c.expireWait(oldest.work)
		}
		if oldest != nil {
			c.tokenAt = min(c.tokenAt, max(b.full+b.every-b.burst, c.now+1), oldest.end())
		}
	}
}

// expireWait counts occurrences that have waited too long as lost.
func (c *Correlator) expireWait(w *work) {
	c.stopWaiting(w)
	c.lose(w, w.pending, &c.counts.Lost.Limited)
	c.releaseIfIdle(w)
}

// end returns the time at which a waiter has waited too long.
func (w *waiter) end() time.Duration {
	if w.bucket.limit.Wait <= 0 {
		return Never
	}
	return w.since + min(w.bucket.limit.Wait, maxBudget)
}
