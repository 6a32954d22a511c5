package clientgo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"
)

// watchQueue is the number of events that can wait for a watcher (maxQueuedEvents in
// tools/record/event.go).
const watchQueue = 1000

var errStopped = errors.New("broadcaster already stopped")

// watchers see each event in the order in which recorders made them. A new watcher sees later
// events, and none from before (apimachinery pkg/watch/mux.go).
type watchers struct {
	full   watch.FullChannelBehavior
	log    klog.Logger
	number atomic.Int32 // of list, to be read without the lock
	shown  atomic.Uint64
	ending chan struct{}

	handing sync.Mutex // held while an event is handed out, which may wait for a watcher

	mu       sync.Mutex
	list     []*watcher // replaced, never changed
	closed   bool
	handlers sync.WaitGroup
	running  map[*watcher]struct{} // those whose handlers have not ended
}

func newWatchers(full watch.FullChannelBehavior, log klog.Logger) *watchers {
	return &watchers{full: full, log: log, ending: make(chan struct{}), running: map[*watcher]struct{}{}}
}

// any reports whether a watcher is running.
func (l *watchers) any() bool { return l.number.Load() > 0 }

// start calls a function with each event from now on, one at a time.
func (l *watchers) start(handle func(k8sruntime.Object)) (*watcher, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errStopped
	}
	w := &watcher{owner: l, result: make(chan watch.Event, watchQueue), stopped: make(chan struct{})}
	l.list = append(slices.Clip(l.list), w)
	l.number.Add(1)
	l.running[w] = struct{}{}
	l.handlers.Go(func() { w.run(handle) })
	return w, nil
}

func (l *watchers) ended(w *watcher) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.running, w)
}

func (l *watchers) show(object k8sruntime.Object) {
	for range l.offer(object) { // without the lock: a logger may be slow
		l.log.Error(nil, "An event watcher is too slow and misses events; what else it misses is only counted", "waiting", watchQueue)
	}
}

// offer queues an event for all watchers. It returns the number of watchers that miss an event for
// the first time.
func (l *watchers) offer(object k8sruntime.Object) (late int) {
	l.handing.Lock()
	defer l.handing.Unlock()
	l.mu.Lock()
	list := l.list
	l.mu.Unlock()
	for _, w := range list {
		if !w.offer(watch.Event{Type: watch.Added, Object: object}) {
			late++
		}
	}
	return late
}

func (l *watchers) remove(w *watcher) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.Index(l.list, w); i >= 0 {
		l.list = slices.Concat(l.list[:i], l.list[i+1:])
		l.number.Add(-1)
	}
}

// close ends all watchers. They still see the waiting events.
func (l *watchers) close() {
	close(l.ending)
	l.mu.Lock()
	list := l.list
	l.list, l.closed = nil, true
	l.number.Store(0)
	l.mu.Unlock()
	for _, w := range list {
		w.close()
	}
}

// patience is the time for which a handler may stay in a call at the end.
const patience = 2 * time.Second

// wait returns once all handlers have seen what waited for them, ctx ends, or no handler has come
// back from a call for long. Only handlers that are still busy then are an error.
func (l *watchers) wait(ctx context.Context) error {
	seen := make(chan struct{})
	go func() {
		l.handlers.Wait()
		close(seen)
	}()
	ticker := time.NewTicker(patience)
	defer ticker.Stop()
	for before, goesOn := l.shown.Load(), true; goesOn; {
		select {
		case <-seen:
			return nil
		case <-ctx.Done():
			goesOn = false
		case <-ticker.C:
			shown := l.shown.Load()
			goesOn, before = shown > before, shown
		}
	}
	switch busy := l.busy(); busy {
	case 0:
		return nil
	case 1:
		return errors.New("an event watcher has not come back")
	default:
		return fmt.Errorf("%d event watchers have not come back", busy)
	}
}

// busy returns the number of handlers that are in a call or have waiting events.
func (l *watchers) busy() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for w := range l.running {
		if w.calling.Load() || len(w.result) > 0 {
			n++
		}
	}
	return n
}
