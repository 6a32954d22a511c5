package broadcaster

import (
	"sync"
	"sync/atomic"

	"github.com/event-gen/event-gen/runtime"
)

// SetEnabled switches recording off and on again while the program runs. While it is off, events are only counted
// (Stats.Lost.Disabled): they are neither written nor shown to subscribers. What was recorded before is still written.
func (b *Broadcaster) SetEnabled(on bool) {
	b.hooks.change(func(h *hooks) { h.disabled = !on })
}

// SetNamespaceFilter has only events recorded whose regarding object is in a namespace that f allows; that of cluster-scoped
// objects is empty. The rest are counted (Stats.Lost.Disabled) as when recording is off. Nil allows all. f is called with
// every event, in the goroutine that records, so that it must be fast and safe for concurrent use; where it panics, the
// event is recorded, and that is said once.
func (b *Broadcaster) SetNamespaceFilter(f func(namespace string) bool) {
	b.hooks.change(func(h *hooks) { h.allows = f })
}

// declines reports whether an event is not to be recorded, and counts it then.
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

// hooks is what has to be looked at with every event beside the event itself. It is never changed, but replaced.
type hooks struct {
	disabled  bool
	allows    func(namespace string) bool
	observers []*Observer
}

// hookBox holds the hooks; nil where nobody has asked for anything, so that unused ones cost one load.
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
