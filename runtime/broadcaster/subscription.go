package broadcaster

import (
	"sync"
	"sync/atomic"

	"github.com/event-gen/event-gen/runtime"
)

// Subscription is a subscriber that is attached. It is safe for concurrent use.
type Subscription struct {
	b          *Broadcaster
	subscriber Subscriber
	events     chan runtime.Event
	done       chan struct{} // closed when the subscriber will not be called again
	stop       chan struct{} // closed when it is to end
	once       sync.Once
	seen       atomic.Uint64
	dropped    atomic.Uint64
	panics     atomic.Uint64
	saidSlow   atomic.Bool
}

// Stop ends the subscription: what waits is still shown, then the subscriber is ended. It does not wait for that; Done does.
func (s *Subscription) Stop() {
	s.b.subscribers.remove(s)
	s.signal()
}

func (s *Subscription) signal() { s.once.Do(func() { close(s.stop) }) }

// Done is closed when the subscriber will not be called again.
func (s *Subscription) Done() <-chan struct{} { return s.done }

// Dropped is the number of events that the subscriber has missed because too many waited for it.
func (s *Subscription) Dropped() uint64 { return s.dropped.Load() }

// Panics is the number of times that the subscriber has panicked.
func (s *Subscription) Panics() uint64 { return s.panics.Load() }

func (s *Subscription) stats() SubscriberStats {
	return SubscriberStats{
		Name:    s.subscriber.Name,
		Seen:    s.seen.Load(),
		Dropped: s.dropped.Load(),
		Panics:  s.panics.Load(),
		Waiting: len(s.events),
	}
}

func (s *Subscription) offer(e *runtime.Event) {
	select {
	case s.events <- *e:
	default:
		s.dropped.Add(1)
	}
}

func (s *Subscription) run() {
	defer s.finish()
	for {
		select {
		case e := <-s.events:
			s.show(&e)
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
			s.show(&e)
		default:
			return
		}
	}
}

func (s *Subscription) show(e *runtime.Event) {
	s.guarded(func() { s.subscriber.Show(*e) })
	s.seen.Add(1)
	s.tellSlow()
	if s.subscriber.Idle != nil && len(s.events) == 0 {
		s.guarded(s.subscriber.Idle)
	}
}

// tellSlow says once that the subscriber misses events.
func (s *Subscription) tellSlow() {
	if dropped := s.dropped.Load(); dropped > 0 && !s.saidSlow.Swap(true) {
		s.b.say.slow(s.subscriber.Name, dropped, s.subscriber.Buffer)
	}
}

// finish ends the subscriber, and keeps its counts.
func (s *Subscription) finish() {
	if s.subscriber.End != nil {
		s.guarded(s.end)
	}
	s.b.subscribers.ended(s)
	close(s.done)
}

func (s *Subscription) end() {
	if err := s.subscriber.End(); err != nil {
		s.b.say.failedToEnd(s.subscriber.Name, err)
	}
}

func (s *Subscription) guarded(f func()) {
	defer func() {
		if p := recover(); p != nil && s.panics.Add(1) == 1 {
			s.b.say.panicked(s.subscriber.Name, p)
		}
	}()
	f()
}
