package broadcaster

import (
	"sync"
	"sync/atomic"
)

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
