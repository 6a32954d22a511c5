package broadcaster

import (
	"sync"
	"sync/atomic"

	"github.com/event-gen/event-gen/runtime"
)

// SetEnabled switches recording off and on again while the program runs. While it is off, events are only counted
// (Stats.Lost.Disabled): they are neither written nor shown to subscribers. Events recorded before are still written.
func (b *Broadcaster) SetEnabled(on bool) {
	b.hooks.change(func(h *hooks) { h.disabled = !on })
}

// SetNamespaceFilter records only events whose regarding object is in a namespace that f allows. f gets the empty string for cluster-scoped
// objects. Other events are counted (Stats.Lost.Disabled) as if recording were off. Nil allows all. f is called for
// every event, in the goroutine that records, so it must be fast and safe for concurrent use. If it panics, the
// event is recorded, and the first panic is logged.
func (b *Broadcaster) SetNamespaceFilter(f func(namespace string) bool) {
	b.hooks.change(func(h *hooks) { h.allows = f })
}

// declines reports whether an event must not be recorded. If so, it counts the event.
func (b *Broadcaster) declines(h *hooks, e *runtime.Event, hash uint64) bool {
	if !h.disabled && b.allowed(h.allows, e.Regarding().Namespace) {
		return false
	}
	s := b.shardOf(hash)
	s.mu.Lock()
	s.c.Disabled()
	s.mu.Unlock()
	return true
}

func (b *Broadcaster) allowed(filter func(string) bool, namespace string) (ok bool) {
	if filter == nil {
		return true
	}
	defer func() {
		if p := recover(); p != nil {
			b.say.once(&b.say.filterPanicked, "The namespace filter panicked; the event is recorded", p)
			ok = true
		}
	}()
	return filter(namespace)
}

// hooks holds the functions to call for every event. It never changes; it is replaced.
type hooks struct {
	disabled  bool
	allows    func(namespace string) bool
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
	if !h.disabled && h.allows == nil && len(h.observers) == 0 {
		x.current.Store(nil)
		return
	}
	x.current.Store(&h)
}
