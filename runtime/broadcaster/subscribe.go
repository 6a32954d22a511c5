package broadcaster

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// defaultBuffer is the default of Subscriber.Buffer.
const defaultBuffer = 1024

// defaultName is the name of subscribers without a name.
const defaultName = "function"

// Subscriber sees events beside the sink: a log, a file, a function of the program. Its functions
// are called one at a time, in a goroutine of the subscription. A panic in them is counted, and the
// first is logged.
type Subscriber struct {
	// Name is used in log lines and metrics. Subscribers of one name are counted together, and so
	// are ended ones, as "others", once 100 names have ended. Empty: "function".
	Name string
	// Buffer is the number of events that may wait while Show is busy; 0 or less: 1024.
	// Each takes about 700 bytes.
	Buffer int
	// Show is called with every event.
	Show func(eventrt.Event)
	// Idle, unless nil, is called after Show when no further event waits: a moment to flush.
	Idle func()
	// End, unless nil, is called once, when Show will not be called again. Its error is logged.
	End func() error
}

// Attach shows s every event published after Attach has returned, and no earlier one, in the order
// of publishing. It shows no events that were rejected or disabled. While the buffer is full,
// events are dropped and counted, because recording never waits for a subscriber. Shutdown first
// shows the waiting events, then ends s, as stop does. After Shutdown has begun, s is ended at
// once. Stop does not wait: the channel that it returns is closed when s will not be called again.
func (b *Broadcaster) Attach(s Subscriber) (stop func() (done <-chan struct{})) {
	s.Name = strings.ToValidUTF8(cmp.Or(s.Name, defaultName), "\uFFFD") // as metrics demand
	if s.Buffer <= 0 {
		s.Buffer = defaultBuffer
	}
	n := &subscription{
		b:          b,
		subscriber: s,
		events:     make(chan eventrt.Event, s.Buffer),
		done:       make(chan struct{}),
	}
	n.ctx, n.stop = context.WithCancel(context.Background())
	if b.subscribers.add(n) {
		go n.run()
	} else {
		n.finish()
	}
	return func() <-chan struct{} {
		b.subscribers.remove(n)
		n.stop()
		return n.done
	}
}

// SubscriberStats counts the events that the subscribers of one name have seen and missed since
// New.
type SubscriberStats struct {
	Name string
	// Seen counts the shown events, Dropped the events missed because the buffer was full, Panics
	// the calls that panicked.
	Seen    uint64
	Dropped uint64
	Panics  uint64
	// Waiting is the number of events in the buffers.
	Waiting int
}

// subscription is an attached subscriber. It is safe for concurrent use.
type subscription struct {
	b          *Broadcaster
	subscriber Subscriber
	events     chan eventrt.Event
	ctx        context.Context // ends when the subscriber has to end
	stop       context.CancelFunc
	done       chan struct{} // closed when the subscriber will not be called again
	seen       atomic.Uint64
	dropped    atomic.Uint64
	panics     atomic.Uint64
	loggedSlow atomic.Bool
	checked    uint64 // of seen, when Shutdown looked last
}

func (s *subscription) stats() SubscriberStats {
	return SubscriberStats{
		Name:    s.subscriber.Name,
		Seen:    s.seen.Load(),
		Dropped: s.dropped.Load(),
		Panics:  s.panics.Load(),
		Waiting: len(s.events),
	}
}

func (s *subscription) offer(e *eventrt.Event) {
	select {
	case s.events <- *e:
	default:
		s.dropped.Add(1)
	}
}

func (s *subscription) run() {
	defer s.finish()
	for {
		select {
		case e := <-s.events:
			s.show(&e)
		case <-s.ctx.Done():
			for len(s.events) > 0 { // the waiting events; nobody else takes from the buffer
				e := <-s.events
				s.show(&e)
			}
			return
		}
	}
}

func (s *subscription) show(e *eventrt.Event) {
	s.guarded(func() { s.subscriber.Show(*e) })
	s.seen.Add(1)
	s.logSlow()
	if s.subscriber.Idle != nil && len(s.events) == 0 {
		s.guarded(s.subscriber.Idle)
	}
}

// logSlow logs once that the subscriber misses events.
func (s *subscription) logSlow() {
	if dropped := s.dropped.Load(); dropped > 0 && !s.loggedSlow.Swap(true) {
		s.b.log.error(nil, "A subscriber is slower than events come; what it misses is only counted from here on",
			"subscriber", s.subscriber.Name, "dropped", dropped, "buffer", s.subscriber.Buffer)
	}
}

// finish ends the subscriber, and keeps its counts.
func (s *subscription) finish() {
	defer close(s.done)
	defer s.b.subscribers.ended(s)
	s.stop()
	if s.subscriber.End != nil {
		s.guarded(s.end)
	}
}

func (s *subscription) end() {
	if err := s.subscriber.End(); err != nil {
		s.b.log.error(err, "A subscriber did not end properly", "subscriber", s.subscriber.Name)
	}
}

func (s *subscription) guarded(f func()) {
	defer func() {
		if p := recover(); p != nil && s.panics.Add(1) == 1 {
			s.b.log.error(nil, "A subscriber panicked; it is called again with the next event, and further panics are only counted",
				"subscriber", s.subscriber.Name, "panic", p)
		}
	}()
	f()
}

// subscribers holds the subscriptions. It is read for every event and changed rarely.
type subscribers struct {
	offered atomic.Pointer[[]*subscription] // subscriptions that are offered events; nil: none

	mu     sync.Mutex
	all    []*subscription            // subscriptions that have not ended
	past   map[string]SubscriberStats // the counts of ended subscriptions
	closed bool                       // Shutdown has begun
}

func (l *subscribers) offer(e *eventrt.Event) {
	if list := l.offered.Load(); list != nil {
		for _, s := range *list {
			s.offer(e)
		}
	}
}

func (l *subscribers) add(s *subscription) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	l.all = append(l.all, s)
	list := []*subscription{s}
	if old := l.offered.Load(); old != nil {
		list = append(slices.Clone(*old), s)
	}
	l.offered.Store(&list)
	return true
}

func (l *subscribers) remove(s *subscription) {
	l.mu.Lock()
	defer l.mu.Unlock()
	old := l.offered.Load()
	if old == nil {
		return
	}
	list := without(*old, s)
	l.offered.Store(&list)
	if len(list) == 0 {
		l.offered.Store(nil)
	}
}

// without returns a copy of the list without s.
func without(list []*subscription, s *subscription) []*subscription {
	return slices.DeleteFunc(slices.Clone(list), func(other *subscription) bool { return other == s })
}

// Names of ended subscriptions are kept up to maxPast, and counted together beyond.
const (
	maxPast    = 100
	othersName = "others"
)

// ended keeps the counts of a subscription.
func (l *subscribers) ended(s *subscription) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = without(l.all, s)
	counts := s.stats()
	if _, known := l.past[counts.Name]; !known && len(l.past) >= maxPast {
		counts.Name = othersName
	}
	addTo(l.past, counts)
}

func addTo(sums map[string]SubscriberStats, s SubscriberStats) {
	sum := sums[s.Name]
	sums[s.Name] = SubscriberStats{
		Name: s.Name, Seen: sum.Seen + s.Seen, Dropped: sum.Dropped + s.Dropped, Panics: sum.Panics + s.Panics, Waiting: sum.Waiting + s.Waiting,
	}
}

func (l *subscribers) stats() []SubscriberStats {
	l.mu.Lock()
	defer l.mu.Unlock()
	sums := maps.Clone(l.past)
	for _, s := range l.all {
		addTo(sums, s.stats())
	}
	return slices.SortedFunc(maps.Values(sums), func(x, y SubscriberStats) int { return strings.Compare(x.Name, y.Name) })
}

// logSlow logs the subscribers that miss events. The goroutine of a hanging subscriber can't log
// that itself.
func (l *subscribers) logSlow() {
	l.mu.Lock()
	list := slices.Clone(l.all)
	l.mu.Unlock()
	for _, s := range list {
		s.logSlow()
	}
}

// close accepts no more subscribers, and tells the existing ones to end. It returns them.
func (l *subscribers) close() []*subscription {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.offered.Store(nil)
	for _, s := range l.all {
		s.checked = s.seen.Load()
		s.stop()
	}
	return slices.Clone(l.all)
}

// endSubscribers waits until subscriptions that were told to end have shown the waiting events. It
// looks each time the timer fires. A subscription that has shown none since it looked last hangs;
// it can't be ended, and is left behind, as are all once ctx has ended. endSubscribers logs the
// ones left behind, and returns their counts.
func (b *Broadcaster) endSubscribers(ctx context.Context, list []*subscription, timer *time.Timer) (behind []SubscriberStats) {
	for list = await(list, timer.C); len(list) > 0; list = await(list, timer.C) {
		isOver := ctx.Err() != nil
		list = slices.DeleteFunc(list, func(s *subscription) bool {
			stats := s.stats()
			if goesOn := stats.Seen > s.checked; goesOn && !isOver {
				s.checked = stats.Seen
				return false
			}
			b.log.error(nil, "A subscriber has not come back though Shutdown's time is over; it is left behind",
				"subscriber", stats.Name, "waiting", stats.Waiting)
			behind = append(behind, stats)
			return true
		})
		timer.Reset(grace)
	}
	return behind
}

// await waits until all subscriptions have ended, and returns none. If over fires earlier, it
// returns the ones that have not ended.
func await(list []*subscription, over <-chan time.Time) []*subscription {
	for i, s := range list {
		select {
		case <-s.done:
		case <-over:
			return slices.DeleteFunc(list[i:], func(s *subscription) bool {
				select {
				case <-s.done:
					return true
				default:
					return false
				}
			})
		}
	}
	return nil
}
