package broadcaster

import (
	"cmp"
	"sync"
	"sync/atomic"

	"github.com/event-gen/event-gen/runtime"
)

// Subscription is an attached subscriber. It is safe for concurrent use.
type Subscription struct {
	b          *Broadcaster
	subscriber Subscriber
	events     chan runtime.Event
	done       chan struct{} // closed when the subscriber will not be called again
	stop       chan struct{} // closed when it has to end
	once       sync.Once
	seen       atomic.Uint64
	dropped    atomic.Uint64
	panics     atomic.Uint64
	saidSlow   atomic.Bool
}

// Stop ends the subscription: it still shows the waiting events, then ends the subscriber. It does not wait for that; use Done.
func (s *Subscription) Stop() {
	s.b.subscribers.remove(s)
	s.signal()
}

func (s *Subscription) signal() { s.once.Do(func() { close(s.stop) }) }

// Done returns a channel that is closed when the subscriber will not be called again.
func (s *Subscription) Done() <-chan struct{} { return s.done }

// Dropped returns the number of events that the subscriber has missed because its buffer was full.
func (s *Subscription) Dropped() uint64 { return s.dropped.Load() }

// Panics returns the number of times that the subscriber has panicked.
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
			for len(s.events) > 0 { // what was waiting; nobody else takes from it
				e := <-s.events
				s.show(&e)
			}
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

// tellSlow logs once that the subscriber misses events.
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

// DefaultBuffer is the default of Subscriber.Buffer.
const DefaultBuffer = 1024

// defaultName is the name of subscribers without a name.
const defaultName = "function"

// Subscriber sees events beside the sink: a log, a file, a function of the program. Its functions are called one
// at a time, in a goroutine of the subscription. A panic in them is counted, and the first is logged.
type Subscriber struct {
	// Name is used in log lines and metrics. Subscribers of one name are counted together. Empty: "function".
	Name string
	// Buffer is the number of events that may wait while Show is busy; 0 or less: DefaultBuffer. Each takes about 700 bytes.
	Buffer int
	// Show is called with every event.
	Show func(runtime.Event)
	// Idle, unless nil, is called after Show when no further event waits: a moment to flush.
	Idle func()
	// End, unless nil, is called once, when Show will not be called again. Its error is logged.
	End func() error
}

// Subscribe attaches a function. At most buffer events wait for it; 0: DefaultBuffer.
func (b *Broadcaster) Subscribe(buffer int, f func(runtime.Event)) *Subscription {
	return b.Attach(Subscriber{Buffer: buffer, Show: f})
}

// Attach shows s every event published after Attach returned and none from before, in the order of publishing. It shows no
// events that were rejected or disabled. While the buffer is full, events are dropped and counted, because recording
// never waits for a subscriber. Shutdown first shows the waiting events, then ends s. After Shutdown has begun, s is ended at once.
func (b *Broadcaster) Attach(s Subscriber) *Subscription {
	s.Name = cmp.Or(s.Name, defaultName)
	if s.Buffer <= 0 {
		s.Buffer = DefaultBuffer
	}
	n := &Subscription{
		b:          b,
		subscriber: s,
		events:     make(chan runtime.Event, s.Buffer),
		done:       make(chan struct{}),
		stop:       make(chan struct{}),
	}
	if b.subscribers.add(n) {
		go n.run()
	} else {
		n.finish()
	}
	return n
}

// SubscriberStats counts the events that the subscribers of one name have seen and missed since the broadcaster was made.
type SubscriberStats struct {
	Name string
	// Seen counts the events shown, Dropped those missed because the buffer was full, Panics the calls that panicked.
	Seen    uint64
	Dropped uint64
	Panics  uint64
	// Waiting is the number of events in the buffers.
	Waiting int
}

func (s *SubscriberStats) add(o SubscriberStats) {
	s.Seen += o.Seen
	s.Dropped += o.Dropped
	s.Panics += o.Panics
	s.Waiting += o.Waiting
}

// SubscriberStats returns the counts of all subscribers since the start, sorted by name. Stats does not include them, because an event that a
// subscriber misses is not lost.
func (b *Broadcaster) SubscriberStats() []SubscriberStats { return b.subscribers.stats() }
