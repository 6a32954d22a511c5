package correlator

import (
	stdheap "container/heap"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/bucket"
)

// Buckets holds the token buckets of runtime.Limits, and the identities that wait for a token. The correlators of one broadcaster share it, so that a
// limit holds for all shards. The owner of the correlators provides the lock, which is held for a moment.
type Buckets struct {
	mu      Locker
	buckets map[*runtime.Limit]*tokens
}

// tokens is the bucket of a limit.
type tokens struct {
	every, burst time.Duration // burst is the time to fill it
	full         time.Duration // monotonic: when it will be full again
	queue        waiters
}

// waiter is an identity that waits for a token.
type waiter struct {
	owner   *Correlator
	limit   *runtime.Limit
	id      uint32
	ticket  uint32
	warning bool
	due     time.Duration // monotonic: when its write fell due
	since   time.Duration // monotonic: since when it waits
	place   int           // in the queue, or in none: -1
	late    int           // its place among those of its owner that can wait too long
}

// Locker is a lock, such as a sync.Mutex.
type Locker interface {
	Lock()
	Unlock()
}

// noLock is for buckets of one correlator.
type noLock struct{}

func (noLock) Lock()   {}
func (noLock) Unlock() {}

// NewBuckets returns full buckets. The lock guards them if several correlators are used at once; nil: only one is.
func NewBuckets(lock Locker) *Buckets {
	if lock == nil {
		lock = noLock{}
	}
	return &Buckets{mu: lock, buckets: map[*runtime.Limit]*tokens{}}
}

// of returns the bucket of a limit. The lock is held.
func (b *Buckets) of(l *runtime.Limit) *tokens {
	t := b.buckets[l]
	if t == nil {
		burst := time.Duration(max(l.Burst, 1))
		every := min(max(l.Every, 1), maxBudget/burst)
		t = &tokens{every: every, burst: every * burst}
		b.buckets[l] = t
	}
	return t
}

// take takes a token unless others wait for one.
func (b *Buckets) take(l *runtime.Limit, now time.Duration) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.of(l)
	return len(t.queue) == 0 && t.take(now)
}

func (t *tokens) take(now time.Duration) (ok bool) {
	t.full, ok = bucket.Take(t.full, now, t.burst, t.every)
	return ok
}

// wait lines up for a token.
func (b *Buckets) wait(w *waiter) {
	b.mu.Lock()
	stdheap.Push(&b.of(w.limit).queue, w)
	b.mu.Unlock()
}

// leave gives up a place in the line. A token that was already granted is lost.
func (b *Buckets) leave(w *waiter) {
	b.mu.Lock()
	if w.place >= 0 {
		stdheap.Remove(&b.of(w.limit).queue, w.place)
	}
	b.mu.Unlock()
}

// grant gives the available tokens to the first waiters, of any correlator, and returns when the next token comes. It puts waiters with a
// token into their correlator's granted list.
func (b *Buckets) grant(l *runtime.Limit, now time.Duration) (next time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.of(l)
	for len(t.queue) > 0 && t.take(now) {
		w := stdheap.Pop(&t.queue).(*waiter)
		w.owner.granted = append(w.owner.granted, w)
	}
	return t.full + t.every - t.burst
}

// collect moves the waiters that were granted a token into the correlator's own list.
func (b *Buckets) collect(c *Correlator, into []*waiter) []*waiter {
	b.mu.Lock()
	into = append(into, c.granted...)
	clear(c.granted)
	c.granted = c.granted[:0]
	b.mu.Unlock()
	return into
}

// waiters is a heap of waiters: Warning first, then the longest wait.
type waiters []*waiter

func (q waiters) Len() int { return len(q) }

func (q waiters) Less(i, j int) bool {
	if q[i].warning != q[j].warning {
		return q[i].warning
	}
	return q[i].due < q[j].due
}

func (q waiters) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].place, q[j].place = i, j
}

func (q *waiters) Push(x any) {
	w := x.(*waiter)
	w.place = len(*q)
	*q = append(*q, w)
}

func (q *waiters) Pop() any {
	last := len(*q) - 1
	w := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	w.place = -1
	return w
}
