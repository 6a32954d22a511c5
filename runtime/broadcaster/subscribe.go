package broadcaster

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/event-gen/event-gen/runtime"
)

// DefaultBuffer is the number of events that wait for a subscriber, if Subscribe is not told another.
const DefaultBuffer = 1024

// Subscription is a function that sees events. It is safe for concurrent use.
type Subscription struct {
	b       *Broadcaster
	events  chan runtime.Event
	done    chan struct{} // closed when the function will not be called again
	stop    chan struct{} // closed when it is to end
	once    sync.Once
	seen    func(runtime.Event)
	dropped atomic.Uint64
	panics  atomic.Uint64
}

// subscribers are read with every event and changed rarely.
type subscribers struct {
	mu     sync.Mutex
	list   atomic.Pointer[[]*Subscription]
	closed bool
}

// Subscribe has f called with every event published after Subscribe returned and with none from before, one at a time and
// in the order of publishing. Rejected events are not shown. At most buffer events wait for f (0: DefaultBuffer); what
// comes while they do is dropped, and counted by Dropped: recording never waits for a subscriber. A panic of f is counted
// and said once. After Shutdown has begun, f is not called for anything new.
func (b *Broadcaster) Subscribe(buffer int, f func(runtime.Event)) *Subscription {
	if buffer <= 0 {
		buffer = DefaultBuffer
	}
	s := &Subscription{
		b:      b,
		events: make(chan runtime.Event, buffer),
		done:   make(chan struct{}),
		stop:   make(chan struct{}),
		seen:   f,
	}
	if !b.subscribers.add(s) {
		close(s.done)
		return s
	}
	go s.run()
	return s
}

// Stop ends the subscription: what waits is still shown, then f is not called again. It does not wait for that; Done does.
func (s *Subscription) Stop() {
	s.b.subscribers.remove(s)
	s.once.Do(func() { close(s.stop) })
}

// Done is closed when f will not be called again.
func (s *Subscription) Done() <-chan struct{} { return s.done }

// Dropped is the number of events that f has missed because too many waited for it.
func (s *Subscription) Dropped() uint64 { return s.dropped.Load() }

// Panics is the number of times that f has panicked.
func (s *Subscription) Panics() uint64 { return s.panics.Load() }

func (s *Subscription) run() {
	defer close(s.done)
	for {
		select {
		case e := <-s.events:
			s.show(e)
		case <-s.stop:
			s.rest()
			return
		}
	}
}

// rest shows what was waiting when the subscription ended.
func (s *Subscription) rest() {
	for {
		select {
		case e := <-s.events:
			s.show(e)
		default:
			return
		}
	}
}

func (s *Subscription) show(e runtime.Event) {
	defer func() {
		if p := recover(); p != nil && s.panics.Add(1) == 1 {
			s.b.say.panicked(p)
		}
	}()
	s.seen(e)
}

func (l *subscribers) offer(e runtime.Event) {
	list := l.list.Load()
	if list == nil {
		return
	}
	for _, s := range *list {
		select {
		case s.events <- e:
		default:
			s.dropped.Add(1)
		}
	}
}

func (l *subscribers) add(s *Subscription) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	var grown []*Subscription
	if list := l.list.Load(); list != nil {
		grown = append(grown, *list...)
	}
	grown = append(grown, s)
	l.list.Store(&grown)
	return true
}

func (l *subscribers) remove(s *Subscription) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.list.Load()
	if list == nil {
		return
	}
	var rest []*Subscription
	for _, other := range *list {
		if other != s {
			rest = append(rest, other)
		}
	}
	l.list.Store(&rest)
}

// stop ends all subscriptions and waits until they have shown what was waiting, or ctx ends.
func (l *subscribers) stop(ctx context.Context) {
	l.mu.Lock()
	l.closed = true
	list := l.list.Swap(nil)
	l.mu.Unlock()
	if list == nil {
		return
	}
	for _, s := range *list {
		s.once.Do(func() { close(s.stop) })
	}
	for _, s := range *list {
		select {
		case <-s.done:
		case <-ctx.Done():
			return
		}
	}
}
