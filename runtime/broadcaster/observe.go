package broadcaster

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/event-gen/event-gen/runtime"
)

// Observer holds functions that a broadcaster calls for metrics. It calls them in the goroutines that
// record and write, outside all locks and several at a time. They must be fast and must not block. A panic
// harms nothing, and is logged once. Functions may be nil.
type Observer struct {
	// Recorded is called with the definition of every event that was neither rejected nor disabled.
	Recorded func(*runtime.Definition)
	// Written is called with every answer of the sink, once the broadcaster has taken the answer up. If a call has not come back
	// after a second, the broadcaster logs that once, and makes no more calls until it has.
	Written func(WriteReport)
}

// WriteReport is the result of one write.
type WriteReport struct {
	Operation runtime.Operation
	Outcome   runtime.Outcome
	// Duration is the time from handing the write to the sink until its answer, the sink's own waiting included.
	Duration time.Duration
}

// AttachObserver calls o's functions from now on, until stop is called. Calls that have begun may end after stop.
func (b *Broadcaster) AttachObserver(o Observer) (stop func()) {
	attached := &observer{Observer: o}
	b.hooks.change(func(h *hooks) { h.observers = append(slices.Clip(h.observers), attached) })
	return func() {
		b.hooks.change(func(h *hooks) {
			h.observers = slices.DeleteFunc(slices.Clone(h.observers), func(other *observer) bool { return other == attached })
		})
	}
}

// observer is an Observer that is attached.
type observer struct {
	Observer
	late atomic.Int32 // calls of Written that have not come back for lateAfter; it is told of no write while there are any
}

func (b *Broadcaster) tellRecorded(h *hooks, def *runtime.Definition) {
	for _, o := range h.observers {
		if o.Recorded != nil {
			b.callRecorded(o, def)
		}
	}
}

func (b *Broadcaster) callRecorded(o *observer, def *runtime.Definition) {
	defer b.recoverObserver()
	o.Recorded(def)
}

func (b *Broadcaster) recoverObserver() {
	if p := recover(); p != nil {
		b.say.once(&b.say.observerPanicked, "An observer panicked; further panics are not said", p)
	}
}

// observed hands the worker's write to the sink, and notes the report for the observers.
func (k *worker) observed(ctx *callContext) {
	b := k.b
	h := b.hooks.load()
	if h == nil || len(h.observers) == 0 {
		k.answer, k.answered = b.write(ctx, &k.w), true
		return
	}
	start := b.clock.Now().Mono
	k.answer, k.answered = b.write(ctx, &k.w), true
	k.report = WriteReport{Operation: k.w.Operation, Outcome: k.answer.Outcome, Duration: b.clock.Now().Mono - start}
	k.audience = h.observers
}

// tell calls the observers with the report. It returns false if one took so long that another worker has taken over.
func (k *worker) tell() bool {
	for _, o := range k.audience {
		if o.Written != nil && o.late.Load() == 0 {
			k.callWritten(o)
		}
	}
	return len(k.audience) == 0 || !k.telling.isLeft()
}

func (k *worker) callWritten(o *observer) {
	k.telling.begin(o, k.overdue)
	defer k.telling.end()
	defer k.b.recoverObserver()
	o.Written(k.report)
}

// overdue starts another worker in place of one whose observer has not come back.
func (k *worker) overdue() {
	if k.telling.leave(k.b.work) {
		k.b.say.late()
	}
}

// lateAfter is how long a worker waits for an observer.
const lateAfter = time.Second

// telling watches a worker's calls of observers. Its timer is the system's: an observer holds up a goroutine, whatever
// Options.Clock says.
type telling struct {
	mu    sync.Mutex
	timer *time.Timer // nil before the first call
	to    *observer   // whom the worker calls; nil: nobody
	began time.Time
	left  *observer // has not come back, so that the worker has been left behind; nil: none
}

// begin notes a call. The function is called once it has lasted for lateAfter, in a goroutine of its own, and perhaps earlier.
func (t *telling) begin(o *observer, overdue func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.to, t.began = o, time.Now()
	if t.timer == nil {
		t.timer = time.AfterFunc(lateAfter, overdue)
		return
	}
	t.timer.Reset(lateAfter)
}

// end notes that the call has come back.
func (t *telling) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer.Stop()
	if t.to != nil && t.to == t.left {
		t.to.late.Add(-1)
	}
	t.to = nil
}

// leave leaves the worker behind if its call has lasted for too long: then it has another take over, and returns true.
func (t *telling) leave(replace func()) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.to == nil || t.left != nil || time.Since(t.began) < lateAfter {
		return false
	}
	t.left = t.to
	t.left.late.Add(1)
	replace() // under the lock: the worker can't end in between, and the group of workers not be empty
	return true
}

func (t *telling) isLeft() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.left != nil
}
