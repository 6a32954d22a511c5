package dispatch

import (
	"cmp"
	"math"
	"time"
	"unsafe"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/list"
	"github.com/event-gen/event-gen/runtime/internal/clock"
)

// bucket holds the tokens of an eventrt.Limit, and the items that wait for one.
type bucket struct {
	limit        *eventrt.Limit
	every, burst time.Duration // burst is the time to fill it
	full         time.Duration // monotonic: when it will be full again
	queue        list.Queue[waiter]
	line         list.List[waiter] // in the order in which they began to wait
}

// waiter is an item that waits for a token.
type waiter struct {
	item   *Item
	bucket *bucket
	since  time.Duration // monotonic: since when it waits
	place  int           // in the queue
	line   list.Link[waiter]
}

// WaiterBytes is the memory of an item that waits for a token.
const WaiterBytes = int64(unsafe.Sizeof(waiter{})) + 24

// MaxBudget bounds burst × every, so that no sum of moments overflows.
const MaxBudget = time.Duration(math.MaxInt64 / 4)

// SpendToken takes one token from a bucket of burst/every tokens, which earns one each every. A
// bucket is stored as the moment when it will be full again; any moment up to now means full. If
// the bucket is empty, ok is false and the bucket does not change. Burst and every must be
// positive, and their sum with now must not overflow.
func SpendToken(full, now, burst, every time.Duration) (after time.Duration, ok bool) {
	after = max(full, now) + every
	if after > now+burst {
		return full, false
	}
	return after, true
}

// waitsBefore puts Warnings first, then the items that fell due first.
func waitsBefore(a, b *waiter) int {
	if x, y := a.item.work.Facts().Warning, b.item.work.Facts().Warning; x != y {
		if x {
			return -1
		}
		return 1
	}
	return cmp.Compare(a.item.due, b.item.due)
}

// bucketOf returns the bucket of a limit.
func (d *Dispatcher) bucketOf(l *eventrt.Limit) *bucket {
	for _, b := range d.buckets {
		if b.limit == l {
			return b
		}
	}
	burst := time.Duration(max(l.Burst, 1))
	every := min(max(l.Every, 1), MaxBudget/burst)
	b := &bucket{limit: l, every: every, burst: every * burst}
	b.queue = list.NewQueue(waitsBefore, func(w *waiter) *int { return &w.place })
	d.buckets = append(d.buckets, b)
	return b
}

func (b *bucket) spend(now time.Duration) (ok bool) {
	b.full, ok = SpendToken(b.full, now, b.burst, b.every)
	return ok
}

// takesToken reports whether a write may go out: it has a token, or needs none. Otherwise the item
// waits for a token from now on. It gives up its place in its sequence, and others go.
func (d *Dispatcher) takesToken(i *Item) bool {
	limit := i.work.Facts().Limit
	if limit == nil || i.paid || d.Draining() {
		return true
	}
	b := d.bucketOf(limit)
	if b.queue.Len() == 0 && b.spend(d.now) {
		i.paid = true
		return true
	}
	d.dequeue(i)
	w := &waiter{item: i, bucket: b, since: d.now}
	i.waiter, i.place = w, token
	b.queue.Put(w)
	b.line.Push(&w.line, w)
	d.Resume(i.sequence)
	return false
}

// leave ends the wait.
func (w *waiter) leave() {
	w.bucket.queue.Drop(w)
	w.line.Leave()
}

// grantTokens arms the items that have got a token by now.
func (d *Dispatcher) grantTokens() {
	for _, b := range d.buckets {
		for b.queue.Len() > 0 && b.spend(d.now) {
			i := b.queue.First().item
			d.leave(i)
			i.paid = true
			d.arm(i)
		}
	}
}

// overdue returns an item that has waited too long for a token; nil if there is none.
func (d *Dispatcher) overdue() *Item {
	for _, b := range d.buckets {
		if w := b.line.First(); w != nil && w.end() <= d.now {
			d.leave(w.item)
			return w.item
		}
	}
	return nil
}

// tokenAt returns when there may be a token, or an item has waited too long for one.
func (d *Dispatcher) tokenAt() time.Duration {
	at := clock.Never
	for _, b := range d.buckets {
		if w := b.line.First(); w != nil {
			at = min(at, max(b.full+b.every-b.burst, d.now+1), w.end())
		}
	}
	return at
}

// end returns the time at which a waiter has waited too long.
func (w *waiter) end() time.Duration {
	if w.bucket.limit.Wait <= 0 {
		return clock.Never
	}
	return w.since + min(w.bucket.limit.Wait, MaxBudget)
}
