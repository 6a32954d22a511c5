package broadcaster

import (
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// SetEnabled switches recording off and on again while the program runs. While it is off, events
// are only counted (Stats.Lost.Disabled): they are neither written nor shown to subscribers. Events
// recorded before are still written.
func (b *Broadcaster) SetEnabled(on bool) {
	b.hooks.change(func(h *hooks) { h.disabled = !on })
}

// Filter decides which events are recorded. Package eventfilter has one whose rules are text. A
// filter must be safe for concurrent use, and comparable, as pointers are. Metrics and the page of
// package eventdebug show its rules if it has the methods Rules and Err of *eventfilter.Filter.
type Filter interface {
	// Keep reports whether an event is to be recorded. It is called for every event, in the
	// goroutine that records, so it must be fast. If it panics, the event is recorded, and the
	// first panic is logged.
	Keep(e eventrt.Event) bool
}

// SetFilter makes the broadcaster record only events that a filter keeps; nil keeps everything. It
// replaces the former filter. The broadcaster counts events that the filter drops
// (Stats.Lost.Disabled) as if recording were off. Events recorded before are still written. A
// filter that can't be compared, such as a function, is an error, and changes nothing.
func (b *Broadcaster) SetFilter(f Filter) error {
	if err := checkFilter(f); err != nil {
		return err
	}
	b.hooks.change(func(h *hooks) { h.filter = f })
	return nil
}

// checkFilter returns an error for a filter that can't be compared: metrics and page ask whether
// several broadcasters have the same.
func checkFilter(f Filter) error {
	if f == nil || reflect.ValueOf(f).Comparable() {
		return nil
	}
	return fmt.Errorf("expected a filter that can be compared, found a %T; use a pointer, or eventfilter.Func for a function", f)
}

// allows reports whether an event is to be recorded.
func (b *Broadcaster) allows(h *hooks, e *eventrt.Event) (ok bool) {
	if h.disabled {
		return false
	}
	if h.filter == nil {
		return true
	}
	ok = true
	defer b.recovered(&b.log.filterPanicked, "The filter panicked; the event is recorded")
	return h.filter.Keep(*e)
}

// Observer holds functions that a broadcaster calls for metrics and pages. It calls them in the
// goroutines that record and write, outside all locks and several at a time. They must be fast.
// Recorded and Rejected hold up their caller. While 64 calls of Written have not returned, further
// ones are skipped, and counted in Snapshot.Skipped. A panic harms nothing, and is logged
// once. Functions may be nil.
type Observer struct {
	// Recorded is called with the definition of every event that was neither rejected nor disabled.
	Recorded func(*eventrt.Definition)
	// Rejected is called with every event that was rejected, because it is unusable or came after
	// the end, and with the logged problem.
	Rejected func(e eventrt.Event, problem string)
	// Written is called with every answer of the sink, once the broadcaster has processed the
	// answer. It must not keep the write. took is the time from handing the write to the sink until
	// its answer, the sink's own waiting included.
	Written func(w *sink.Write, a sink.Answer, took time.Duration)
}

// AttachObserver calls o's functions from now on, until stop is called. A call that has begun may
// end after stop.
func (b *Broadcaster) AttachObserver(o Observer) (stop func()) {
	attached := &observer{Observer: o}
	b.hooks.change(func(h *hooks) { h.observers = append(slices.Clip(h.observers), attached) })
	return func() {
		b.hooks.change(func(h *hooks) {
			h.observers = slices.DeleteFunc(slices.Clone(h.observers), func(other *observer) bool { return other == attached })
		})
	}
}

func (b *Broadcaster) tellRecorded(h *hooks, def *eventrt.Definition) {
	for _, o := range h.observers {
		if o.Recorded != nil {
			b.observed(func() { o.Recorded(def) })
		}
	}
}

func (b *Broadcaster) tellRejected(h *hooks, e *eventrt.Event, problem string) {
	for _, o := range h.observers {
		if o.Rejected != nil {
			rejected := *e // so that e stays off the heap
			b.observed(func() { o.Rejected(rejected, problem) })
		}
	}
}

func (b *Broadcaster) tellWritten(h *hooks, w *sink.Write, a *sink.Answer, took time.Duration) {
	for _, o := range h.observers {
		switch {
		case o.Written == nil:
		case o.busy.Add(1) > maxBusy:
			o.busy.Add(-1)
			if b.skipped.Add(1) == 1 {
				b.log.error(nil, "An observer does not return; while 64 of its calls have not, further ones are only counted")
			}
		default:
			b.observed(func() {
				defer o.busy.Add(-1)
				o.Written(w, *a, took)
			})
		}
	}
}

func (b *Broadcaster) observed(call func()) {
	defer b.recovered(&b.log.observerPanicked, "An observer panicked; further panics are not logged")
	call()
}

// recovered ends the panic of a function of the program, and logs the first.
func (b *Broadcaster) recovered(logged *atomic.Bool, text string) {
	if p := recover(); p != nil && !logged.Swap(true) {
		b.log.error(nil, text, "panic", p)
	}
}

// maxBusy is the number of calls of an observer's Written that may be without an end.
const maxBusy = 64

// observer is an attached Observer.
type observer struct {
	Observer
	busy atomic.Int32 // calls of Written that have not returned
}

// hooks holds the functions to call for every event. It never changes; it is replaced.
type hooks struct {
	disabled  bool
	filter    Filter // nil: everything is recorded
	observers []*observer
}

// hookBox holds the hooks. It is nil if there are none, so that unused hooks cost one load.
type hookBox struct {
	mu      sync.Mutex
	current atomic.Pointer[hooks]
}

func (x *hookBox) load() *hooks { return x.current.Load() }

func (x *hookBox) change(change func(*hooks)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	var h hooks
	if old := x.current.Load(); old != nil {
		h = *old
	}
	change(&h)
	if !h.disabled && h.filter == nil && len(h.observers) == 0 {
		x.current.Store(nil)
		return
	}
	x.current.Store(&h)
}
