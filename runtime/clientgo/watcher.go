package clientgo

import (
	"sync"
	"sync/atomic"

	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// Watcher is the type of the watch.Interface that StartEventWatcher, StartLogging and
// StartStructuredLogging return. It is safe for concurrent use.
type Watcher interface {
	watch.Interface
	// Dropped returns the number of events that the watcher missed because too many waited for it.
	Dropped() uint64
}

type watcher struct {
	owner   *watchers
	result  chan watch.Event
	stopped chan struct{}
	once    sync.Once

	mu     sync.Mutex // held while an event is queued, which stopped and watchers.ending cut short
	closed bool       // result is

	dropped atomic.Uint64
	panics  atomic.Uint64
	calling atomic.Bool // its function
}

// Stop ends the watcher: its function still gets the waiting events, and then no more. Stop does
// not wait for that.
func (w *watcher) Stop() {
	w.once.Do(func() { close(w.stopped) }) // frees a recorder that waits for room
	w.owner.remove(w)
	w.close()
}

// close ends the result.
func (w *watcher) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.closed = true
		close(w.result)
	}
}

// ResultChan returns the channel that feeds the watcher's function. Receiving from it takes events
// away from the function.
func (w *watcher) ResultChan() <-chan watch.Event { return w.result }

// Dropped is the number of events that the watcher missed because too many waited for it.
func (w *watcher) Dropped() uint64 { return w.dropped.Load() }

// offer queues an event, and returns false if it is the first for which there was no room.
func (w *watcher) offer(e watch.Event) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return true
	}
	select {
	case w.result <- e:
		return true
	default:
	}
	if w.owner.full == watch.WaitIfChannelFull {
		select {
		case w.result <- e:
			return true
		case <-w.stopped:
			return true
		case <-w.owner.ending:
		}
	}
	return w.dropped.Add(1) > 1
}

// run calls the watcher's function with each event. If the function ends the goroutine, another one
// goes on.
func (w *watcher) run(handle func(k8sruntime.Object)) {
	over := false
	defer func() {
		if !over {
			w.owner.handlers.Go(func() { w.run(handle) })
		}
	}()
	for e := range w.result {
		w.show(handle, e.Object)
	}
	over = true
	w.owner.ended(w)
}

// show calls the watcher's function. A panic in it ends only this call.
func (w *watcher) show(handle func(k8sruntime.Object), object k8sruntime.Object) {
	w.calling.Store(true)
	defer w.owner.shown.Add(1)
	defer w.calling.Store(false)
	defer func() {
		if p := recover(); p != nil && w.panics.Add(1) == 1 {
			w.owner.log.Error(nil, "An event watcher panicked; it is called again with the next event", "panic", p)
		}
	}()
	handle(object)
}
